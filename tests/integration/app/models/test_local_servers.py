"""Servers of models on this machine: who is found, who is no such server, and that nobody elsewhere is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from app.models.local.local_servers import find_servers
from tests.support.fakes import Reply, ScriptedModelServer
from tests.support.servers.live_server import live_server, settings_for
from tests.support.waiting import HANG_SECONDS

NOT_FOUND = Reply({}, status=404)
CARDS: dict[str, list[dict[str, Any]]] = {
    "ollama": [{"id": "qwen3:8b", "object": "model", "created": 1, "owned_by": "library"}],
    "llama.cpp": [{"id": "/models/q.gguf", "object": "model", "owned_by": "llamacpp", "meta": {"n_params": 1}}],
    "lm-studio": [{"id": "qwen3-8b", "object": "model", "owned_by": "organization_owner"}],
    "vllm": [{"id": "Qwen/Qwen3-8B", "object": "model", "owned_by": "vllm", "max_model_len": 4096}],
}
"""How the four programs list a model."""
KEYED = "It asks for a key: `summit setup --provider NAME --base-url ADDRESS` takes one."


@pytest.fixture
def server() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as found:
        found.script("/version", NOT_FOUND)
        yield found


async def test_each_of_the_four_programs_is_found_and_named() -> None:
    with ExitStack() as stack:
        servers = {kind: stack.enter_context(ScriptedModelServer()) for kind in CARDS}
        for kind, server in servers.items():
            server.script("/version", NOT_FOUND)
            server.script("/models", Reply({"object": "list", "data": CARDS[kind]}))
        addresses = [server.base_url for server in servers.values()]
        found = await find_servers(addresses, seconds=HANG_SECONDS)
    assert [(one.kind, one.base_url, list(one.models)) for one in found] == [
        (kind, address, [CARDS[kind][0]["id"]]) for kind, address in zip(CARDS, addresses, strict=True)
    ]
    assert [one.name for one in found] == ["Ollama", "llama.cpp", "LM Studio", "vLLM"]


async def test_a_summit_is_no_server_of_models(database_url: str, tmp_path: Path) -> None:
    with live_server(settings_for(database_url, tmp_path, admin_key=None)) as url:
        assert await find_servers([f"{url}/v1"], seconds=HANG_SECONDS) == []


async def test_a_summit_is_asked_no_more_than_what_it_is(server: ScriptedModelServer) -> None:
    server.script("/version", Reply({"name": "summit", "version": "1"}))
    assert await find_servers([server.base_url], seconds=HANG_SECONDS) == []
    assert [request.path for request in server.requests] == ["/version"]


OTHERS = {
    "a page": Reply("<html>", content_type="text/html"),
    "an error": Reply({}, status=503),
    "elsewhere": Reply({}, status=307, headers={"Location": "http://127.0.0.1:9/v1/models"}),
    "another form": Reply({"models": []}),
    "a number": Reply("7"),
    "a cut": Reply(drop=True),
}


@pytest.mark.parametrize("reply", OTHERS.values(), ids=OTHERS)
async def test_what_speaks_another_language_is_none(server: ScriptedModelServer, reply: Reply) -> None:
    server.script("/models", reply)
    assert await find_servers([server.base_url], seconds=HANG_SECONDS) == []


async def test_one_that_asks_for_a_key_is_told_and_sent_none(server: ScriptedModelServer) -> None:
    server.script("/models", Reply({}, status=401))
    [found] = await find_servers([server.base_url], seconds=HANG_SECONDS)
    assert (found.kind, list(found.models), found.detail) == ("other", [], KEYED)
    assert not any("authorization" in request.headers for request in server.requests)


async def test_one_that_is_silent_is_left(server: ScriptedModelServer) -> None:
    server.script("/models", Reply({}, delay_seconds=10 * HANG_SECONDS))
    assert await find_servers([server.base_url, "http://127.0.0.1:9/v1"], seconds=0.2) == []


async def test_nobody_elsewhere_is_asked_and_no_proxy(
    server: ScriptedModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, server.base_url.removesuffix("/v1"))
    elsewhere = ["http://models.example/v1", "http://169.254.169.254/v1", "http://127.0.0.1.evil.example/v1"]
    assert await find_servers([*elsewhere, "http://127.0.0.1:9/v1"], seconds=HANG_SECONDS) == []
    assert server.requests == []
