"""The test of a connection: it tells what is wrong, soon, whatever the other side sends."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from app.models.llm.probe import probe
from app.models.model.providers import Feature, Probed, Provider
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.waiting import HANG_SECONDS

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
}


@pytest.mark.parametrize(("reply", "detail"), ANSWERS.values(), ids=ANSWERS)
async def test_what_a_provider_answers_is_told(reply: Reply, detail: str) -> None:
    with ScriptedModelServer() as server:
        server.script("/models", reply)
        found = await probe(provider_at(server), seconds=HANG_SECONDS)
    assert found.detail == detail
    assert found.ok == detail.startswith("It answers")


async def test_a_provider_that_drips_its_answer_is_left() -> None:
    with ScriptedModelServer() as server:
        server.script("/models", Reply(pieces=tuple(MODELS), pause_seconds=HANG_SECONDS))
        found = await probe(provider_at(server), seconds=0.3)
    assert (found.ok, found.detail) == (False, "It did not answer within 0.3 seconds.")


HELLO = Call("report", {"word": "hello"})
REFUSED = Reply({"error": "unknown parameter"}, status=400)
Script = Callable[[RecordedRequest], Reply]


def provider_at(server: ScriptedModelServer) -> Provider:
    return Provider("own", "Own", server.base_url, "direct", ["chat"], api_key="sk-own")


def server_that(does: set[Feature]) -> Script:
    """A server with these features; what it does not know it passes over, as many do."""

    def answer(request: RecordedRequest) -> Reply:
        body: dict[str, Any] = request.json
        called = "tool_choice" if body.get("tool_choice") == "required" else "tools"
        if body.get("stream"):
            reply = chat(text="one two")(request)
            kept = [piece for piece in reply.pieces if "usage" in does or '"usage"' not in piece]
            return Reply(content_type=reply.content_type, pieces=tuple(kept)) if "streaming" in does else REFUSED
        if "tools" in body:
            return chat(HELLO)(request) if called in does else chat(text="Good morning to you.")(request)
        return chat(text='{"word": "hello"}' if "json_schema" in does else "Good morning.")(request)

    return answer


async def tried(
    script: Script | Reply, model: str = "two", trial_seconds: float = HANG_SECONDS
) -> tuple[Probed, ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/models", Reply(MODELS))
        server.script("/chat/completions", script)
        found = await probe(provider_at(server), model, seconds=HANG_SECONDS, trial_seconds=trial_seconds)
        return found, server


@pytest.mark.parametrize(
    "does",
    [
        {"tools", "tool_choice", "json_schema", "streaming", "usage"},
        {"tools", "streaming"},
        {"json_schema", "streaming", "usage"},
        {"streaming"},
        {"json_schema"},
    ],
    ids=lambda does: "+".join(sorted(does)),
)
async def test_the_features_that_work_are_those_of_the_server(does: set[Feature]) -> None:
    found, _ = await tried(server_that(does))
    assert (found.ok, found.model) == (True, "two")
    assert {name for name, works in found.features.items() if works} == does
    assert ("change nothing" in found.detail) == (not does & {"tools", "json_schema"})


async def test_nothing_but_fixed_words_and_the_key_is_sent() -> None:
    _, server = await tried(server_that({"tools", "tool_choice", "json_schema", "streaming", "usage"}))
    sent = server.to("/chat/completions")
    assert len(sent) == 3
    assert {request.headers["authorization"] for request in sent} == {"Bearer sk-own"}
    assert {request.json["model"] for request in sent} == {"two"}
    assert all(request.json["max_completion_tokens"] == 512 for request in sent)


async def test_a_model_that_is_not_listed_is_refused_and_not_asked() -> None:
    found, server = await tried(server_that({"streaming"}), "three")
    assert (found.ok, found.detail, found.models) == (False, "It has no model three.", ["one", "two"])
    assert server.to("/chat/completions") == []


async def test_a_server_that_lists_nothing_is_tried_all_the_same() -> None:
    with ScriptedModelServer() as server:
        server.script("/models", Reply({}, status=404))
        server.script("/chat/completions", server_that({"streaming", "usage"}))
        found = await probe(provider_at(server), "two", seconds=HANG_SECONDS, trial_seconds=HANG_SECONDS)
    assert found.ok
    assert found.detail.startswith("It lists no models. With two these work: streaming, usage.")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (Reply({}, status=403), "It refuses the key (403)."),
        (Reply({}, status=500), "two gives no answer of use (500)."),
        (Reply("<html>"), "two gives no answer of use (200)."),
        (Reply("[" * 100_000), "two gives no answer of use (200)."),
        (Reply({"choices": [{"message": {"tool_calls": [7, {"function": 1}]}}]}), "two gives no answer of use (200)."),
        (Reply(drop=True), "two gives no answer of use (nothing within 120 seconds)."),
    ],
    ids=["refused", "failing", "no JSON", "deep", "odd calls", "hanging up"],
)
async def test_a_model_that_gives_no_answer_of_use_is_refused(script: Reply, why: str) -> None:
    found, _ = await tried(script)
    assert not found.ok
    assert found.detail.endswith(why)


async def test_a_model_that_is_silent_is_left() -> None:
    found, _ = await tried(Reply({}, delay_seconds=10 * HANG_SECONDS), trial_seconds=0.2)
    assert not found.ok
    assert found.detail.endswith("two gives no answer of use (nothing within 0.2 seconds).")


async def test_an_answer_that_never_ends_is_cut_off() -> None:
    dripping = Reply(pieces=tuple("{" * 100), pause_seconds=HANG_SECONDS)
    found, _ = await tried(dripping, trial_seconds=0.3)
    assert not found.ok


async def test_packed_and_endless_answers_to_a_trial_are_of_no_use() -> None:
    word = {"choices": [{"message": {"content": '{"word": "hello"}'}}]}
    packed = Reply(gzip.compress(json.dumps(word).encode()), headers={"Content-Encoding": "gzip"})
    found, _ = await tried(packed)
    assert not found.ok
    endless = Reply(content_type="text/event-stream", pieces=("data: " + "x" * 2_000_000,) * 4)
    found, _ = await tried(endless)
    assert not found.ok
