"""A thread of years: what was said at its beginning is known at turn 3,000, and its checkpoint does not grow."""

from __future__ import annotations

from uuid import UUID

from agents.understanding import BuiltIn
from app.database.database import Database
from app.database.saver import TenantSaver
from app.http.accounts.model.users import main_thread
from app.principal import Principal, acting_as
from app.turns.store.summaries import renew_summary
from app.turns.store.threads import Threads
from graph.state import serializer
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

YEARS = """
insert into turns (user_id, id, thread_id, seq, body_hash, text, captured_at, timezone, state, result, finished_at)
select %(user)s, gen_random_uuid(), %(thread)s, %(from)s + n, '', 'add task chore ' || n, now(), 'UTC', 'done',
       jsonb_build_object('disposition', 'reply', 'reply', 'ok'), now()
from generate_series(1, %(count)s) as n
"""
SAID = """
insert into messages (user_id, thread_id, seq, turn_id, role, content, token_count)
select user_id, thread_id, 1000000 + 2 * seq, id, 'user', text, 4 from turns where user_id = %(user)s and seq > %(from)s
"""
DONE = """
insert into changes (user_id, id, cursor, origin, turn_id, agent, seq, op, kind, record_id, title, fields, status,
                     reason, created_at)
select user_id, gen_random_uuid(), 1000000 + seq, id, id, 'update_todos', 0, 'create', 'todo', gen_random_uuid()::text,
       'chore ' || seq, '{}', 'applied', '', now()
from turns where user_id = %(user)s and seq > %(from)s
"""
COUNTED = "update threads set next_seq = %(count)s + %(from)s + 1, message_count = 6000 where user_id = %(user)s"


async def years_pass(database: Database, user: UUID, count: int) -> None:
    """So many turns, with their messages and ledger rows, as if they had been said."""
    values = {"user": user, "thread": main_thread(user), "count": count, "from": 10}
    async with database.tenant(user) as conn:
        for statement in (YEARS, SAID, DONE, COUNTED):
            await conn.execute(statement, values)


async def test_a_fact_from_turn_three_is_answered_at_turn_three_thousand(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        for words in ("hello", "add task buy milk", "my shoe size is 42"):
            await server.say(words)
        await server.say("remember that the spare key is under the blue pot")
        await years_pass(database, server.user, 3000)
        turn = await server.say("what's my shoe size?")
        assert turn.seq > 3000
        assert reply_of(turn) == "Your shoe size is 42."
        assert "under the blue pot" in reply_of(await server.say("where is the spare key?"))
        assert "buy milk" in reply_of(await server.say("undo the milk"))


async def test_between_the_window_and_the_next_summary_nothing_is_forgotten(database: Database) -> None:
    """The window ends before turn 27, the summary of the card is as old as turn 20."""
    async with turn_server(database, BuiltIn()) as server:
        for words in ("hello", "add task buy milk", "my shoe size is 42", "note: Ana is allergic to nuts"):
            await server.say(words)
        for number in range(22):
            await server.say(f"how many days until december {number % 20 + 1}?")
        assert reply_of(await server.say("what's my shoe size?")) == "Your shoe size is 42."
        assert "nuts" in reply_of(await server.say("what is Ana allergic to?"))
        assert "buy milk" in reply_of(await server.say("undo the milk"))


async def test_the_summary_on_the_card_is_the_digest(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        await server.say("add task buy milk and idea: a bench")
        assert await summary(server) == (
            "Since 18 November 2026: 2 changes (1 task added and 1 note added).\n"
            "Last: note “a bench” added 18 November 2026; task “buy milk” added 18 November 2026."
        )


async def test_the_state_of_a_thread_stays_flat(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        sizes = []
        for day in range(12):
            chapters = " and ".join(f"add task read chapter {10 * day + number + 100}" for number in range(8))
            await server.say(chapters)
            sizes.append(len(await summary(server)))
        assert len(await server.tasks()) == 96
        assert sizes[-1] < 1.2 * sizes[6]


async def summary(server: TurnServer) -> str:
    saver, thread = TenantSaver(server.database, serde=serializer()), main_thread(server.user)
    with acting_as(Principal(server.user)):
        await renew_summary(server.database, saver, f"{server.user}:{thread}")
        found = await Threads(server.database).get(server.user, thread)
    assert found is not None
    return found.summary
