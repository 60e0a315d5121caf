"""Conversations and their full history."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb

from app.database.database import Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.errors import Conflict
from app.http.accounts.model.users import main_thread
from app.turns.model.threads import Message, Thread, ThreadStatus

COLUMNS = "id, title, summary, status, is_main, message_count, created_at, updated_at, metadata"
CREATE = f"""
insert into threads (user_id, id, title, metadata) values (%s, %s, %s, %s)
on conflict (user_id, id) do update set title = threads.title returning {COLUMNS}
"""  # noqa: S608
GET = f"select {COLUMNS} from threads where user_id = %s and id = %s"  # noqa: S608
LATEST_THREADS = f"""
select {COLUMNS} from threads where user_id = %(user_id)s
  and metadata @> %(metadata)s
  and (%(at)s::timestamptz is null or (updated_at, id) < (%(at)s::timestamptz, %(id)s::uuid))
order by updated_at desc, id desc limit %(limit)s
"""  # noqa: S608
CHANGE = f"""
update threads set title = coalesce(%(title)s, title), status = coalesce(%(status)s, status), updated_at = now()
where user_id = %(user_id)s and id = %(id)s returning {COLUMNS}
"""  # noqa: S608
ADD_METADATA = f"""
update threads set metadata = metadata || %s where user_id = %s and id = %s returning {COLUMNS}
"""  # noqa: S608
DELETE = "delete from threads where user_id = %s and id = %s and not is_main returning id"
COPY = f"""
insert into threads (user_id, id, title, summary, message_count, next_seq, metadata)
select user_id, %(copy)s, title, summary, message_count, next_seq, metadata from threads
where user_id = %(user_id)s and id = %(id)s
on conflict (user_id, id) do nothing returning {COLUMNS}
"""  # noqa: S608
COPY_MESSAGES = """
insert into messages (user_id, thread_id, seq, turn_id, role, content, token_count, model, created_at)
select user_id, %(copy)s, seq, turn_id, role, content, token_count, model, created_at from messages
where user_id = %(user_id)s and thread_id = %(id)s
"""
COPY_STATE = """
insert into {table} select (jsonb_populate_record(c, jsonb_build_object('thread_id', %(copy)s::text))).* from {table} c
where thread_id = %(id)s
"""
MESSAGES = """
select m.seq, m.turn_id, m.role, m.content, m.token_count, m.model, m.created_at, t.result->>'remarks' as remarks
from messages m left join turns t on m.role = 'assistant' and t.user_id = m.user_id and t.id = m.turn_id
where m.user_id = %s and m.thread_id = %s and m.seq > %s order by m.seq limit %s
"""
Renew = Callable[[str], Awaitable[None]]
CHECKPOINT_TABLES = ("checkpoint_writes", "checkpoint_blobs", "checkpoints")


class Threads:
    """Threads over Postgres; ``renew`` brings the summary of one (``<user>:<thread>``) up to its last turn."""

    def __init__(self, database: Database, renew: Renew | None = None) -> None:
        self._database = database
        self._renew = renew

    async def create(
        self, user_id: UUID, title: str, thread_id: UUID | None = None, metadata: dict[str, Any] | None = None
    ) -> Thread:
        """A new conversation; an existing ``thread_id`` is returned unchanged."""
        made = await self._one(user_id, CREATE, (user_id, thread_id or uuid4(), title, Jsonb(metadata or {})))
        if made is None:
            raise LookupError("the thread was not created")
        return made

    async def get(self, user_id: UUID, thread_id: UUID) -> Thread | None:
        """One conversation."""
        return await self._one(user_id, GET, (user_id, thread_id))

    async def card(self, user_id: UUID, thread_id: UUID) -> Thread | None:
        """One conversation with its summary as it is now; in a list it may be some turns old."""
        known = await self.get(user_id, thread_id)
        if known is None or self._renew is None or not known.message_count:
            return known
        await self._renew(f"{user_id}:{thread_id}")
        return await self.get(user_id, thread_id)

    async def list(self, user_id: UUID, limit: int, cursor: str | None, metadata: dict[str, Any] | None = None) -> Page:
        """Conversations, the latest first; with ``metadata`` those that have all of it."""
        at, last = decode_latest(cursor)
        wanted = Jsonb(metadata or {})
        values = {"user_id": user_id, "at": at, "id": last, "limit": limit + 1, "metadata": wanted}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LATEST_THREADS, values)).fetchall()
        return page([Thread(**row) for row in rows], limit, lambda thread: (thread.updated_at.isoformat(), thread.id))

    async def change(
        self, user_id: UUID, thread_id: UUID, *, title: str | None, status: ThreadStatus | None
    ) -> Thread | None:
        """Rename or archive; raises Conflict for archiving the main thread, where plain messages go."""
        if status == "archived" and thread_id == main_thread(user_id):
            raise Conflict("The main thread cannot be archived: messages without a thread_id go there.")
        values = {"user_id": user_id, "id": thread_id, "title": title, "status": status}
        return await self._one(user_id, CHANGE, values)

    async def add_metadata(self, user_id: UUID, thread_id: UUID, metadata: dict[str, Any]) -> Thread | None:
        """Keep further metadata with a conversation, in the place of what had the same names."""
        return await self._one(user_id, ADD_METADATA, (Jsonb(metadata), user_id, thread_id))

    async def copy(self, user_id: UUID, thread_id: UUID, copy_id: UUID) -> Thread | None:
        """The words and the state at their end; an existing ``copy_id`` is returned unchanged."""
        values = {"user_id": user_id, "id": thread_id, "copy": copy_id}
        async with self._database.tenant(user_id) as conn:
            made = await (await conn.execute(COPY, values)).fetchone()
            if made:
                await conn.execute(COPY_MESSAGES, values)
            for table in CHECKPOINT_TABLES if made else ():
                state = {"id": f"{user_id}:{thread_id}", "copy": f"{user_id}:{copy_id}"}
                await conn.execute(COPY_STATE.format(table=table), state)
        return Thread(**made) if made else await self.get(user_id, copy_id)

    async def delete(self, user_id: UUID, thread_id: UUID) -> bool:
        """Delete a conversation with its messages and checkpoints; its changes stay in the ledger."""
        async with self._database.tenant(user_id) as conn:
            gone = await (await conn.execute(DELETE, (user_id, thread_id))).fetchone() is not None
            for table in CHECKPOINT_TABLES if gone else ():
                await conn.execute(f"delete from {table} where thread_id = %s", (f"{user_id}:{thread_id}",))  # noqa: S608
        return gone

    async def messages(self, user_id: UUID, thread_id: UUID, after: int, limit: int) -> Sequence[Message]:
        """Messages with a larger seq, oldest first."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(MESSAGES, (user_id, thread_id, after, limit))).fetchall()
        return [Message(**row) for row in rows]

    async def _one(self, user_id: UUID, query: str, values: Any) -> Thread | None:
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(query, values)).fetchone()
        return Thread(**row) if row else None
