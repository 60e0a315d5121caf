"""Servers of models that mean harm, or are broken badly: turns are answered in time, whole, and nobody pays for it."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from agents.understanding import BuiltIn
from app.database.database import Database
from app.models.llm.billing import CreditBilling, Prices
from app.models.llm.breaker import Breakers
from app.models.llm.limits import ModelLimits
from app.models.llm.requests import ModelTarget
from app.models.store.credits import Credits
from app.models.understanding.understanding import ModelUnderstanding
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.minds import OneModel, message_of, mind_at
from tests.support.servers.turn_server import reply_of, turn_server

Script = Callable[[RecordedRequest], Reply]
WORDS = "buy milk"
MOST_CPU_SECONDS = 30.0
"""Far more than a slow machine needs; what goes on without end takes more."""


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


def good(request: RecordedRequest) -> Reply:
    """Adds a task, whole where a stream was asked for too."""
    body = {**request.json, "stream": False}
    whole = replace(request, body=json.dumps(body).encode())
    return chat(Call("create_task", {"title": message_of(request)}))(whole)


def padded(request: RecordedRequest) -> Reply:
    """A good answer in five million bytes."""
    return Reply(json.dumps(good(request).body) + " " * 5_000_000)


def packed(request: RecordedRequest) -> Reply:
    """A good answer, packed although nobody asked for that."""
    payload = gzip.compress(json.dumps(good(request).body).encode())
    return Reply(payload, headers={"Content-Encoding": "gzip"})


def dripping(request: RecordedRequest) -> Reply:
    """A good answer, a byte at a time."""
    return Reply(pieces=tuple(json.dumps(good(request).body)), pause_seconds=60.0)


def deep(_: RecordedRequest) -> Reply:
    """Lists in lists in lists."""
    return Reply("[" * 200_000)


@pytest.mark.parametrize("script", [padded, packed, dripping, deep])
async def test_an_answer_beyond_all_bounds_is_done_without(
    database: Database, models: ScriptedModelServer, script: Script
) -> None:
    models.script("/chat/completions", script)
    async with turn_server(database, mind_at(models, budget_seconds=5.0 if script is dripping else 60.0)) as server:
        begun = time.process_time()
        turn = await server.say(WORDS)
        assert time.process_time() - begun < MOST_CPU_SECONDS
        assert await server.tasks() == [WORDS]
    assert turn.result is not None
    assert turn.result.understanding == "fallback"
    assert models.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_takes_no_words_elsewhere(
    database: Database, models: ScriptedModelServer, status: int
) -> None:
    with ScriptedModelServer() as stranger:
        stranger.script("/chat/completions", good)
        elsewhere = {"Location": f"{stranger.base_url}/chat/completions"}
        models.script("/chat/completions", Reply({}, status=status, headers=elsewhere))
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.say(WORDS)
        assert stranger.requests == []
    assert turn.result is not None
    assert turn.result.understanding == "fallback"


def counting(prompt: Any, completion: Any) -> Script:
    """A good answer whose server counts like that."""

    def answer(request: RecordedRequest) -> Reply:
        usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt}
        return Reply({**good(request).body, "usage": usage})

    return answer


@pytest.mark.parametrize(
    ("prompt", "completion"), [(-5, -(10**12)), (10**12, 10**12), (10**30, 1), (0, 0), (1.5, 2.5), (True, None)]
)
async def test_no_count_of_a_server_empties_an_account_or_fills_it(
    database: Database, models: ScriptedModelServer, prompt: Any, completion: Any
) -> None:
    models.script("/chat/completions", counting(prompt, completion))
    target = ModelTarget(models.base_url, "scripted", max_tokens=200)
    prices = Prices(listed={"scripted": (1.0, 5.0)})
    accounts = Credits(database, starter=1000, stale_seconds=900)
    tills = OneModel(lambda target: CreditBilling(accounts, prices, target, enforced=True), target, target)
    mind = ModelUnderstanding(BuiltIn(), tills, ModelLimits(backoff_seconds=0.01), Breakers(10**9, 1.0))
    async with turn_server(database, mind) as server:
        turn = await server.say(WORDS)
        assert await server.tasks() == [WORDS]
        account = await accounts.account(server.user)
    assert 900 < account.available <= 1000
    assert account.held == 0
    assert 0 <= turn.usage["tokens"] < 100_000


LONG: dict[str, Any] = {
    "a title": {"title": "buy milk " * 120_000},
    "notes": {"title": "buy bread", "notes": "milk " * 200_000},
    "steps": {"title": "buy bread", "steps": ["milk"] * 150_000},
    "a field that there is not": {"title": "buy bread", "z" * 1_000_000: "milk"},
}


@pytest.mark.parametrize("args", LONG.values(), ids=LONG)
async def test_arguments_of_a_million_characters_are_not_read(
    database: Database, models: ScriptedModelServer, args: dict[str, Any]
) -> None:
    def answer(request: RecordedRequest) -> Reply:
        return chat(Call("create_task", args), Call("create_task", {"title": WORDS}))(request)

    models.script("/chat/completions", answer)
    async with turn_server(database, mind_at(models)) as server:
        begun = time.process_time()
        turn = await server.say(WORDS)
        assert time.process_time() - begun < MOST_CPU_SECONDS
        assert await server.tasks() == [WORDS]
    assert "1 thing that I could not read" in reply_of(turn)
    assert len(reply_of(turn)) < 1000


HALF, NUL = "buy \ud83d milk", "buy \x00 milk"


@pytest.mark.parametrize("broken", [HALF, NUL], ids=["half a surrogate", "NUL"])
@pytest.mark.parametrize("place", ["text", "title", "line", "id", "tool"])
async def test_text_that_no_database_keeps_takes_no_turn_down(
    database: Database, models: ScriptedModelServer, broken: str, place: str
) -> None:
    calls = {
        "title": Call("create_task", {"title": broken}),
        "line": Call("create_note", {"title": WORDS, "items": [broken]}),
        "id": Call("update_task", {"id": broken, "title": "x"}),
        "tool": Call(broken, {}),
    }
    wanted = [calls[place]] if place in calls else []
    answer = chat(*wanted, Call("create_task", {"title": WORDS}), text=broken if place == "text" else "")
    models.script("/chat/completions", answer)
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say(WORDS)
    assert turn.state in ("done", "waiting")
    reply_of(turn).encode()
    assert "\x00" not in reply_of(turn)


def telling(*pieces: str, pause_seconds: float = 0.0) -> Script:
    """An answer in the model's own words."""

    def answer(_: RecordedRequest) -> Reply:
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        events = [{**head, "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
        told = tuple(f"data: {json.dumps(event)}\n\n" for event in events)
        return Reply(content_type="text/event-stream", pieces=told, pause_seconds=pause_seconds)

    return answer


@pytest.mark.parametrize(
    "script",
    [
        telling(*["word "] * 30_000),
        telling("word " * 500_000),
        telling(*["It is a sunny day. "] * 10_000),
        telling("So ", *["it is "] * 50, pause_seconds=60.0),
        telling(HALF, "."),
    ],
    ids=["no end", "one piece", "many sentences", "drips", "half a surrogate"],
)
async def test_an_answer_in_words_is_bounded(database: Database, models: ScriptedModelServer, script: Script) -> None:
    models.script("/chat/completions", script)
    async with turn_server(database, mind_at(models, budget_seconds=2.0)) as server:
        begun = time.process_time()
        turn = await server.say("which of my things needs the most courage?")
        assert time.process_time() - begun < MOST_CPU_SECONDS
    assert turn.state in ("done", "waiting")
    assert len(reply_of(turn)) < 20_000
    reply_of(turn).encode()
