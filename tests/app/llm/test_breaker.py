"""A server of models that is down is left alone for a while, then tried by one question."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import pytest

from app.llm.breaker import Breakers
from app.llm.faults import FaultKind, ModelFailed
from app.storage.database import Database
from tests.app.llm.minds import agent_of, message_of, mind_at, route
from tests.app.turn_server import reply_of, turn_server
from tests.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat

ONE, OTHER = "http://one.example:8001/v1", "http://other.example/v1"


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def ask(breakers: Breakers, kind: FaultKind | None = None, url: str = ONE) -> None:
    with breakers.watching(url):
        if kind:
            raise ModelFailed(kind)


def fail(breakers: Breakers, times: int, kind: FaultKind = "unreachable", url: str = ONE) -> None:
    for _ in range(times):
        with pytest.raises(ModelFailed, match=kind):
            ask(breakers, kind, url)


@pytest.mark.parametrize("kind", ["unreachable", "timeout", "server error"])
def test_after_some_failures_in_a_row_a_server_rests_and_others_do_not(kind: FaultKind) -> None:
    clock = Clock()
    breakers = Breakers(3, 30.0, clock)
    fail(breakers, 2, kind)
    ask(breakers)
    fail(breakers, 3, kind)
    with pytest.raises(ModelFailed, match="resting"):
        ask(breakers)
    ask(breakers, url=OTHER)
    clock.now += 10
    assert breakers.resting() == {"one.example:8001": 20.0}


@pytest.mark.parametrize("kind", ["refused", "nonsense", "rate limited", "out of credits"])
def test_what_is_not_the_servers_fault_never_lets_it_rest(kind: FaultKind) -> None:
    breakers = Breakers(3, 30.0, Clock())
    fail(breakers, 20, kind)
    ask(breakers)
    assert breakers.resting() == {}


def test_after_the_rest_one_question_tries_and_its_success_ends_it() -> None:
    clock = Clock()
    breakers = Breakers(1, 30.0, clock)
    fail(breakers, 1)
    clock.now += 30
    with breakers.watching(ONE), pytest.raises(ModelFailed, match="resting"):
        ask(breakers)
    ask(breakers)
    assert breakers.resting() == {}


def test_a_trial_that_fails_or_is_never_heard_of_means_another_rest() -> None:
    clock = Clock()
    breakers = Breakers(1, 30.0, clock)
    fail(breakers, 1)
    clock.now += 30
    fail(breakers, 1)
    assert breakers.resting() == {"one.example:8001": 30.0}
    clock.now += 30
    with suppress(KeyboardInterrupt), breakers.watching(ONE):
        raise KeyboardInterrupt
    with pytest.raises(ModelFailed, match="resting"):
        ask(breakers)
    clock.now += 30
    ask(breakers)


def fine(request: RecordedRequest) -> Reply:
    if agent_of(request) == "route":
        return chat(route("update_todos", words=message_of(request)))(request)
    return chat(Call("Task", {"task": message_of(request)}))(request)


async def test_a_dead_model_costs_its_retries_a_few_times_only_and_comes_back(database: Database) -> None:
    clock = Clock()
    breakers = Breakers(2, 30.0, clock)
    with ScriptedModelServer() as models:
        models.script("/chat/completions", Reply({}, status=503))
        async with turn_server(database, mind_at(models, breakers, retries=2)) as server:
            for number in range(6):
                turn = await server.say(f"buy milk {number}")
                assert "could not be used" in reply_of(turn)
                assert len(await server.changes(turn)) == 1
            assert len(models.requests) == 2 * 3
            models.script("/chat/completions", fine)
            clock.now += 30
            turn = await server.say("buy bread")
    assert turn.result is not None
    assert turn.result.understanding == "model"
