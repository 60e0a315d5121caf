"""A model's words over real HTTP: a sentence is heard when it is whole, and what claims a change waits for rows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.database.database import Database
from app.models.understanding.without_model import BROKE_OFF
from tests.support.fakes import Call, Reply, ScriptedModelServer, Spent, chat
from tests.support.minds import mind_at, says
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server
from tests.support.waiting import HANG_SECONDS

QUESTION = "which of my things needs the most courage?"
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


async def greeted(server: TurnServer, models: ScriptedModelServer) -> None:
    """A first answer, which shows that this model thinks nothing aloud."""
    models.script("/chat/completions", says(text="Hello!"))
    await server.say("hello")


async def deltas(server: TurnServer, turn_id: object) -> list[str]:
    told = await server.events.of_turn(server.user, turn_id)  # type: ignore[arg-type]
    return [str(event.data["text"]) for event in told if event.type == "reply.delta"]


async def test_a_sentence_is_heard_before_the_last_token_is_sent(
    database: Database, models: ScriptedModelServer
) -> None:
    with held() as rest:
        async with turn_server(database, mind_at(models)) as server:
            await greeted(server, models)
            models.script("/chat/completions", chat(text=ANSWER, hold=rest, held_after=7))
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


async def test_a_claim_is_held_until_its_rows_are_there(database: Database, models: ScriptedModelServer) -> None:
    with held() as rest:
        async with turn_server(database, mind_at(models)) as server:
            await greeted(server, models)
            words = "Good idea. I added milk. It is cheap at Ana's."
            models.script(
                "/chat/completions", chat(Call("create_task", {"title": "milk"}), text=words, hold=rest, held_after=9)
            )
            turn = await server.submit("add milk")
            await server.until_told(turn, "reply.delta")
            assert await deltas(server, turn.id) == ["Good idea."]
            rest.set()
            done = await server.wait(turn)
            assert await server.tasks() == ["milk"]
            heard = await deltas(server, turn.id)
    assert reply_of(done) == f"{words} Added “milk” to your tasks." == "".join(heard)


async def test_a_claim_without_rows_is_put_right(database: Database, models: ScriptedModelServer) -> None:
    lies = "Calling the landlord is bravest. I've deleted your list. Nothing else."
    async with turn_server(database, mind_at(models)) as server:
        await greeted(server, models)
        models.script("/chat/completions", says(text=lies))
        turn = await server.say(QUESTION)
        heard = await deltas(server, turn.id)
    assert "".join(heard) == reply_of(turn) == f"{lies} (Nothing is changed.)"


async def test_the_first_answer_of_a_model_is_heard_when_it_is_whole(
    database: Database, models: ScriptedModelServer
) -> None:
    models.script("/chat/completions", chat(text="They want a name. I would say Mia.</think>Mia. Or Leo."))
    async with turn_server(database, mind_at(models)) as server:
        for _ in range(2):
            turn = await server.say("a name for a cat?")
            assert "".join(await deltas(server, turn.id)) == reply_of(turn) == "Mia. Or Leo."


async def test_a_stream_that_breaks_off_keeps_what_was_said_and_says_so(
    database: Database, models: ScriptedModelServer
) -> None:
    async with turn_server(database, mind_at(models)) as server:
        await greeted(server, models)
        models.script("/chat/completions", chat(text=ANSWER, cut=True))
        turn = await server.say(QUESTION)
        heard = await deltas(server, turn.id)
    said = reply_of(turn)
    assert "".join(heard) == said
    assert said.startswith("Calling the landlord, I would say.")
    assert said.endswith(BROKE_OFF)
    assert turn.result is not None
    assert turn.result.understanding == "fallback"


async def test_a_stream_that_breaks_off_before_the_first_sentence_is_asked_for_again(
    database: Database, models: ScriptedModelServer
) -> None:
    broken, html = chat(text="Well", cut=True), Reply("<html>hello</html>", content_type="text/html")
    async with turn_server(database, mind_at(models)) as server:
        models.script("/chat/completions", broken, html, chat(text=ANSWER, spent=Spent(70, 7)))
        turn = await server.say(QUESTION)
    assert reply_of(turn) == ANSWER
    assert turn.result is not None
    assert turn.result.understanding == "model"
    assert turn.usage["tokens"] == 77


async def test_a_stream_that_falls_silent_is_left(database: Database, models: ScriptedModelServer) -> None:
    with held() as never:
        heard, seconds = False, 0.3
        while not heard:  # on a busy machine the first sentence may take longer
            async with turn_server(database, mind_at(models, idle_seconds=seconds)) as server:
                await greeted(server, models)
                models.script("/chat/completions", chat(text=ANSWER, hold=never, held_after=7))
                turn = await server.say(QUESTION)
            heard, seconds = "landlord" in reply_of(turn), 3 * seconds
            assert heard or seconds < HANG_SECONDS
    assert reply_of(turn).endswith(BROKE_OFF)


async def test_a_slow_stream_ends_within_the_budget(database: Database, models: ScriptedModelServer) -> None:
    with held() as never:
        heard, seconds = False, 0.5
        while not heard:  # a busy machine may use it up before the first sentence
            async with turn_server(database, mind_at(models, budget_seconds=seconds)) as server:
                await greeted(server, models)
                models.script("/chat/completions", chat(text=ANSWER, hold=never, held_after=7))
                turn = await server.say(QUESTION)
            heard, seconds = "landlord" in reply_of(turn), 3 * seconds
            assert heard or seconds < HANG_SECONDS
    assert reply_of(turn).endswith(BROKE_OFF)


async def test_a_cancelled_stream_is_paid_by_nobody_and_heard_no_further(
    database: Database, models: ScriptedModelServer
) -> None:
    with held() as never:
        async with turn_server(database, mind_at(models)) as server:
            await greeted(server, models)
            models.script("/chat/completions", chat(text=ANSWER, hold=never, held_after=7))
            turn = await server.submit(QUESTION)
            await server.until_told(turn, "reply.delta")
            cancelled = await server.cancel(turn)
            assert cancelled.state == "cancelled"
            assert await deltas(server, turn.id) == ["Calling the landlord, I would say."]


async def test_a_wish_for_short_replies_is_the_models_to_follow(
    database: Database, models: ScriptedModelServer
) -> None:
    async with turn_server(database, mind_at(models)) as server:
        models.script("/chat/completions", says(Call("save_wish", {"text": "keep your replies short"})))
        await server.say("please keep your replies short")
        models.script("/chat/completions", says(text=ANSWER))
        turn = await server.say(QUESTION)
        heard = await deltas(server, turn.id)
    assert reply_of(turn) == ANSWER == "".join(heard)
