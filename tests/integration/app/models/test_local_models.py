"""Models on this computer over HTTP: found, measured and used by the administrator, where the settings say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.databases import temporary_database
from tests.support.fakes import Call, Reply, ScriptedModelServer, chat
from tests.support.servers.api import problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

CLOSED = "http://127.0.0.1:9/v1"
VLLM = Reply({"data": [{"id": "qwen", "owned_by": "vllm"}]})


@pytest.fixture(scope="module")
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/version", Reply({}, status=404))
        server.script("/models", VLLM)
        server.script("/chat/completions", chat(Call("report", {"word": "hello"}), text='{"word": "hello"}'))
        yield server


@pytest.fixture(scope="module")
def url(
    postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory, models: ScriptedModelServer
) -> Iterator[str]:
    for database in temporary_database(postgres_url, migrated_template):
        folder = tmp_path_factory.mktemp("here")
        with live_server(settings_for(database, folder, llm_local_servers=[models.base_url, CLOSED])) as found:
            yield found


@pytest.fixture
def operator(url: str) -> Iterator[httpx.Client]:
    """The administrator of that server, who leaves nothing behind."""
    with plain_client(url, {"Authorization": f"Bearer {ADMIN_KEY}"}) as client:
        yield client
        client.delete("/v1/models/chat")
        for slug in ("vllm", "vllm-2"):
            client.delete(f"/v1/providers/{slug}")


def test_what_runs_here_is_listed_with_the_name_it_can_have(
    operator: httpx.Client, models: ScriptedModelServer
) -> None:
    assert operator.post("/v1/providers/discover").json() == {
        "items": [
            {
                "kind": "vllm",
                "name": "vLLM",
                "base_url": models.base_url,
                "models": ["qwen"],
                "detail": "It answers and has 1 models.",
                "slug": "vllm",
                "added": False,
            }
        ],
        "asked": [models.base_url, CLOSED],
        "advice": "",
    }


def test_what_is_found_is_measured_added_and_used_by_everybody(
    operator: httpx.Client, models: ScriptedModelServer
) -> None:
    measured = operator.post("/v1/providers/measure", json={"base_url": f"{models.base_url}/", "model": "qwen"}).json()
    assert (measured["base_url"], measured["model"]) == (models.base_url, "qwen")
    assert (measured["tools"], measured["json_schema"], measured["detail"]) == (True, True, "")
    assert measured["first_token_seconds"] >= 0
    [found] = operator.post("/v1/providers/discover").json()["items"]
    added = {name: found[name] for name in ("slug", "name", "base_url")}
    assert operator.post("/v1/providers", json={**added, "capabilities": ["chat"]}).status_code == 201
    [found] = operator.post("/v1/providers/discover").json()["items"]
    assert (found["slug"], found["added"]) == ("vllm", True)
    chosen = operator.put("/v1/models/chat", json={"provider": "vllm", "model": "qwen"})
    assert [(one["tier"], one["model"]) for one in chosen.json()] == [("fast", "qwen"), ("reason", "qwen")]


def test_a_namesake_elsewhere_keeps_its_name_and_its_key(operator: httpx.Client, models: ScriptedModelServer) -> None:
    key = "sk-of-the-gpu-in-the-cellar"
    operator.post("/v1/providers", json={"slug": "vllm", "base_url": "https://gpu.example/v1", "api_key": key})
    [found] = operator.post("/v1/providers/discover").json()["items"]
    assert (found["slug"], found["added"]) == ("vllm-2", False)
    assert not any("authorization" in request.headers for request in models.requests)


def test_no_address_but_those_of_the_settings_is_asked(operator: httpx.Client) -> None:
    with ScriptedModelServer() as another:
        for address in (another.base_url, "http://169.254.169.254/v1", "http://models.example/v1", ""):
            refused = problem(operator.post("/v1/providers/measure", json={"base_url": address, "model": "m"}), 422)
            assert refused["detail"] == "Models are measured at the addresses of the settings alone."
            assert CLOSED in refused["hint"]
        assert another.requests == []


def test_only_the_administrator_may_ask(operator: httpx.Client, url: str, models: ScriptedModelServer) -> None:
    key = operator.post("/v1/users", json={"name": "Ada"}).json()["api_key"]
    before = len(models.requests)
    with plain_client(url, {"Authorization": f"Bearer {key}"}) as ada:
        problem(ada.post("/v1/providers/discover"), 403)
        problem(ada.post("/v1/providers/measure", json={"base_url": models.base_url, "model": "qwen"}), 403)
    assert len(models.requests) == before


def test_where_nothing_runs_it_is_told_how_to_start_something(admin: httpx.Client) -> None:
    found = admin.post("/v1/providers/discover").json()
    assert (found["items"], found["asked"]) == ([], [CLOSED])
    first, second = found["advice"].splitlines()
    assert CLOSED in first
    assert "ollama pull" in second


def test_the_one_user_of_a_server_without_keys_may_ask(
    database_url: str, tmp_path: Path, models: ScriptedModelServer
) -> None:
    with ExitStack() as stack:
        settings = settings_for(database_url, tmp_path, admin_key=None, llm_local_servers=[models.base_url])
        client = stack.enter_context(plain_client(stack.enter_context(live_server(settings))))
        assert [one["slug"] for one in client.post("/v1/providers/discover").json()["items"]] == ["vllm"]
