"""A real OpenAI-compatible server: what it answers is nonsense, and every turn is answered truthfully all the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from agents.ports import Ask
from app.database.database import Database
from app.models.llm.probe import probe
from app.models.llm.requests import ModelTarget
from app.models.local.local_servers import find_servers
from app.models.local.measure import measure
from app.models.model.providers import Provider
from tests.support.fakes import ScriptedModelServer
from tests.support.ledgers import LISBON, NOW
from tests.support.minds import mind_on
from tests.support.model_quality.endpoint import Endpoint
from tests.support.peers.llama import MODEL, Llama, NotHere, llama
from tests.support.servers.turn_server import reply_of, turn_server
from tests.support.waiting import HANG_SECONDS, wait_until

QUESTION = "what is a good name for a small grey cat?"
MIXED = "add oat milk to my tasks, and what is a good name for a small grey cat?"


@pytest.fixture(scope="module")
def server() -> Iterator[Llama]:
    try:
        with llama() as running:
            yield running
    except NotHere as reason:
        pytest.skip(f"no real model: {reason}")


@pytest.fixture
def recorder(server: Llama) -> Iterator[tuple[Endpoint, str]]:
    """A door to the real server that keeps what it answers, and the door's address."""
    with closing(ScriptedModelServer()) as door:
        endpoint = Endpoint(upstream=(server.base_url, ""))
        endpoint.serve(door)
        yield endpoint, door.base_url


def target(base_url: str, *, tokens: int = 32, seconds: float = HANG_SECONDS) -> ModelTarget:
    return ModelTarget(base_url, MODEL, seconds=seconds, max_tokens=tokens)


def ask(text: str) -> Ask:
    return Ask(text=text, at=NOW, timezone=LISBON, imported=[], history=[])


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


async def test_the_test_of_a_provider_names_what_the_server_can_do(server: Llama) -> None:
    own = Provider("own", "Own", server.base_url, "direct", ["chat"])
    found = await probe(own, MODEL, trial_seconds=HANG_SECONDS, trial_tokens=48)
    assert (found.ok, found.models) == (True, [MODEL]), found.detail
    assert {name for name, works in found.features.items() if works} >= {"json_schema", "streaming", "usage"}
    missing = await probe(own, "gpt-5")
    assert (missing.ok, missing.detail) == (False, "It has no model gpt-5.")


async def test_a_server_of_this_machine_is_found_and_its_model_measured(server: Llama) -> None:
    [found] = await find_servers([server.base_url], seconds=HANG_SECONDS)
    assert (found.kind, list(found.models)) == ("llama.cpp", [MODEL])
    measured = await measure(found.base_url, MODEL, seconds=HANG_SECONDS, tokens=48)
    assert (measured.json_schema, measured.detail) == (True, "")
    assert measured.first_token_seconds is not None
    assert measured.tokens_per_second is None or measured.tokens_per_second > 0  # none where all came in one piece


async def test_a_turn_is_answered_in_the_words_of_a_real_model(
    recorder: tuple[Endpoint, str], database: Database
) -> None:
    endpoint, address = recorder
    mind = mind_on(
        replace(target(address), temperature=0.0), retries=0, budget_seconds=HANG_SECONDS, idle_seconds=HANG_SECONDS
    )
    async with turn_server(database, mind) as house:
        turn = await house.say(QUESTION)
        assert await house.changes(turn) == []
    said = " ".join(words((endpoint.asked[-1].answer or {}).get("text", "")))
    assert turn.result
    assert turn.result.understanding == "model"
    assert words(reply_of(turn))
    assert said


async def test_a_turn_with_a_real_model_is_answered_and_claims_no_more_than_was_done(
    recorder: tuple[Endpoint, str], database: Database
) -> None:
    endpoint, address = recorder
    mind = mind_on(target(address), retries=0, budget_seconds=HANG_SECONDS, idle_seconds=HANG_SECONDS)
    async with turn_server(database, mind) as house:
        turn = await house.say(MIXED)
        changes = await house.changes(turn)
        stored = await house.tasks()
    assert endpoint.asked
    assert turn.result
    reply = reply_of(turn)
    assert stored == sorted(change.title for change in changes if change.kind == "todo" and change.status == "applied")
    assert all(change.title in reply for change in changes)
    assert ("understood without it" in reply) == (turn.result.understanding == "fallback")


async def test_a_model_that_takes_too_long_is_left_and_stops_working(server: Llama) -> None:
    mind = mind_on(target(server.base_url, tokens=2000, seconds=0.1), retries=0, budget_seconds=0.1)
    decision = await mind.route(ask(QUESTION))
    assert decision.understanding == "fallback"
    await mind.close()
    await asyncio.to_thread(wait_until, lambda: not server.busy())


async def test_a_turn_is_cancelled_while_the_model_works(server: Llama, database: Database) -> None:
    mind = mind_on(target(server.base_url), retries=0, budget_seconds=HANG_SECONDS, idle_seconds=HANG_SECONDS)
    async with turn_server(database, mind) as house:
        turn = await house.submit(QUESTION)
        await asyncio.to_thread(wait_until, server.busy, "the model to be asked")
        with server.held():
            done = await house.wait(await house.cancel(turn))
        assert (done.state, await house.changes(turn)) == ("cancelled", [])
        assert reply_of(done)
    await asyncio.to_thread(wait_until, lambda: not server.busy())  # a whole answer it ends, though nobody waits for it
