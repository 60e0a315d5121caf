"""A turn on the real graph and a real database: every message is answered once, in order, by what was committed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from agents.contract import Pending, Proposal, Question, RouterDecision
from agents.ports import Ask
from app.database.database import Database
from app.errors import Conflict
from app.http.accounts.store.users import Users
from app.principal import Principal, acting_as
from app.records.model.events import Event
from app.turns.model.turns import Turn
from app.turns.store.threads import Threads
from app.voice.model import NewMemo
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import ScriptedUnderstanding
from tests.support.servers.turn_server import TurnServer, new_turn, reply_of, turn_server
from tests.support.waiting import HANG_SECONDS, until_true

BOOK = Proposal(op="create", kind="event", fields={"title": "dentist", "start": "2026-11-20T15:00:00+00:00"})
KEEP = Proposal(op="create", kind="note", fields={"content": "blue pot"})


async def _events(server: TurnServer, turn: Turn) -> list[Event]:
    followed = server.events.follow(server.user, turn_id=turn.id)
    return [event async for event in followed if event]


async def test_a_message_with_three_requests_is_done_and_told(server: TurnServer) -> None:
    turn = await server.say("mixed")
    assert (turn.state, turn.attempt) == ("done", 1)
    changes = await server.changes(turn)
    assert {(change.kind, change.status) for change in changes} == {(k, "applied") for k in ("todo", "event", "note")}
    assert reply_of(turn) == (
        "Added “call mom” to your tasks. Booked “dentist” for Friday 20 November, 15:00-16:00. "
        "Kept as a note: “blue pot”."
    )
    assert turn.result is not None
    assert turn.result.disposition == "dispatch"
    assert set(turn.usage["ms"]) == {"route", "agents", "reply", "total"}


async def test_the_events_tell_the_turn_in_order(server: TurnServer) -> None:
    turn = await server.say("mixed")
    events = await _events(server, turn)
    kinds = [event.type for event in events]
    assert kinds[:2] == ["turn.accepted", "route.decided"]
    assert kinds[-3:] == ["reply.completed", "usage", "turn.done"]
    assert kinds.count("change.applied") == kinds.count("agent.started") == kinds.count("agent.finished") == 3
    assert "".join(event.data["text"] for event in events if event.type == "reply.delta") == reply_of(turn)
    told = [event.data["id"] for event in events if event.type == "change.applied"]
    assert sorted(told) == sorted(change.id for change in await server.changes(turn))


async def test_twenty_messages_at_once_are_answered_in_order(server: TurnServer) -> None:
    accepted = await asyncio.gather(*[server.submit(f"task {number}") for number in range(20)])
    turns = await asyncio.gather(*[server.wait(turn) for turn in accepted])
    assert {turn.state for turn in turns} == {"done"}
    for turn in turns:
        assert reply_of(turn) == f"Added “{turn.text}” to your tasks."
    finished = [turn.finished_at or datetime.max.replace(tzinfo=UTC) for turn in sorted(turns, key=lambda t: t.seq)]
    assert finished == sorted(finished)
    assert len(await server.tasks()) == 20


async def test_history_and_changes_reach_the_next_turn(server: TurnServer, mind: ScriptedUnderstanding) -> None:
    await server.say("buy milk")
    await server.say("what did I say")
    ask = mind.asks[-1]
    assert [(e.said, e.replied) for e in ask.recent] == [("buy milk", "Added “buy milk” to your tasks.")]
    assert [change.title for change in ask.recent_changes] == ["buy milk"]
    assert [todo.task for todo in ask.records.todos] == ["buy milk"]


async def test_a_question_waits_and_its_answer_ends_the_waiting(
    server: TurnServer, mind: ScriptedUnderstanding
) -> None:
    pending = Pending(missing="when", text="dentist", at=datetime.now(UTC))
    mind.script["dentist"] = RouterDecision(
        disposition="clarify", questions=[Question(text="When is it?", pending=pending)]
    )
    mind.script["at five"] = RouterDecision(disposition="reply", acknowledgement="Fine.")
    asked = await server.say("dentist")
    assert (asked.state, reply_of(asked)) == ("waiting", "When is it?")
    await server.say("at five")
    assert mind.asks[-1].pending == pending.model_copy(update={"asked": "When is it?", "id": str(asked.id)})
    assert (await server.wait(asked)).state == "done"
    await server.say("thanks")
    assert mind.asks[-1].pending is None


async def test_undoing_a_turn_and_undoing_it_again(server: TurnServer) -> None:
    turn = await server.say("mixed")
    with acting_as(Principal(server.user)):
        undone = await server.turns.undo(server.user, turn.id, uuid4())
        assert [c.undo_of for c in undone] == [c.id for c in reversed(await server.changes(turn))]
        assert {change.status for change in undone} == {"applied"}
        with pytest.raises(Conflict):
            await server.turns.undo(server.user, turn.id, uuid4())
    assert await server.tasks() == []


async def _clip(server: TurnServer, memo: UUID) -> Turn:
    clip = NewMemo(memo, "wav", 4, b"sum", NOW, LISBON)
    with acting_as(Principal(server.user)):
        return (await server.turns.submit(new_turn(server.user, None, memo=clip))).turn


async def test_uncertain_words_are_read_back_and_never_acted_on(
    server: TurnServer, mind: ScriptedUnderstanding
) -> None:
    memo = uuid4()
    turn = await _clip(server, memo)
    await server.inbox.deliver_transcript(server.user, memo, "call mom", unsure=True)
    server.turns.kick(server.user, turn.thread_id)
    answered = await server.wait(turn)
    assert answered.state == "waiting"
    assert "Did I hear that right: “call mom”?" in reply_of(answered)
    assert (await server.changes(turn), mind.asks) == ([], [])


async def test_a_reply_that_is_settled_needs_no_understanding(server: TurnServer, mind: ScriptedUnderstanding) -> None:
    memo = uuid4()
    turn = await _clip(server, memo)
    behind = await server.submit("after the clip")
    assert behind.state == "queued"
    await server.inbox.deliver_transcript(server.user, memo, "", reply="I heard nothing.")
    server.turns.kick(server.user, turn.thread_id)
    assert reply_of(await server.wait(turn)) == "I heard nothing."
    assert (await server.wait(behind)).state == "done"
    assert [ask.text for ask in mind.asks] == ["after the clip"]


async def test_a_message_is_understood_by_the_conventions_in_force(
    server: TurnServer, mind: ScriptedUnderstanding
) -> None:
    await server.say("before")
    users = Users(server.database)
    await users.update_settings(server.user, {"conventions": {"evening": "18:30"}})
    waiting = await server.submit("first of two")
    await server.say("after")
    await server.wait(waiting)
    assert [ask.conventions.evening for ask in mind.asks] == ["19:00", "18:30", "18:30"]


class GatedUnderstanding(ScriptedUnderstanding):
    """Thinks about what begins with "slow" until it is let go on."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def route(self, ask: Ask) -> RouterDecision:
        decision = await super().route(ask)
        if ask.text.startswith("slow"):
            await self.gate.wait()
        return decision


async def test_a_user_with_many_threads_holds_up_no_other_one(database: Database) -> None:
    mind = GatedUnderstanding()
    async with turn_server(database, mind, at_once_per_user=2) as server:
        known = Threads(database)
        threads = [(await known.create(server.user, str(number))).id for number in range(5)]
        slow = [await server.submit(f"slow {number}", thread_id=thread) for number, thread in enumerate(threads)]
        await until_true(lambda: len(mind.asks) == 2)
        other = (await Users(database).create("Ben")).id
        with acting_as(Principal(other)):
            accepted = await server.turns.submit(new_turn(other, "milk"))
            quick = await server.turns.wait(other, accepted.turn.id, HANG_SECONDS)
        assert quick.state == "done"
        assert sorted(ask.text for ask in mind.asks if ask.text.startswith("slow")) == ["slow 0", "slow 1"]
        mind.gate.set()
        assert {(await server.wait(turn)).state for turn in slow} == {"done"}
