"""What memory is made of, read where it is kept: memos, notes, messages, facts, and the queue of what has changed.

The trigger ``memory_changed`` (``app/database/migrations/08_memory.sql``) queues what is written or deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID
from zoneinfo import ZoneInfo

from agents.records import Note, Profile, ProfileFields
from agents.time import clock_for
from agents.user_words.passed_on import own_in_place
from agents.user_words.request_words import STATING
from app.database.database import Connection, Database
from app.memory.hearing import passages_of
from app.memory.model.memory import Document, Passage, Waiting
from app.memory.speakers import spoken_passages
from app.memory.statements import LEAST_CHANCE, unstated_spans
from app.memory.units import sentences_in

# What a recording is for is known once its turn is over; the question that it asks would find it until then.
WAITING = """
select source, document, queued_at from memory_queue q where user_id = %(user_id)s and not (source = 'memo' and exists (
    select from turns t
    where t.user_id = q.user_id and t.memo_id::text = q.document and t.state in ('queued', 'running')))
order by queued_at {order} limit %(limit)s
"""
DONE = """
delete from memory_queue q using unnest(%(sources)s::text[], %(ids)s::text[], %(moments)s::timestamptz[])
    as done (source, document, queued_at)
where q.user_id = %(user_id)s and q.source = done.source and q.document = done.document and q.queued_at = done.queued_at
"""
# What a recording is for is said by the last turn of its words: the first one may only ask whether they are right.
MEMOS = """
select to_jsonb(m) ->> 'deleted_at' as deleted, id::text, title, transcript, segments, captured_at, timezone,
       (select t.result from turns t
        where t.user_id = m.user_id and (t.memo_id = m.id or t.id = m.turn_id) and t.result is not null
        order by t.created_at desc limit 1) as result
from memos m where user_id = %(user_id)s and id::text = any (%(ids)s)
"""
# A clip's words are in its memo. A copied thread says nothing anew, nor does a workflow in its user's name.
MESSAGES = """
select distinct on (m.turn_id) m.turn_id::text as id, m.content, t.captured_at, t.timezone, t.result
from messages m
join turns t on t.user_id = m.user_id and t.id = m.turn_id
where m.user_id = %(user_id)s and m.turn_id = any (%(ids)s::uuid[]) and m.role = 'user' and t.memo_id is null
  and not coalesce(t.idempotency_key like 'workflow:%%', false)
"""
RECORDS = """
select key as id, value, created_at, updated_at from store
where user_id = %(user_id)s and prefix = %(prefix)s and key = any (%(ids)s)
"""
Row = dict[str, Any]
USERS = "select owner from memory_users_to_index(%s, %s, %s)"


class MemorySources:
    """What memory is made of, and which of it has changed; ``usual_timezone`` is that of what does not state one.

    A sentence of a message that wants or gives an answer with the probability ``statement_chance`` is no memory.
    """

    def __init__(self, database: Database, usual_timezone: str, statement_chance: float = LEAST_CHANCE) -> None:
        self._database = database
        self._usual = ZoneInfo(usual_timezone)
        self._chance = statement_chance

    async def users(self, hidden_before: datetime, usual_model: str, limit: int) -> list[UUID]:
        """Users with something to index, to embed or to remove; ``usual_model`` embeds for who has chosen none."""
        rows = await self._database.rows(USERS, (hidden_before, usual_model, limit))
        return [row["owner"] for row in rows]

    async def waiting(self, user_id: UUID, limit: int) -> list[Waiting]:
        """The documents of a user that changed, the longest waiting first."""
        return await self._waiting(user_id, limit, "asc")

    async def latest(self, user_id: UUID, limit: int) -> list[Waiting]:
        """The same, the latest first."""
        return await self._waiting(user_id, limit, "desc")

    async def _waiting(self, user_id: UUID, limit: int, order: LiteralString) -> list[Waiting]:
        async with self._database.one_statement(user_id) as conn:
            query = WAITING.format(order=order)
            rows = await (await conn.execute(query, {"user_id": user_id, "limit": limit})).fetchall()
        return [Waiting(row["source"], row["document"], row["queued_at"]) for row in rows]

    async def read(self, user_id: UUID, waiting: Sequence[Waiting]) -> list[Document]:
        """Those of the documents that are there."""
        async with self._database.tenant(user_id) as conn:
            memos = await _rows(conn, MEMOS, {"user_id": user_id, "ids": _ids(waiting, "memo")})
            messages = await _rows(conn, MESSAGES, {"user_id": user_id, "ids": _ids(waiting, "message")})
            kept = [
                *await self._notes(conn, user_id, _ids(waiting, "note")),
                *await self._facts(conn, user_id, _ids(waiting, "fact")),
            ]
        # In a thread: reading long messages would keep the event loop from everybody else.
        return [*await asyncio.to_thread(self._memos_and_messages, memos, messages), *kept]

    async def dequeue(self, user_id: UUID, waiting: Sequence[Waiting]) -> None:
        """Take documents out of the queue, unless they changed again."""
        values = {
            "user_id": user_id,
            "sources": [one.source for one in waiting],
            "ids": [one.document for one in waiting],
            "moments": [one.queued_at for one in waiting],
        }
        async with self._database.tenant(user_id) as conn:
            await conn.execute(DONE, values)

    def _memos_and_messages(self, memos: Sequence[Row], messages: Sequence[Row]) -> list[Document]:
        said = [_memo(row, self._chance) for row in memos if row["transcript"] and not row["deleted"]]
        said += [_message(row, self._chance) for row in messages]
        return [one for one in said if one is not None]

    async def _notes(self, conn: Connection, user_id: UUID, ids: Sequence[str]) -> list[Document]:
        values = {"user_id": user_id, "ids": ids, "prefix": f"note.{user_id}"}
        return [self._note(row) for row in await _rows(conn, RECORDS, values)]

    def _note(self, row: Row) -> Document:
        note = Note.model_validate(row["value"])
        lines = [note.content or note.summary, *(item.text for item in note.items)]
        at = row["created_at"].astimezone(self._usual)
        return Document("note", row["id"], "\n".join(line for line in lines if line), at, note.summary)

    async def _facts(self, conn: Connection, user_id: UUID, ids: Sequence[str]) -> list[Document]:
        values = {"user_id": user_id, "ids": ids, "prefix": f"profile.{user_id}"}
        return [self._profile(row) for row in await _rows(conn, RECORDS, values)]

    def _profile(self, row: Row) -> Document:
        """One line a fact: they change together, and each is a unit of its own."""
        text, passages = "", []
        for line in facts_of(Profile.model_validate(row["value"])):
            passages.append(Passage(len(text), len(text) + len(line), line.partition(":")[0]))
            text += f"{line}\n"
        return Document("fact", row["id"], text, row["updated_at"].astimezone(self._usual), "", passages)


def facts_of(profile: Profile) -> Iterator[str]:
    """What is known about the user, "job: baker"."""
    for name in ProfileFields.model_fields:
        value = getattr(profile, name)
        if name not in ("facts", "since") and value:
            yield f"{name}: {', '.join(value) if isinstance(value, list) else value}"
    yield from (f"{name}: {value}" for name, value in profile.facts.items())


def _memo(row: Row, chance: float) -> Document | None:
    """A recording. One that nobody acted on is a memory as a whole: a recorded thought may be a question."""
    told = row["result"] is not None
    at = row["captured_at"].astimezone(ZoneInfo(row["timezone"]))
    memo = Document("memo", row["id"], row["transcript"], at, row["title"], _passages(row))
    return _keep_statements(memo, row, chance) if told else memo


def _passages(row: Row) -> list[Passage]:
    """Who says what of a memo, and when: as its engine heard it, or as a talk was written down."""
    return list(passages_of(row["transcript"], row["segments"])) or spoken_passages(row["transcript"])


def _message(row: Row, chance: float) -> Document | None:
    at = row["captured_at"].astimezone(ZoneInfo(row["timezone"]))
    # What its user only passed on is nobody's memory; the places of the rest stay those of the message.
    own = own_in_place(row["content"])
    return _keep_statements(Document("message", row["id"], own, at), row, chance) if own.strip() else None


def _keep_statements(said: Document, row: Row, chance: float) -> Document | None:
    """What a message states; None where it only orders, asks or answers: quoted back, that would answer itself."""
    clock = clock_for(said.captured_at, row["timezone"])
    left_out = unstated_spans(said.text, _requests(row["result"] or {}), clock, chance)
    return None if len(left_out) == len(list(sentences_in(said.text))) else replace(said, left_out=left_out)


def _requests(result: Mapping[str, Any]) -> Sequence[str] | None:
    """The parts of a message that order, ask or answer, as its turn noted them; None where only orders were unnoted."""
    noted: list[str] | None = result.get("requests")
    targets = set(result.get("targets") or [])
    return noted if noted is not None or (targets and targets.isdisjoint(STATING)) else []


async def _rows(conn: Connection, query: str, values: dict[str, Any]) -> list[Row]:
    return await (await conn.execute(query, values)).fetchall() if values["ids"] else []


def _ids(waiting: Sequence[Waiting], source: str) -> list[str]:
    return [one.document for one in waiting if one.source == source]
