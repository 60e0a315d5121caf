"""A server of models that is down is left alone for a while, then tried by one question."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import openai
import pytest
from httpx2 import Request, Response

from app.database.database import Database
from app.models.llm.breaker import MOST_KEPT, Breakers
from app.models.llm.choice import Unbilled
from app.models.llm.faults import FaultKind, ModelFailed, failure_of
from app.models.llm.limits import RetryBudget, Tokens
from app.models.llm.requests import ModelTarget
from app.models.metering import Meter
from tests.support.errands import ERRANDS
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.minds import message_of, mind_at, mind_on
from tests.support.servers.turn_server import reply_of, turn_server

ONE = ModelTarget("http://one.example:8001/v1", "m", "sk-one")
SAME_SERVER = ModelTarget("http://one.example:8001/v1", "m", "sk-two")
WITHOUT = ("understood without it.)", "I can still handle tasks, calendar and notes.)")
OTHER = ModelTarget("http://other.example/v1", "m", "sk-one")


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def ask(
    breakers: Breakers, kind: FaultKind | None = None, target: ModelTarget = ONE, retry_after: float | None = None
) -> None:
    with breakers.watching(target):
        if kind:
            raise ModelFailed(kind, retry_after)


def refusal(retry_after: str) -> openai.RateLimitError:
    response = Response(429, headers={"Retry-After": retry_after}, request=Request("POST", "http://one.example/v1"))
    return openai.RateLimitError("slow down", response=response, body=None)


def fail(breakers: Breakers, times: int, kind: FaultKind = "unreachable", retry_after: float | None = None) -> None:
    for _ in range(times):
        with pytest.raises(ModelFailed, match=kind):
            ask(breakers, kind, retry_after=retry_after)


@pytest.mark.parametrize("kind", ["unreachable", "timeout", "server error"])
def test_after_some_failures_in_a_row_a_server_rests_and_others_do_not(kind: FaultKind) -> None:
    clock = Clock()
    breakers = Breakers(3, 30.0, clock=clock)
    fail(breakers, 2, kind)
    ask(breakers)
    fail(breakers, 3, kind)
    for target in (ONE, SAME_SERVER):
        with pytest.raises(ModelFailed, match="resting"):
            ask(breakers, target=target)
    ask(breakers, target=OTHER)
    clock.now += 10
    assert breakers.resting() == {"one.example:8001": 20.0}


@pytest.mark.parametrize("kind", ["refused", "nonsense", "out of credits"])
def test_what_is_not_the_servers_fault_never_lets_it_rest(kind: FaultKind) -> None:
    breakers = Breakers(3, 30.0, clock=Clock())
    fail(breakers, 20, kind)
    ask(breakers)
    assert breakers.resting() == {}


@pytest.mark.parametrize(
    ("kind", "retry_after", "times", "seconds"),
    [
        ("denied", None, 1, 600.0),
        ("rate limited", 45.0, 1, 45.0),
        ("rate limited", 1e9, 1, 600.0),
        ("rate limited", None, 3, 30.0),
    ],
)
def test_a_key_that_is_refused_or_asks_too_often_rests_alone(
    kind: FaultKind, retry_after: float | None, times: int, seconds: float
) -> None:
    clock = Clock()
    breakers = Breakers(3, 30.0, 600.0, clock)
    fail(breakers, times, kind, retry_after)
    clock.now += seconds - 0.1
    with pytest.raises(ModelFailed, match="resting"):
        ask(breakers)
    ask(breakers, target=SAME_SERVER)
    assert breakers.resting() == {}
    clock.now += 0.2
    ask(breakers)
    ask(breakers)


def test_a_server_that_answers_at_all_is_not_down() -> None:
    breakers = Breakers(3, 30.0, clock=Clock())
    for kind in ("timeout", "timeout", "nonsense", "timeout", "timeout"):
        with pytest.raises(ModelFailed, match=kind):
            ask(breakers, kind)
    ask(breakers)


def test_after_the_rest_one_question_tries_and_its_success_ends_it() -> None:
    clock = Clock()
    breakers = Breakers(1, 30.0, clock=clock)
    fail(breakers, 1)
    clock.now += 30
    with breakers.watching(ONE), pytest.raises(ModelFailed, match="resting"):
        ask(breakers)
    ask(breakers)
    assert breakers.resting() == {}


def test_a_trial_that_fails_or_is_never_heard_of_means_another_rest() -> None:
    clock = Clock()
    breakers = Breakers(1, 30.0, clock=clock)
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
    return chat(Call("create_task", {"title": message_of(request)}))(request)


async def test_a_dead_model_costs_its_retries_a_few_times_only_and_comes_back(database: Database) -> None:
    clock = Clock()
    breakers = Breakers(2, 30.0, clock=clock)
    with ScriptedModelServer() as models:
        models.script("/chat/completions", Reply({}, status=503))
        async with turn_server(database, mind_at(models, breakers, retries=2)) as server:
            for number in range(6):
                turn = await server.say(ERRANDS[number])
                assert reply_of(turn).endswith("understood without it.)")
                assert len(await server.changes(turn)) == 1
            assert len(models.requests) == 2 * 3
            models.script("/chat/completions", fine)
            clock.now += 30
            turn = await server.say("buy bread")
    assert turn.result is not None
    assert turn.result.understanding == "model"


@pytest.mark.parametrize("status", [401, 402, 403, 404])
async def test_a_refused_key_is_told_once_and_not_tried_at_every_turn(database: Database, status: int) -> None:
    clock = Clock()
    breakers = Breakers(3, 30.0, 600.0, clock)
    with ScriptedModelServer() as models:
        models.script("/chat/completions", Reply({"error": {"message": "no"}}, status=status))
        async with turn_server(database, mind_at(models, breakers)) as server:
            told = [reply_of(await server.say(ERRANDS[number])) for number in range(4)]
            assert len(models.requests) == 1
            assert await server.tasks() == list(ERRANDS[:4])
            clock.now += 600
            models.script("/chat/completions", fine)
            turn = await server.say("buy bread")
    assert ["refuses its key" in reply for reply in told] == [True, False, False, False]
    assert all(reply.endswith(WITHOUT) for reply in told)
    assert turn.result is not None
    assert turn.result.understanding == "model"


async def test_another_key_is_asked_although_one_is_refused(database: Database) -> None:
    def by_key(request: RecordedRequest) -> Reply:
        refused = request.headers["authorization"] != "Bearer sk-good"
        return Reply({}, status=401) if refused else fine(request)

    breakers = Breakers(3, 30.0)
    with ScriptedModelServer() as models:
        models.script("/chat/completions", by_key)
        async with turn_server(database, mind_at(models, breakers)) as server:
            await server.say("buy milk")
        good = ModelTarget(models.base_url, "scripted", "sk-good")
        async with turn_server(database, mind_on(good, breakers)) as server:
            turn = await server.say("buy bread")
    assert turn.result is not None
    assert turn.result.understanding == "model"


async def test_nothing_is_asked_before_the_time_that_a_server_names(database: Database) -> None:
    clock = Clock()
    in_an_hour = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    with ScriptedModelServer() as models:
        for stated in ("100", in_an_hour):
            models.script("/chat/completions", Reply({}, status=429, headers={"Retry-After": stated}), fine)
            asked = len(models.requests)
            async with turn_server(database, mind_at(models, Breakers(3, 30.0, 600.0, clock))) as server:
                for _ in range(3):
                    await server.say("buy milk")
                    clock.now += 33
                assert len(models.requests) == asked + 1
                clock.now += 600
                turn = await server.say("buy bread")
            assert turn.result is not None
            assert turn.result.understanding == "model"


@pytest.mark.parametrize("stated", ["soon", "nan", "inf", "-5", ""])
async def test_a_retry_after_that_says_nothing_is_none(database: Database, stated: str) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", Reply({}, status=429, headers={"Retry-After": stated}), fine)
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.say("buy milk")
    assert turn.result is not None
    assert turn.result.understanding == "model"


@pytest.mark.parametrize("stated", [f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT", f"Mon, 01 Jan 2026 {'9' * 20}:00:00 GMT"])
def test_a_retry_after_at_no_moment_there_is_says_nothing(stated: str) -> None:
    assert failure_of(refusal(stated)).retry_after is None


def test_of_many_refused_keys_those_that_still_rest_are_remembered() -> None:
    clock = Clock()
    breakers = Breakers(3, 30.0, 600.0, clock)
    for number in range(3 * MOST_KEPT):
        with pytest.raises(ModelFailed, match="denied"):
            ask(breakers, "denied", target=replace(ONE, api_key=f"sk-{number}"))
        clock.now += 1
    assert len(breakers._circuits) <= MOST_KEPT
    with pytest.raises(ModelFailed, match="resting"):
        ask(breakers, target=replace(ONE, api_key=f"sk-{3 * MOST_KEPT - 1}"))


async def test_a_server_that_a_turn_has_no_time_to_ask_is_not_taken_for_slow() -> None:
    breakers, asked = Breakers(1, 30.0, clock=Clock()), list[str]()

    async def ask_it() -> AsyncGenerator[str, None]:
        asked.append("it")
        yield "it"

    for _ in range(3):
        patience = RetryBudget(Meter(deadline=float("-inf")), Unbilled(), 2, 0.01, seconds=60, budget_seconds=60)
        with pytest.raises(ModelFailed, match="too late"), breakers.watching(ONE):
            _ = [piece async for piece in patience.stream(ask_it(), Tokens(1, 1), lambda: Tokens(1, 1))]
    assert breakers.resting() == {}
    assert not asked
