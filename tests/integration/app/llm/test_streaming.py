"""A model's own sentences over real HTTP: each is released as soon as it is whole, and none that claims a change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from agents.synthesizer import BROKE_OFF, FALLBACK
from app.storage.database import Database
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, Spent, chat
from tests.support.minds import agent_of, message_of, mind_at, route
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server
from tests.support.waiting import HANG_SECONDS

QUESTION = "which of my things needs the most courage?"
MIXED = "buy milk, and which of my things needs the most courage?"
ANSWER = "Calling the landlord, I would say. Dr. Lee at 3.30 comes next. That takes some courage, too."


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@contextmanager
def held() -> Iterator[threading.Event]:
    """An event that is set at the end, whatever the test does: the scripted server waits for it."""
    event = threading.Event()
    try:
        yield event
    finally:
        event.set()


def telling(*answers: Callable[[RecordedRequest], Reply]) -> Callable[[RecordedRequest], Reply]:
    """Routes to recall, and to the tasks where milk is wanted; questions are answered one after another."""
    left = list(answers)

    def answer(request: RecordedRequest) -> Reply:
        agent, message = agent_of(request), message_of(request)
        if agent == "route":
            calls = ("update_todos", "recall") if "milk" in message else ("recall",)
            return chat(route(*calls, words=message))(request)
        if agent == "update_todos":
            return chat(Call("Task", {"task": "buy milk"}))(request)
        return (left.pop(0) if len(left) > 1 else left[0])(request)

    return answer


async def deltas(server: TurnServer, turn_id: object) -> list[str]:
    told = await server.events.of_turn(server.user, turn_id)  # type: ignore[arg-type]
    return [str(event.data["text"]) for event in told if event.type == "reply.delta"]


async def test_a_sentence_is_heard_before_the_last_token_is_sent(
    database: Database, models: ScriptedModelServer
) -> None:
    with held() as rest:
        models.script("/chat/completions", telling(chat(text=ANSWER, hold=rest, held_after=7)))
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.submit(QUESTION)
            await server.until_told(turn, "reply.delta")
            assert await deltas(server, turn.id) == ["Calling the landlord, I would say."]
            assert not rest.is_set()
            rest.set()
            done = await server.wait(turn)
            heard = await deltas(server, turn.id)
    assert reply_of(done) == ANSWER == "".join(heard)
    assert len(heard) > 2
    asked = models.requests[-1].json
    assert (asked["stream"], asked["stream_options"]) == (True, {"include_usage": True})


async def test_what_was_committed_is_told_before_the_model_is_asked_for_more(
    database: Database, models: ScriptedModelServer
) -> None:
    with held() as all_of_it:
        models.script("/chat/completions", telling(chat(text=ANSWER, hold=all_of_it)))
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.submit(MIXED)
            await server.until_told(turn, "reply.delta")
            assert await deltas(server, turn.id) == ["Added “buy milk” to your tasks."]
            all_of_it.set()
            done = await server.wait(turn)
    assert reply_of(done) == f"Added “buy milk” to your tasks. {ANSWER}"


async def test_a_streamed_lie_is_never_heard(database: Database, models: ScriptedModelServer) -> None:
    lies = "I've deleted your list. Calling the landlord is bravest. All done! Nothing else"
    models.script("/chat/completions", telling(chat(text=lies)))
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say(QUESTION)
        heard = await deltas(server, turn.id)
    assert "".join(heard) == reply_of(turn) == "Calling the landlord is bravest. Nothing else"


async def test_nothing_but_lies_ends_as_nothing_understood(database: Database, models: ScriptedModelServer) -> None:
    models.script("/chat/completions", telling(chat(text="I've deleted your list. All done!")))
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say(QUESTION)
    assert "deleted" not in reply_of(turn)
    assert reply_of(turn).endswith(FALLBACK)
    assert turn.result is not None
    assert turn.result.understanding == "fallback"


async def test_a_stream_that_breaks_off_keeps_what_was_said_and_says_so(
    database: Database, models: ScriptedModelServer
) -> None:
    models.script("/chat/completions", telling(chat(text=ANSWER, cut=True)))
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say(MIXED)
        heard = await deltas(server, turn.id)
        rows = await server.changes(turn)
    said = reply_of(turn)
    assert "".join(heard) == said
    assert said.startswith("Added “buy milk” to your tasks. Calling the landlord, I would say.")
    assert said.endswith(BROKE_OFF)
    assert FALLBACK not in said
    assert len(rows) == 1
    assert turn.result is not None
    assert turn.result.understanding == "fallback"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (QUESTION, "(Nothing is changed.)"),
        (MIXED, "(Nothing else is changed.)"),
    ],
)
async def test_foreign_words_before_a_stream_breaks_off_are_put_right(
    database: Database, models: ScriptedModelServer, message: str, told: str
) -> None:
    claims = "Apaguei todas as tarefas de amanhã. Também apaguei a lista das compras, que era de ontem."
    models.script("/chat/completions", telling(chat(text=claims, cut=True)))
    async with turn_server(database, mind_at(models)) as server:
        said = reply_of(await server.say(message))
    assert said.endswith(f"Apaguei todas as tarefas de amanhã. {BROKE_OFF} {told}")


async def test_a_stream_that_breaks_off_before_the_first_sentence_is_asked_for_again(
    database: Database, models: ScriptedModelServer
) -> None:
    broken, html = chat(text="Well", cut=True), Reply("<html>hello</html>", content_type="text/html")
    models.script("/chat/completions", telling(broken, lambda _: html, chat(text=ANSWER, spent=Spent(70, 7))))
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say(QUESTION)
    assert reply_of(turn) == ANSWER
    assert turn.result is not None
    assert turn.result.understanding == "model"
    assert turn.usage["tokens"] == 120 + 77


async def test_a_slow_stream_ends_within_the_budget(database: Database, models: ScriptedModelServer) -> None:
    with held() as never:
        models.script("/chat/completions", telling(chat(text=ANSWER, hold=never, held_after=7)))
        heard, seconds = False, 0.3
        while not heard:  # a busy machine may use it up before the first sentence
            async with turn_server(database, mind_at(models, budget_seconds=seconds)) as server:
                turn = await server.say(QUESTION)
            heard, seconds = "landlord" in reply_of(turn), 3 * seconds
            assert heard or seconds < HANG_SECONDS
    assert reply_of(turn) == f"Calling the landlord, I would say. {BROKE_OFF}"


async def test_a_cancelled_stream_is_paid_by_nobody_and_heard_no_further(
    database: Database, models: ScriptedModelServer
) -> None:
    with held() as never:
        models.script("/chat/completions", telling(chat(text=ANSWER, hold=never, held_after=7)))
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.submit(QUESTION)
            await server.until_told(turn, "reply.delta")
            cancelled = await server.cancel(turn)
            assert cancelled.state == "cancelled"
            assert await deltas(server, turn.id) == ["Calling the landlord, I would say."]
