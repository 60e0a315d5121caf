"""One question of memory by the API, by voice, by MCP and on a new memo, with the same citations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.databases import temporary_database
from tests.support.fakes import Reply, ScriptedModelServer
from tests.support.servers.hurried import hurried
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.servers.tools import call, over_http
from tests.support.servers.workflows import latest, run, starter, until, written
from tests.support.speech.sounds import JFK

KEPT = "The spare key of the cabin is under the blue pot."
QUESTION = "Where is the spare key of the cabin?"
HEARD = "/audio/transcriptions"
Cited = list[dict[str, Any]]


@pytest.fixture(scope="module")
def engine() -> Iterator[ScriptedModelServer]:
    """What hears recordings."""
    with ScriptedModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def base(
    postgres_url: str, migrated_template: str, engine: ScriptedModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A server with jobs beside it."""
    hearing = {"transcriber": "remote", "transcription_base_url": engine.base_url}
    for database in temporary_database(postgres_url, migrated_template):
        settings = settings_for(database, tmp_path_factory.mktemp("asking"), workers_in_process=True, **hearing)
        with live_server(settings) as url, hurried(database):
            yield url


@pytest.fixture
def user(base: str) -> Iterator[httpx.Client]:
    with plain_client(base, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        key = admin.post("/v1/users", json={"name": "A"}).json()["api_key"]
    with plain_client(base, {"Authorization": f"Bearer {key}"}) as client:
        yield client


def remember(user: httpx.Client) -> None:
    assert user.post("/v1/memos", json={"transcript": KEPT}).status_code == 201
    all_is_indexed(user)


def all_is_indexed(user: httpx.Client) -> None:
    until(lambda: user.get("/v1/memory").json(), lambda found: found["units"] and not found["waiting"])


def quotes(user: httpx.Client, words: str) -> list[str]:
    return [one["quote"] for one in user.post("/v1/memory/search", json={"query": words}).json()["items"]]


def say(user: httpx.Client, engine: ScriptedModelServer, words: str) -> dict[str, Any]:
    engine.script(HEARD, Reply({"text": words}))
    files = {"audio": ("clip.flac", JFK.read_bytes(), "audio/flac")}
    answer = user.post("/v1/turns", files=files)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def cited(run: dict[str, Any]) -> Cited:
    assert run["status"] == "done", run
    found: Cited = run["steps"][0]["details"]["citations"]
    return found


def by_api(user: httpx.Client) -> Cited:
    return cited(run(user, "ask-my-memory", question=QUESTION))


def by_voice(user: httpx.Client, engine: ScriptedModelServer) -> Cited:
    turn = say(user, engine, f"Run ask my memory. {QUESTION}")
    assert turn["reply"] == "I run “Ask my memory” now and tell you what comes of it."
    assert turn["changes"] == []
    runs = until(
        lambda: user.get("/v1/workflows/ask-my-memory/runs").json()["items"],
        lambda found: any(one["origin"] == "words" and one["finished_at"] for one in found),
    )
    [spoken] = [one for one in runs if one["origin"] == "words"]
    return cited(user.get(f"/v1/workflows/ask-my-memory/runs/{spoken['id']}").json())


async def by_mcp(user: httpx.Client) -> Cited:
    async with over_http(user) as mcp:
        return cited(await call(mcp, "run_workflow", name="ask-my-memory", inputs={"question": QUESTION}))


def on_a_memo(user: httpx.Client) -> Cited:
    ask = {"id": "answer", "kind": "memory_query", "question": "{{inputs.memo_text}}"}
    written(user, "ask-at-a-memo", ask, trigger={"kind": "memo", "words": ["spare key"]})
    assert user.post("/v1/memos", json={"transcript": QUESTION}).status_code == 201
    return cited(latest(user, "ask-at-a-memo"))


async def test_every_door_cites_the_same(user: httpx.Client, engine: ScriptedModelServer) -> None:
    remember(user)
    starter(user, "ask-my-memory")
    found = {"API": by_api(user), "voice": by_voice(user, engine)}
    all_is_indexed(user)
    assert quotes(user, QUESTION) == [KEPT]  # what was said to ask is no memory
    found |= {"MCP": await by_mcp(user), "memo": on_a_memo(user)}
    assert [one["quote"] for one in found["API"]] == [KEPT]
    assert found == dict.fromkeys(found, found["API"])


def test_what_is_ordered_after_the_name_is_not_given_to_memory(user: httpx.Client, engine: ScriptedModelServer) -> None:
    starter(user, "ask-my-memory")
    turn = say(user, engine, "Run ask my memory. Add buy milk.")
    assert "buy milk" in [change["title"] for change in turn["changes"]]
    assert user.get("/v1/workflows/ask-my-memory/runs").json()["items"] == []
