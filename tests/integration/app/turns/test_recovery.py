"""Agents, graphs, servers and connections fail; every turn is still answered once, and truly."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from agents.contract import Assignment, Outcome, Pending, Proposal, Proposed, Question, RouterDecision
from agents.ports import Ask
from app.database.database import Database
from app.database.saver import TenantSaver
from app.database.signals import Signals
from app.database.store import TenantStore
from app.principal import Fence, Principal, StaleLease, acting_as
from app.turns.graph_input import config_of
from app.turns.model.turns import Turn
from graph.builder import build_graph
from graph.routing import SYNTHESIZER
from graph.state import serializer
from tests.integration.app.conftest import KEEP
from tests.support.ledgers import NOW, Desk
from tests.support.scripted import Fault, ScriptedUnderstanding, add, decide
from tests.support.servers.turn_server import TurnServer, inbox_at, new_turn, reply_of, turn_server
from tests.support.waiting import HANG_SECONDS

WRITERS = ("update_todos", "update_events", "update_notes")


async def test_a_turn_of_a_dead_server_is_finished_by_the_sweep(database: Database, server: TurnServer) -> None:
    other = inbox_at(database, Signals(database))
    dead = (await other.accept(new_turn(server.user, "call mom"))).turn
    assert dead.state == "running"
    await server.lapse(dead)
    turn = await server.wait(dead)
    assert (turn.state, turn.attempt, reply_of(turn)) == ("done", 2, "Added “call mom” to your tasks.")
    with pytest.raises(StaleLease):
        await other.finish(dead, "done", Outcome(disposition="reply", reply="late"), {})


async def test_what_a_dead_server_committed_is_told_and_not_done_twice(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    """The second try sees the records as they were, decides the same, and finds its change in the ledger."""
    mind.script["add it unless it is there"] = lambda ask: (
        RouterDecision(disposition="reply", acknowledgement="It is there already.")
        if ask.records.todos
        else decide(add("milk"))
    )
    async with turn_server(database, mind, sweep_seconds=60) as first:
        other = inbox_at(database, Signals(database))
        dead = (await other.accept(new_turn(first.user, "add it unless it is there"))).turn
        await _applied_by(first, dead, add("milk"))
    async with turn_server(database, mind, user=first.user) as second:
        await second.lapse(dead)
        turn = await second.wait(dead)
        assert reply_of(turn) == "Added “milk” to your tasks."
        assert await second.tasks() == ["milk"]


async def test_a_change_is_told_even_if_the_second_try_decides_otherwise(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    async with turn_server(database, mind, sweep_seconds=60) as first:
        other = inbox_at(database, Signals(database))
        dead = (await other.accept(new_turn(first.user, "something"))).turn
        await _applied_by(first, dead, add("milk"))
    mind.script["something"] = RouterDecision(disposition="reply", acknowledgement="Hello.")
    async with turn_server(database, mind, user=first.user) as second:
        await second.lapse(dead)
        assert reply_of(await second.wait(dead)) == "Hello. Added “milk” to your tasks."


async def _applied_by(server: TurnServer, turn: Turn, *proposals: Proposal) -> None:
    desk = Desk(server.ledger, TenantStore(server.database), server.user, Fence(turn.id, turn.generation))
    changes = await desk.apply(*proposals, turn=turn.id)
    assert {change.status for change in changes} == {"applied"}


async def test_a_turn_that_died_before_its_finish_is_not_asked_again(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    """Its checkpoint has the outcome, and the question it asked must not be taken for an answer to itself."""
    async with turn_server(database, mind) as first:
        turn = await first.say("call mom")
        await _unfinish(first, turn)
        asked = len(mind.asks)
        again = await first.wait(turn)
    assert (again.state, again.attempt, reply_of(again)) == ("done", 2, reply_of(turn))
    assert len(mind.asks) == asked


async def test_an_outcome_that_does_not_cover_every_agent_is_not_taken_for_the_turns(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    """Nothing writes one any more; a database that an earlier version wrote may hold one."""
    async with turn_server(database, mind) as first:
        turn = await first.say("mixed")
        passed_over = Outcome(disposition="dispatch", targets=list(WRITERS), reply="Added “call mom” to your tasks.")
        saver, store = TenantSaver(database, serde=serializer()), TenantStore(database)
        graph = build_graph(mind, first.ledger, store=store, checkpointer=saver)
        with acting_as(Principal(first.user)):
            await graph.aupdate_state(config_of(turn), {"outcome": passed_over}, as_node=SYNTHESIZER)
        await _unfinish(first, turn)
        again = await first.wait(turn)
        assert (again.state, again.attempt, reply_of(again)) == ("done", 2, MIXED_REPLY)
        assert len(await first.changes(turn)) == len(WRITERS)


async def _unfinish(server: TurnServer, turn: Turn) -> None:
    """As if its server had died after the checkpoint and before the finish."""
    async with server.database.tenant(server.user) as conn:
        await conn.execute(
            "update turns set state = 'running', result = null, finished_at = null, lease_until = now() "
            "where user_id = %s and id = %s",
            (server.user, turn.id),
        )


async def test_one_agents_failed_write_is_told_and_the_others_stand(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    async with turn_server(database, mind, faults={"update_events": "before"}) as s:
        turn = await s.say("mixed")
        assert turn.state == "done"
        assert {change.kind for change in await s.changes(turn)} == {"todo", "note"}
        assert reply_of(turn) == (
            "Added “call mom” to your tasks. Kept as a note: “blue pot”. I could not deal with your calendar: "
            "something went wrong on my side. Nothing was changed there; please try again."
        )


async def test_the_failure_of_a_turns_only_agent_is_told_at_the_first_try(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    async with turn_server(database, mind, faults={"update_todos": "before"}) as s:
        turn = await s.say("call mom")
        assert (turn.state, turn.attempt, await s.changes(turn)) == ("done", 1, [])
        assert reply_of(turn).startswith("I could not deal with your tasks")


async def test_a_slow_agent_is_cut_and_told_by_what_the_ledger_shows(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    async with turn_server(database, mind, faults={"update_events": "slow"}) as server:
        server.limit(0.2, "update_events")
        turn = await server.say("mixed")
        assert {change.kind for change in await server.changes(turn)} == {"todo", "note"}
        assert "Booked “dentist”" not in reply_of(turn)
        assert "it took too long" in reply_of(turn)


async def test_what_a_slow_agent_had_committed_when_it_was_cut_is_told(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    """A busy machine may cut it before its commit, which is told as well; then it gets more time."""
    async with turn_server(database, mind, faults={"update_events": "slow after"}) as server:
        kinds: set[str] = set()
        seconds = 0.2
        while "event" not in kinds:
            server.limit(seconds, "update_events")
            turn = await server.say("mixed")
            kinds = {change.kind for change in await server.changes(turn)}
            assert {"todo", "note"} <= kinds
            assert ("Booked “dentist”" in reply_of(turn)) == ("event" in kinds)
            assert ("it took too long" in reply_of(turn)) == ("event" not in kinds)
            seconds *= 3
            assert seconds < HANG_SECONDS


MIXED_REPLY = (
    "Added “call mom” to your tasks. Booked “dentist” for Friday 20 November, 15:00-16:00. Kept as a note: “blue pot”."
)


@pytest.mark.parametrize("fault", ["cut before", "cut after"])
@pytest.mark.parametrize(
    "agents",
    [["update_todos"], ["update_events"], ["update_notes"], ["update_todos", "update_notes"], list(WRITERS)],
    ids=" ".join,
)
async def test_a_connection_cut_under_an_agent_loses_no_part_of_the_turn(
    database: Database, mind: ScriptedUnderstanding, agents: list[str], fault: Fault
) -> None:
    async with turn_server(database, mind, faults=dict.fromkeys(agents, fault)) as server:
        turn = await server.say("mixed")
        assert (turn.state, turn.generation, reply_of(turn)) == ("done", 2, MIXED_REPLY)
        assert turn.attempt == 1, "a database out of reach is no attempt of the turn"
        assert sorted(change.kind for change in await server.changes(turn)) == ["event", "note", "todo"]


async def test_a_graph_that_fails_once_is_tried_again(server: TurnServer, mind: ScriptedUnderstanding) -> None:
    mind.script["flaky"] = lambda ask: _raise() if len(mind.asks) == 1 else decide(add("milk"))
    turn = await server.say("flaky")
    assert (turn.state, turn.attempt, reply_of(turn)) == ("done", 2, "Added “milk” to your tasks.")


async def test_a_graph_that_always_fails_ends_as_failed_and_tells_what_was_done(
    server: TurnServer, mind: ScriptedUnderstanding
) -> None:
    mind.script["broken"] = lambda ask: _raise()
    turn = await server.say("broken")
    assert (turn.state, turn.attempt) == ("failed", 3)
    assert "Nothing was changed." in reply_of(turn)
    assert (await server.say("next")).state == "done"


async def test_a_turn_that_kills_its_servers_is_given_up(database: Database, server: TurnServer) -> None:
    other = inbox_at(database, Signals(database))
    poison = (await other.accept(new_turn(server.user, "poison"))).turn
    async with database.tenant(server.user) as conn:
        await conn.execute("update turns set attempt = 3 where user_id = %s and id = %s", (server.user, poison.id))
    await server.lapse(poison)
    turn = await server.wait(poison)
    assert turn.state == "failed"
    assert "Nothing was changed." in reply_of(turn)
    assert await server.tasks() == []


def _raise() -> RouterDecision:
    raise RuntimeError("scripted")


async def test_waiting_for_a_failing_turn_does_not_spin(server: TurnServer, mind: ScriptedUnderstanding) -> None:
    mind.script["broken"] = lambda ask: _raise()
    turn = await server.submit("broken")
    await server.wait(turn)
    assert server.inbox.looks < 100  # it looks once a second while nothing is told


async def test_a_server_that_stops_hands_its_turns_back(database: Database, mind: ScriptedUnderstanding) -> None:
    async with turn_server(database, mind, faults={"update_todos": "slow"}, grace_seconds=0.1) as first:
        running, queued = await first.submit("one"), await first.submit("two")
        await first.until_told(running, "agent.started")
    async with database.tenant(first.user) as conn:
        rows = await (await conn.execute("select state, lease_until from turns order by seq")).fetchall()
    assert [(row["state"], row["lease_until"]) for row in rows] == [("queued", None), ("queued", None)]
    async with turn_server(database, mind, user=first.user) as second:
        assert [(await second.wait(turn)).state for turn in (running, queued)] == ["done", "done"]
        assert await second.tasks() == ["one", "two"]


async def test_a_turn_that_loses_its_lease_writes_nothing(database: Database, mind: ScriptedUnderstanding) -> None:
    faulty: dict[str, Fault] = {"update_events": "slow"}
    async with turn_server(database, mind, faults=faulty) as server:
        turn = await server.submit("mixed")
        await server.until_applied(turn, 2)
        faulty.clear()
        async with database.tenant(server.user) as conn:
            await conn.execute("update turns set lease_generation = 9, lease_until = now() + interval '0.1 s'")
        again = await server.wait(turn)
        assert (again.state, len(await server.changes(turn))) == ("done", 3)
        assert again.generation > 9


async def test_a_turn_that_fails_after_it_lost_its_lease_is_told_as_taken_over(
    database: Database, database_url: str, mind: ScriptedUnderstanding, caplog: pytest.LogCaptureFixture
) -> None:
    def lose(ask: Ask) -> RouterDecision:
        with psycopg.connect(database_url, autocommit=True) as conn:
            conn.execute("update summit.turns set lease_generation = 9, lease_until = now() + interval '0.1 s'")
        del mind.script["lost"]
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    mind.script["lost"] = lose
    async with turn_server(database, mind) as server:
        turn = await server.submit("lost")
        again = await server.wait(turn)
    assert (again.state, again.generation) == ("done", 10)
    assert f"turn {turn.id} was taken over by another server" in caplog.text


async def test_a_database_that_drops_every_connection_loses_no_turn(
    database: Database, database_url: str, server: TurnServer
) -> None:
    turns = [await server.submit(f"task {number}") for number in range(5)]
    for _ in range(3):
        with psycopg.connect(database_url, autocommit=True) as conn:
            conn.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()"
            )
        await asyncio.sleep(0.05)
    answered = [await _answered(server, turn) for turn in turns]
    tasks = await server.tasks()
    for turn in answered:
        # A write that was cut off is told as such; whatever is claimed is there, once.
        assert turn.state == "done"
        assert tasks.count(turn.text or "") == (1 if "Added" in reply_of(turn) else 0)
        assert "Added" in reply_of(turn) or "I could not deal with your tasks" in reply_of(turn)


async def _answered(server: TurnServer, turn: Turn) -> Turn:
    async with asyncio.timeout(HANG_SECONDS):
        while True:
            try:
                found = await server.wait(turn)
            except psycopg.OperationalError:
                continue
            if found.state not in ("queued", "running"):
                return found


@pytest.mark.parametrize("door", [False, True], ids=["said", "given to the question"])
@pytest.mark.parametrize("fault", ["cut before", "cut after"])
async def test_an_answer_whose_connection_was_cut_still_answers_its_question(
    database: Database, mind: ScriptedUnderstanding, fault: Fault, *, door: bool
) -> None:
    waiting = Pending(missing="which", text="which milk", at=NOW)
    mind.script["milk"] = RouterDecision(
        disposition="clarify", questions=[Question(text="Which milk?", pending=waiting)]
    )
    mind.script["oat"] = lambda ask: decide(
        add("oat milk" if ask.pending and ask.pending.text == "which milk" else "nothing asked")
    )
    async with turn_server(database, mind) as server:
        asked = await server.say("milk")
        assert asked.state == "waiting"
        server.faults["update_todos"] = fault
        answered = await server.say("oat", answers_turn_id=asked.id if door else None)
        assert (answered.state, answered.generation) == ("done", 2)
        assert reply_of(answered) == "Added “oat milk” to your tasks."


async def test_what_the_first_try_did_is_told_if_the_second_decides_nothing_for_that_agent(
    database: Database, mind: ScriptedUnderstanding
) -> None:
    """The second try gives the agent a share without proposals, as a model may."""
    first, second = decide(add("milk"), KEEP), decide(KEEP)
    unsure = Assignment(worker="update_todos", text="", proposed=Proposed(unclear=["something"]))
    mind.script["groceries"] = lambda _ask: (
        first if len(mind.asks) == 1 else second.model_copy(update={"targets": [unsure, *second.targets]})
    )
    async with turn_server(database, mind, faults={"update_notes": "cut before"}) as server:
        turn = await server.say("groceries")
        assert (turn.state, turn.generation) == ("done", 2)
        assert reply_of(turn) == (
            "Added “milk” to your tasks. Kept as a note: “blue pot”. "
            "I did not understand “something”; that part is left undone."
        )
