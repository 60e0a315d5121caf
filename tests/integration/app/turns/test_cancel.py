"""Stopping turns: cancelled ones tell what was done, and newer messages may take over."""

from __future__ import annotations

import pytest

from app.database.database import Database
from tests.support.scripted import Fault, ScriptedUnderstanding
from tests.support.servers.turn_server import reply_of, turn_server


async def test_cancelling_a_running_turn_keeps_and_tells_what_was_done(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    faulty: dict[str, Fault] = {"update_events": "slow"}
    async with turn_server(database, mind, faults=faulty) as server:
        turn = await server.submit("mixed")
        await server.until_applied(turn, 2)
        cancelled = await server.cancel(turn)
        assert cancelled.state == "cancelled"
        titles = ", ".join(f"“{change.title}”" for change in await server.changes(turn))
        assert reply_of(cancelled) == f"Cancelled. Already done, and it can be undone: {titles}."
        faulty.clear()
        assert (await server.say("next")).state == "done"


async def test_cancelling_a_queued_turn_lets_the_others_pass(database: Database, mind: ScriptedUnderstanding) -> None:
    faulty: dict[str, Fault] = {"update_todos": "slow"}
    async with turn_server(database, mind, faults=faulty) as server:
        running, queued, last = [await server.submit(text) for text in ("first", "second", "third")]
        await server.until_told(running, "agent.started")
        assert (await server.cancel(queued)).state == "cancelled"
        faulty.clear()
        await server.cancel(running)
        assert (await server.wait(last)).state == "done"
        assert await server.tasks() == ["third"]


async def test_a_cancel_told_to_another_server_stops_the_turn(database: Database, mind: ScriptedUnderstanding) -> None:
    faulty: dict[str, Fault] = {"update_todos": "slow"}
    async with (
        turn_server(database, mind, faults=faulty) as one,
        turn_server(database, mind, user=one.user) as other,
    ):
        turn = await one.submit("first")
        assert (await other.cancel(turn)).state == "cancelled"


@pytest.mark.parametrize(("strategy", "left"), [("interrupt", ["call mom", "instead"]), ("rollback", ["instead"])])
async def test_a_newer_message_takes_over(
    database: Database, mind: ScriptedUnderstanding, strategy: str, left: list[str]
) -> None:
    faulty: dict[str, Fault] = {"update_events": "slow", "update_notes": "slow"}
    async with turn_server(database, mind, faults=faulty) as server:
        turn = await server.submit("mixed")
        await server.until_applied(turn, 1)
        newer = await server.say("instead", strategy=strategy, idempotency_key="k", body_hash=b"b")
        assert newer.state == "done"
        assert (await server.wait(turn)).state == "cancelled"
        assert await server.tasks() == left


async def test_sending_an_interrupting_message_again_does_not_interrupt_itself(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    faulty: dict[str, Fault] = {"update_todos": "slow"}
    async with turn_server(database, mind, faults=faulty, agent_timeout=0.3) as server:
        values = {"strategy": "interrupt", "idempotency_key": "k", "body_hash": b"b"}
        first = await server.submit("once", **values)
        assert (await server.submit("once", **values)).id == first.id
        assert (await server.wait(first)).state == "done"
