"""Every row of one user: read as JSON, put into another account, or deleted. Tables are found in the catalog.

A table that is new is exported, imported and erased without a word here; what is not has its reason below.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from app.database.database import BECOME_USER, Connection
from app.http.accounts.model.portability import NotImportable
from app.http.accounts.model.users import main_thread
from app.http.accounts.store.users import MAIN_THREAD
from app.memory.store.memory import LOCK as MEMORY_LOCK

KEPT_AT_ERASURE = {
    "users": "the account itself; its settings are emptied",
    "api_keys": "keys of the account: delete them one by one",
    "sessions": "the sign-ins of those keys",
    "counters": "numbers by which clients know that something is new",
    "credit_accounts": "what the server's owner granted and what was spent, without words",
    "credit_entries": "the same",
    "credit_holds": "the same",
    "kill_switches": "whether runs are stopped",
    "run_grants": "what the administrator allowed",
    "audit_log": "who did what to the account and its keys, without words; it is never changed",
}
NOT_EXPORTED = {
    **KEPT_AT_ERASURE,
    "users": "name and settings are in the manifest",
    "counters": "in the manifest",
    "replays": "answers that are kept for a day, for requests that are sent again",
    "providers": "keys that only this server can read",
    "active_models": "choices among those providers",
    "webhooks": "signed with a secret that only this server can read",
    "webhook_deliveries": "the same",
    "calendar_feeds": "a secret address",
    "calendar_accounts": "a password that only this server can read",
    "synced_calendars": "the same; their events are exported with all others",
    "synced_items": "the same",
    "synced_events": "the same",
    "mail_accounts": "a password that only this server can read",
    "outgoing_mail": "it waits for a yes on this server; what went out is in the account",
    "uploads": "recordings that are still coming in",
    "heard_clips": "minutes that count against the limit of a day",
    "projects": "folders of this machine",
    "memory_documents": "made again from what is exported",
    "memory_units": "the same",
    "memory_vectors": "the same; the manifest names their models",
    "memory_terms": "the same",
    "memory_totals": "the same",
    "memory_queue": "the same",
    "memory_topic_units": "the same",
    "memory_topic_runs": "the same",
    "run_lesson_vectors": "made again from the lessons",
    "workflow_runs": "one that is under way goes on where it began; what it did is in the ledger",
    "workflow_steps": "the same",
}
TABLES = """
select c.relname as name, exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped) as owned
from pg_class c where c.relnamespace = 'summit'::regnamespace and c.relkind = 'r' and c.relrowsecurity order by 1
"""
PARENTS = """
select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
where contype = 'f' and connamespace = 'summit'::regnamespace and conrelid <> confrelid
"""
COLUMNS = """
select column_name as name, data_type as kind from information_schema.columns
where table_schema = 'summit' and table_name = %s and is_generated <> 'ALWAYS' order by ordinal_position
"""
MODELS = "select model, count(*) as vectors from memory_vectors where user_id = %s group by model order by model"
ACCOUNT = "select name, settings, change_cursor, event_seq from users join counters using (user_id) where user_id = %s"
RESTORE = """
update counters set
    change_cursor = greatest(change_cursor, %(change_cursor)s,
                             (select max(cursor) from changes where user_id = %(user_id)s)),
    event_seq = greatest(event_seq, %(event_seq)s, (select max(seq) from turn_events where user_id = %(user_id)s))
where user_id = %(user_id)s
"""
THREADS = """
update threads t set
    is_main = t.id = %(main)s,
    next_seq = greatest(
        t.next_seq, 1 + (select max(u.seq) from turns u where u.user_id = t.user_id and u.thread_id = t.id)),
    message_count = greatest(
        t.message_count, (select max(m.seq) from messages m where m.user_id = t.user_id and m.thread_id = t.id))
where t.user_id = %(user_id)s
"""
"""There is one main thread, and the next turn of each has a place that is free, whatever an archive says."""
FILES_DUE = "select files_due from counters where user_id = %s"
OWE = "update counters set files_due = %s where user_id = %s"
MEMOS = "select id::text as id from memos where user_id = %s"
SETTINGS = "update users set settings = %s where user_id = %s"
LOCK = "select 1 from counters where user_id = %s for update"
PATIENCE = "set local lock_timeout = '2s'"
"""A server that was killed is let go of by the database within a moment; one that is at work is not."""
UNFINISHED = {"memos": "t.state <> 'receiving'"}
"""What is in no archive, as it is not whole yet."""
UNDER_WAY = {"replays": "t.status is not null"}
"""A request that is being answered, as that to erase everything, has said nothing yet."""
CONTENT_TABLES = ("changes", "memos", "messages", "store")
"""An account with rows in one of these holds something."""
BATCH_ROWS = 500
DATA_ERROR_CLASSES = ("22", "23", "42", "54", "P0")
"""Classes of the database's errors that are about what was sent."""


class UserRows:
    """One transaction for one user, in which everything happens."""

    def __init__(self, conn: Connection, user_id: UUID) -> None:
        self._conn = conn
        self._user = user_id

    async def begin(self, *, to_write: bool) -> None:
        """Act as the user: either see one moment to the end, or be the only one who writes for them."""
        if not to_write:
            await self._conn.execute("set transaction isolation level repeatable read")
        await self._conn.execute(BECOME_USER, (str(self._user),))
        if to_write:
            await self._conn.execute(LOCK, (self._user,))
            await self._conn.execute(MEMORY_LOCK, {"user_id": self._user})

    async def begin_if_free(self) -> None:
        """Be the only one who writes for the user, soon; raises OperationalError where somebody else goes on."""
        await self._conn.execute(PATIENCE)
        await self.begin(to_write=True)

    async def tables(self) -> dict[str, bool]:
        """Every table with rows of users, parents first; whether it has a column ``user_id``."""
        found = {row["name"]: bool(row["owned"]) for row in await self._rows(TABLES)}
        parents: dict[str, set[str]] = {name: set() for name in found}
        for row in await self._rows(PARENTS):
            child, parent = (str(row[name]).rpartition(".")[2] for name in ("child", "parent"))
            if child in found and parent in found:
                parents[child].add(parent)
        ordered: dict[str, bool] = {}
        while len(ordered) < len(found):
            free = [name for name in found if name not in ordered and parents[name] <= ordered.keys()]
            ordered |= {name: found[name] for name in free}
        return ordered

    async def account(self) -> dict[str, Any]:
        """Name, settings and counters, and the models of the vectors."""
        [row] = await self._rows(ACCOUNT, self._user)
        models = {one["model"]: one["vectors"] for one in await self._rows(MODELS, self._user)}
        return {**row, "embedding_models": models}

    async def read(self, table: str, *, owned: bool) -> AsyncIterator[list[str]]:
        """The rows of a table as JSON, some at a time."""
        whole = sql.SQL(UNFINISHED.get(table, "true"))
        # A record's number is drawn anew where it is taken in.
        query = sql.SQL("select (to_jsonb(t) - 'stamp')::text as line from {} t where {} and {}").format(
            sql.Identifier(table), _mine(table, owned=owned), whole
        )
        async with self._conn.cursor(f"export_{table}") as cursor:
            await cursor.execute(query, {"user": str(self._user)})
            while rows := await cursor.fetchmany(BATCH_ROWS):
                yield [row["line"] for row in rows]

    async def count(self, table: str, *, owned: bool) -> int:
        """How many rows there are."""
        query = sql.SQL("select count(*) as count from {} t where {}").format(
            sql.Identifier(table), _mine(table, owned=owned)
        )
        [row] = await (await self._conn.execute(query, {"user": str(self._user)})).fetchall()
        return int(row["count"])

    async def write(self, table: str, batches: Path) -> int:
        """Put rows that were laid out into this account; raises NotImportable for what does not fit."""
        count, name = 0, sql.Identifier(table)
        with await asyncio.to_thread(batches.open) as file:
            while columns := await asyncio.to_thread(file.readline):
                names = sql.SQL(", ").join(map(sql.Identifier, json.loads(columns)))
                insert = sql.SQL(
                    "insert into {table} ({names}) overriding system value "
                    "select {names} from jsonb_populate_recordset(null::{table}, %s::jsonb)"
                ).format(table=name, names=names)
                rows = await asyncio.to_thread(file.readline)
                try:
                    count += (await self._conn.execute(insert, (rows,))).rowcount
                except psycopg.Error as error:
                    if (error.sqlstate or "")[:2] not in DATA_ERROR_CLASSES:
                        raise
                    words = str(error).splitlines()[0]
                    raise NotImportable(f"A row of {table} does not fit this version: {words}.") from error
        return count

    async def restore(self, account: Mapping[str, Any]) -> None:
        """Settings, and counters that are not below what the rows say."""
        counters = {name: account[name] for name in ("change_cursor", "event_seq")}
        await self._conn.execute(RESTORE, {**counters, "user_id": self._user})
        await self._conn.execute(SETTINGS, (Jsonb(account["settings"]), self._user))
        await self._conn.execute(THREADS, {"user_id": self._user, "main": main_thread(self._user)})
        await self._conn.execute(MAIN_THREAD, (self._user, main_thread(self._user)))

    async def columns(self, table: str) -> dict[str, str]:
        """The columns of a table that are not computed, and the kind of each."""
        return {row["name"]: row["kind"] for row in await self._rows(COLUMNS, table)}

    async def memos(self) -> list[str]:
        """The ids of all memos, which are the names of their recordings."""
        return [row["id"] for row in await self._rows(MEMOS, self._user)]

    async def files_due(self) -> dict[str, Any] | None:
        """What has still to happen to the user's files."""
        rows = await self._rows(FILES_DUE, self._user)
        found: dict[str, Any] | None = rows[0]["files_due"] if rows else None
        return found

    async def owe(self, due: Mapping[str, Any] | None) -> None:
        """Keep that with this transaction; None for nothing."""
        await self._conn.execute(OWE, (Jsonb(due) if due else None, self._user))

    async def make_room(self) -> None:
        """Every account is made with an empty thread, in whose place the other one's comes."""
        await self._conn.execute("delete from threads where user_id = %s", (self._user,))

    async def holds_something(self) -> bool:
        """Whether there is anything of the user's own."""
        return any([await self.count(table, owned=True) for table in CONTENT_TABLES])

    async def erase(self) -> dict[str, int]:
        """Delete what is not kept, children first; how many rows of each table."""
        tables = await self.tables()
        gone = {
            name: await self._delete(name, owned=owned)
            for name, owned in reversed(tables.items())
            if name not in KEPT_AT_ERASURE
        }
        await self._conn.execute(SETTINGS, (Jsonb({}), self._user))
        await self._conn.execute(MAIN_THREAD, (self._user, main_thread(self._user)))
        await self._conn.execute(
            "update counters set change_cursor = change_cursor + 1 where user_id = %s", (self._user,)
        )
        return {name: count for name, count in gone.items() if count}

    async def _delete(self, table: str, *, owned: bool) -> int:
        if table == "changes":
            [row] = await self._rows("select erase_changes() as count")
            return int(row["count"])
        query = sql.SQL("delete from {} t where {}").format(sql.Identifier(table), _mine(table, owned=owned))
        return (await self._conn.execute(query, {"user": str(self._user)})).rowcount

    async def _rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        return await (await self._conn.execute(query, values)).fetchall()


def _mine(table: str, *, owned: bool) -> sql.Composable:
    """LangGraph names threads `<user id>:<thread id>` and has no column for the user."""
    mine = sql.SQL("t.user_id = %(user)s::uuid" if owned else "starts_with(t.thread_id, %(user)s || ':')")
    return mine + sql.SQL(f" and {UNDER_WAY[table]}") if table in UNDER_WAY else mine
