"""Undo in words, through the whole system: beyond the last turns, in other threads, and of turns cut short."""

from __future__ import annotations

from uuid import UUID, uuid4

from agents.understanding import BuiltIn
from app.database.database import Database
from app.principal import Principal, acting_as
from app.turns.store.threads import Threads
from tests.support.scripted import Fault
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server


async def thread(server: TurnServer) -> UUID:
    with acting_as(Principal(server.user)):
        return (await Threads(server.database).create(server.user, "", uuid4())).id


async def test_a_name_reaches_beyond_the_last_turns_and_into_other_threads(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        await server.say("add task call the dentist", thread_id=await thread(server))
        for number in range(7):
            await server.say(f"add task read chapter {number}0")
        assert "call the dentist" in reply_of(await server.say("undo the dentist thing"))
        assert "call the dentist" not in await server.tasks()
        await server.say("undo undoing the dentist")
        assert "call the dentist" in await server.tasks()


async def test_everything_of_today_asks_first_and_then_undoes_all(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        for number in range(8):
            await server.say(f"add task read chapter {number}0")
        asked = await server.say("undo everything from today")
        assert asked.state == "waiting"
        assert len(await server.tasks()) == 8
        done = await server.say("yes")
        assert (len(await server.changes(done)), await server.tasks()) == (8, [])
        await server.say("redo")
        assert len(await server.tasks()) == 8


async def test_that_means_what_a_cancelled_turn_had_done(database: Database) -> None:
    faulty: dict[str, Fault] = {}
    async with turn_server(database, BuiltIn(), faults=faulty) as server:
        await server.say("add task read chapter 10")
        faulty["update_events"] = "slow"
        turn = await server.submit("add task buy milk. lunch with Ana on friday at 1pm")
        await server.until_applied(turn, 1)
        await server.cancel(turn)
        faulty.clear()
        assert "Undo “buy milk”" in reply_of(await server.say("undo that"))
        await server.say("yes")
        assert await server.tasks() == ["read chapter 10"]
