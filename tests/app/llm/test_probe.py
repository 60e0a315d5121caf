"""The test of a connection: it tells what is wrong, soon, whatever the other side sends."""

from __future__ import annotations

import gzip
import json
import time

import pytest

from app.llm.probe import probe
from app.ports import Provider
from tests.fakes import Reply, ScriptedModelServer

MODELS = json.dumps({"data": [{"id": "one"}, {"id": "two"}]})
NOT_SO = "It answered, but not as an OpenAI-compatible server does."
ANSWERS = {
    "good": (Reply(MODELS), "It answers and has 2 models."),
    "refused": (Reply({}, status=401), "It refuses the key (401)."),
    "failing": (Reply({}, status=500), "It answered 500."),
    "elsewhere": (Reply({}, status=307, headers={"Location": "http://127.0.0.1:9/"}), "It answered 307."),
    "no JSON": (Reply("<html>"), NOT_SO),
    "deep": (Reply("[" * 200_000), NOT_SO),
    "too long": (Reply(MODELS + " " * 5_000_000), NOT_SO),
    "packed": (Reply(gzip.compress(MODELS.encode()), headers={"Content-Encoding": "gzip"}), NOT_SO),
    "dripping": (Reply(pieces=tuple(MODELS), pause_seconds=0.1), "It did not answer within 1 seconds."),
}


@pytest.mark.parametrize(("reply", "detail"), ANSWERS.values(), ids=ANSWERS)
async def test_what_a_provider_answers_is_told_in_time(reply: Reply, detail: str) -> None:
    with ScriptedModelServer() as server:
        server.script("/models", reply)
        began = time.monotonic()
        found = await probe(Provider("own", "Own", server.base_url, "direct", ["chat"], api_key="sk-own"), 1.0)
    assert found.detail == detail
    assert found.ok == detail.startswith("It answers")
    assert time.monotonic() - began < 5.0
