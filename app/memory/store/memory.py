"""The index of memory in Postgres: full text, and vectors that are found by their signs and then compared exactly."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

from app.database.database import Connection, Database
from app.database.paging import decode, encode, foreign
from app.memory.citing import cite
from app.memory.hearing import words_of
from app.memory.lexical import Wording, wording
from app.memory.model.memory import (
    About,
    Candidate,
    Document,
    Fact,
    Found,
    NewUnit,
    Passage,
    Progress,
    Query,
    Source,
    Unit,
)
from app.models.model.embeddings import Vector

CANDIDATES_PER_ARM = 200
"""Candidates that each arm brings."""
BY_SIGNS = 1000
"""Vectors that are compared exactly: those whose signs differ least from the question's."""

NO_PARALLEL_SCAN = "select set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)"
"""A scan of some ten milliseconds is not worth starting further processes, or compiling, for."""

TERMS = """
select coalesce(t.units, 0) as units, q.lexeme as term from unnest(to_tsvector('english', %(words)s)) as q
left join memory_terms t on t.user_id = %(user_id)s and t.term = q.lexeme
"""
TOTALS = "select units, model from memory_totals where user_id = %(user_id)s"
HIDDEN = """
array(select u.id from memory_documents d
      join memory_units u on u.user_id = d.user_id and u.source = d.source and u.document = d.id
      where d.user_id = %(user_id)s and d.hidden_at is not null)
"""
BY_WORDS = """
select unit, score
from memory_by_words(%(wanted)s::text, %(terms)s::text[], %(weights)s::real[], %(since)s::timestamptz,
                                        %(until)s::timestamptz, {hidden}, %(arm)s::int)
"""
# The signs are read from an index alone. Up to BY_SIGNS units nothing is left out, and above it next to nothing is. An
# array, as a join would rather read the whole table.
NEAR = """
select v.unit, -(v.embedding <#> %(vector)s::halfvec) as score from memory_vectors v
where v.user_id = %(user_id)s and v.model = %(model)s and v.unit = any (array(
    select s.unit from memory_vectors s
    where s.user_id = %(user_id)s and s.model = %(model)s
      and s.occurred_at >= %(since)s::timestamptz and s.occurred_at < %(until)s::timestamptz
      and s.unit <> all ({hidden})
    order by s.bits <~> binary_quantize(%(vector)s::halfvec) limit %(by_signs)s::int))
order by v.embedding <#> %(vector)s::halfvec limit %(arm)s::int
"""
SCORES = "select unit, score from memory_scores(%(units)s::bigint[], %(terms)s::text[], %(weights)s::real[])"
MEANINGS = """
select v.unit, -(v.embedding <#> %(vector)s::halfvec) as score from memory_vectors v
where v.user_id = %(user_id)s and v.unit = any (%(units)s::bigint[]) and v.model = %(model)s
"""
UNITS = """
select u.id, u.source, u.document, u.place, u.text, u.speaker, u.start_char, u.end_char, u.start_ms, u.end_ms,
       u.occurred_at, (select d.title from memory_documents d
                       where d.user_id = u.user_id and d.source = u.source and d.id = u.document) as title
from memory_units u where u.user_id = %(user_id)s and u.id = any (%(units)s::bigint[])
"""
WITHIN = """
with told as (
    select d.source, d.id, d.title, d.captured_at from memory_documents d
    where d.user_id = %(user_id)s and d.captured_at >= %(since)s and d.captured_at < %(until)s and d.hidden_at is null
    order by d.captured_at desc limit %(limit)s
)
select u.id, u.source, u.document, u.place, u.text, u.speaker, u.start_char, u.end_char, u.start_ms, u.end_ms,
       u.occurred_at, t.title
from told t join memory_units u on u.user_id = %(user_id)s and u.source = t.source and u.document = t.id and u.place = 0
order by u.occurred_at, u.id
"""
VECTOR = """
select v.embedding::text as vector from memory_vectors v
where v.user_id = %(user_id)s and v.unit = %(unit)s and v.model = %(model)s
"""
ALIKE = """
select v.unit, -(v.embedding <#> o.embedding) as alike from memory_vectors o
join memory_vectors v on v.user_id = o.user_id and v.model = o.model and v.unit = any (%(others)s::bigint[])
where o.user_id = %(user_id)s and o.model = %(model)s and o.unit = %(one)s
"""
ABOUT = """
select unit, occurred_at, units, first_at, last_at
from memory_about(%(names)s::text[], {hidden}, %(before)s::timestamptz, %(unit)s::bigint, %(most)s::int)
"""
FACTS = """
select u.speaker, u.text from memory_units u
join memory_documents d on d.user_id = u.user_id and d.source = u.source and d.id = u.document
where u.user_id = %(user_id)s and u.source = 'fact' and d.hidden_at is null order by u.place
"""
HEARD = """
select coalesce(transcript, '') as transcript, segments from memos
where user_id = %(user_id)s and id::text = %(memo)s
"""
UNIT_FIELDS = [field.name for field in fields(Unit)]
LARGEST_UNIT = 2**63
FIRST, LAST = "-infinity", "infinity"

REMOVE = """
with gone as (
    delete from memory_units u using unnest(%(sources)s::text[], %(ids)s::text[]) as old (source, id)
    where u.user_id = %(user_id)s and u.source = old.source and u.document = old.id returning u.id, u.words
), vectors as (
    delete from memory_vectors v using gone where v.user_id = %(user_id)s and v.unit = gone.id
), fewer as (
    select w.lexeme as term, count(*) as units from gone, unnest(ts_filter(gone.words, '{a,d}'::"char"[])) as w
    group by 1
), counted as (
    update memory_terms t set units = t.units - fewer.units from fewer
    where t.user_id = %(user_id)s and t.term = fewer.term
), totalled as (
    update memory_totals set units = units - (select count(*) from gone) where user_id = %(user_id)s
)
select count(*) as units from gone
"""
PUT_DOCUMENTS = """
insert into memory_documents (user_id, source, id, title, captured_at, digest)
select %(user_id)s, * from unnest(%(sources)s::text[], %(ids)s::text[], %(titles)s::text[], %(moments)s::timestamptz[],
                                  %(digests)s::bytea[])
on conflict (user_id, source, id) do update
set title = excluded.title, captured_at = excluded.captured_at, digest = excluded.digest, indexed_at = now(),
    hidden_at = null
"""
PUT_UNITS = """
with told as (
    select *, to_tsvector('english', text) as own, setweight(to_tsvector('english', frame), 'D') as around
    from json_to_recordset(%(units)s::json)
         as t (number int, place int, text text, speaker text, start_char int, end_char int, start_ms bigint,
               end_ms bigint, occurred_at timestamptz, frame text)
), framed as (
    select *, setweight(own, 'A') || around
        || setweight(coalesce(lag(own) over beside, '') || coalesce(lead(own) over beside, ''), 'B')
        || setweight(coalesce(lag(own, 2) over beside, '') || coalesce(lead(own, 2) over beside, ''), 'C')
        || memory_token(%(user_id)s) as words
    from told window beside as (partition by number order by place)
), kept as (
    insert into memory_units (user_id, source, document, place, text, speaker, start_char, end_char, start_ms, end_ms,
                              occurred_at, words)
    select %(user_id)s, (%(sources)s::text[])[number], (%(ids)s::text[])[number], place, text, speaker, start_char,
           end_char, start_ms, end_ms, occurred_at, words
    from framed order by number, place
    returning id, words
), counted as (
    insert into memory_terms (user_id, term, units)
    select %(user_id)s, w.lexeme, count(*) from kept, unnest(ts_filter(kept.words, '{a,d}'::"char"[])) as w
    group by 2 order by 2
    on conflict (user_id, term) do update set units = memory_terms.units + excluded.units
), totalled as (
    insert into memory_totals (user_id, units) select %(user_id)s, count(*) from kept
    on conflict (user_id) do update set units = memory_totals.units + excluded.units
)
select id from kept order by id
"""
# One writer of a user's index at a time: counts of words are added in any order, and two would deadlock.
# Erasing holds it, too, so that nothing which was read before comes in afterwards.
LOCK = "select pg_advisory_xact_lock(hashtextextended(%(user_id)s::text, 240))"
HIDE = """
update memory_documents d set hidden_at = now()
from unnest(%(sources)s::text[], %(ids)s::text[]) as gone (source, id)
where d.user_id = %(user_id)s and d.source = gone.source and d.id = gone.id and d.hidden_at is null
"""
OLD_HIDDEN = "select source, id from memory_documents where user_id = %(user_id)s and hidden_at < %(before)s"
UNSEEN = """
select u.id, u.speaker, u.text from memory_units u
where u.user_id = %(user_id)s
  and not exists (select from memory_vectors v
                  where v.user_id = %(user_id)s and v.unit = u.id and v.model = %(model)s)
order by u.id limit %(limit)s
"""
# What is in the index already, letter by letter, stays: its units may be on their way to somebody.
STILL_WAITING = """
select q.source, q.document, d.digest from memory_queue q
left join memory_documents d
    on d.user_id = q.user_id and d.source = q.source and d.id = q.document and d.hidden_at is null
where q.user_id = %(user_id)s and q.document = any (%(ids)s)
"""
SWITCH = """
update memory_totals set model = %(model)s, next_try = null
where user_id = %(user_id)s and (model <> %(model)s or next_try is not null)
"""
LATER = """
update memory_totals set next_try = now() + make_interval(secs => %(seconds)s) where user_id = %(user_id)s
"""
PROGRESS = """
select coalesce(max(t.model), '') as model, coalesce(max(t.units), 0) as units,
       (select count(*) from memory_vectors v where v.user_id = %(user_id)s and v.model = %(wanted)s) as embedded,
       (select count(*) from memory_queue q where q.user_id = %(user_id)s) as waiting
from memory_totals t where t.user_id = %(user_id)s
"""
PUT_VECTORS = """
insert into memory_vectors (user_id, model, unit, occurred_at, embedding)
select %(user_id)s, %(model)s, u.id, u.occurred_at, told.embedding
from unnest(%(units)s::bigint[], %(vectors)s::halfvec[]) as told (unit, embedding)
join memory_units u on u.user_id = %(user_id)s and u.id = told.unit
on conflict (user_id, model, unit) do update set embedding = excluded.embedding
"""


class MemoryIndex:
    """The index over Postgres."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, user_id: UUID, documents: Sequence[tuple[Document, Sequence[Unit]]]) -> list[int]:
        """Put documents into the index, in place of what it had of them; returns the ids of the units in order."""
        if not documents:
            return []
        async with self._database.tenant(user_id) as conn:
            return await keep_within(conn, user_id, documents)

    async def keep_waiting(self, user_id: UUID, documents: Sequence[tuple[Document, Sequence[Unit]]]) -> list[NewUnit]:
        """Put those documents into the index that still wait for it: what is erased meanwhile does not come back."""
        if not documents:
            return []
        async with self._database.tenant(user_id) as conn:
            values = {"user_id": user_id, "ids": [document.id for document, _ in documents]}
            await conn.execute(LOCK, values)
            rows = await (await conn.execute(STILL_WAITING, values)).fetchall()
            known = {(row["source"], row["document"]): row["digest"] for row in rows}
            still = [pair for pair in documents if known.get(_home(pair[0]), digest(pair[0])) != digest(pair[0])]
            ids = await keep_within(conn, user_id, still) if still else []
        return list(zip(ids, (unit for _, units in still for unit in units), strict=True))

    async def keep_vectors(self, user_id: UUID, model: str, units: Sequence[int], vectors: Sequence[Vector]) -> None:
        """Store the vectors of units under a model's name; units that are gone are passed over."""
        if not units:
            return
        values: dict[str, Any] = {"user_id": user_id, "model": model, "units": list(units)}
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, values)
            row = await (await conn.execute("select 'halfvec'::regtype::oid::int as oid")).fetchone()
            values["vectors"] = HalfVectors(vectors, row["oid"] if row else 0)
            await conn.execute(PUT_VECTORS, values)

    async def remove(self, user_id: UUID, documents: Sequence[tuple[str, str]]) -> int:
        """Take documents out of the index with all that follows from them; returns how many units that were."""
        async with self._database.tenant(user_id) as conn:
            return await remove_within(conn, user_id, documents)

    async def hide(self, user_id: UUID, documents: Sequence[tuple[Source, str]]) -> None:
        """Let documents no more be found."""
        values = {"user_id": user_id, "sources": [one for one, _ in documents], "ids": [one for _, one in documents]}
        async with self._database.tenant(user_id) as conn:
            await conn.execute(HIDE, values)

    async def purge(self, user_id: UUID, hidden_before: datetime) -> int:
        """Remove what was hidden before then, with all that follows from it; returns how many units that were."""
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(OLD_HIDDEN, {"user_id": user_id, "before": hidden_before})).fetchall()
            return await remove_within(conn, user_id, [(row["source"], row["id"]) for row in rows]) if rows else 0

    async def without_vectors(self, user_id: UUID, model: str, limit: int) -> list[tuple[int, str]]:
        """Units that the model has not seen, as (id, text)."""
        values = {"user_id": user_id, "model": model, "limit": limit}
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(UNSEEN, values)).fetchall()
        return [(row["id"], f"{row['speaker']}: {row['text']}" if row["speaker"] else row["text"]) for row in rows]

    async def switch(self, user_id: UUID, model: str) -> None:
        """Search with this model from now on, and forget the vectors of others."""
        values = {"user_id": user_id, "model": model}
        async with self._database.tenant(user_id) as conn:
            await conn.execute(SWITCH, values)
            await conn.execute("delete from memory_vectors where user_id = %(user_id)s and model <> %(model)s", values)

    async def try_later(self, user_id: UUID, seconds: float) -> None:
        """Embed what has no vectors after so many seconds; a switch forgets that."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LATER, {"user_id": user_id, "seconds": seconds})

    async def progress(self, user_id: UUID, wanted: str) -> Progress:
        """How far the wanted model is."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(PROGRESS, {"user_id": user_id, "wanted": wanted})).fetchone()
        return Progress(wanted=wanted, **(row or {"model": "", "units": 0, "embedded": 0, "waiting": 0}))

    async def model_of(self, user_id: UUID) -> str:
        """The model whose vectors are whole; empty when there is none yet."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(TOTALS, {"user_id": user_id})).fetchone()
        return row["model"] if row else ""

    async def alike(self, user_id: UUID, model: str, one: int, others: Sequence[int]) -> dict[int, float]:
        """How near other units are to one in meaning, as far as they have vectors (cosine)."""
        values = {"user_id": user_id, "model": model, "one": one, "others": list(others)}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(ALIKE, values)).fetchall()
        return {row["unit"]: row["alike"] for row in rows}

    async def within(self, user_id: UUID, since: datetime, until: datetime, limit: int) -> list[Candidate]:
        """What was said first in each document of a stretch of time, in order; the latest where there are more."""
        values = {"user_id": user_id, "since": since, "until": until, "limit": limit}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(WITHIN, values)).fetchall()
        return [candidate_of(row, (0.0, None)) for row in rows]

    async def about(self, user_id: UUID, names: Sequence[str], limit: int, cursor: str | None) -> About:
        """What mentions one of some names, in small letters, or was said by who is called so. Raises InvalidInput."""
        before, unit = _position(cursor)
        values = {"user_id": user_id, "names": list(names), "before": before, "unit": unit, "most": limit + 1}
        async with self._database.tenant(user_id) as conn:
            await conn.execute(NO_PARALLEL_SCAN)
            found = await (await conn.execute(ABOUT.format(hidden=HIDDEN), values)).fetchall()
            shown = [row["unit"] for row in found[:limit]]
            rows = await (await conn.execute(UNITS, {"user_id": user_id, "units": shown})).fetchall()
        told = {row["id"]: cite(candidate_of(row, (0.0, None))) for row in rows}
        items = [told[one] for one in shown if one in told]
        if not found:
            return About(names)
        last = found[limit - 1] if len(found) > limit else None
        more = encode([last["occurred_at"].isoformat(), str(last["unit"])]) if last else None
        first, *_ = found
        return About(names, first["units"], first["first_at"], first["last_at"], items, more)

    async def words_heard(self, user_id: UUID, memo: str) -> list[Passage]:
        """Where the words of a memo stand, with their times as far as these are known."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(HEARD, {"user_id": user_id, "memo": memo})).fetchall()
        return [word for row in rows for word in words_of(row["transcript"], row["segments"])]

    async def facts(self, user_id: UUID) -> list[Fact]:
        """What the user told of themselves, as far as it is indexed."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(FACTS, {"user_id": user_id})).fetchall()
        return [Fact(row["speaker"], row["text"].removeprefix(f"{row['speaker']}:").strip()) for row in rows]

    async def vector_of(self, user_id: UUID, model: str, unit: int) -> Vector | None:
        """The vector of a unit, where it has one."""
        values = {"user_id": user_id, "model": model, "unit": unit}
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(VECTOR, values)).fetchone()
        return orjson.loads(row["vector"]) if row else None

    async def search(self, user_id: UUID, query: Query) -> Found:
        """The units that come near, by either arm, unordered; those of hidden documents are left out.

        Where a server gives vectors of another length under the same name, words alone are compared.
        """
        try:
            return await self._search_units(user_id, query)
        except psycopg.errors.DataException:
            if query.vector is None:
                raise
            return await self._search_units(user_id, replace(query, vector=None))

    async def _search_units(self, user_id: UUID, query: Query) -> Found:
        async with self._database.tenant(user_id) as conn:
            await conn.execute(NO_PARALLEL_SCAN)
            known, total = await _count_terms(conn, user_id, query.words)
            told = wording(known, total, alone=query.vector is None)
            values = _values(user_id, query, told)
            pool = await _pool(conn, query, values, searched=bool(told.wanted))
            rows = await (await conn.execute(UNITS, {**values, "units": list(pool)})).fetchall()
        return Found([candidate_of(row, pool[row["id"]]) for row in rows], total, sum(told.weights.values()))


Pool = dict[int, tuple[float, float | None]]


async def _pool(conn: Connection, query: Query, values: dict[str, Any], *, searched: bool) -> Pool:
    """What both arms bring, each unit with both of its scores."""
    by_words = await conn.execute(BY_WORDS.format(hidden=HIDDEN), values) if searched else None
    # Planned for this question: a plan that is kept for any would take its signs anew for each vector.
    near = await conn.execute(NEAR.format(hidden=HIDDEN), values, prepare=False) if query.vector is not None else None
    lexical = {row["unit"]: row["score"] for row in await by_words.fetchall()} if by_words else {}
    dense = {row["unit"]: row["score"] for row in await near.fetchall()} if near else {}
    values["units"] = list(dense.keys() - lexical.keys())
    scores = await conn.execute(SCORES, values)
    values = {**values, "units": list(lexical.keys() - dense.keys())}
    meanings = await conn.execute(MEANINGS, values) if near else None
    lexical |= {row["unit"]: row["score"] for row in await scores.fetchall()}
    dense |= {row["unit"]: row["score"] for row in await meanings.fetchall()} if meanings else {}
    return {unit: (score, dense.get(unit)) for unit, score in lexical.items()}


async def _count_terms(conn: Connection, user_id: UUID, words: str) -> tuple[Mapping[str, int], int]:
    values = {"user_id": user_id, "words": words}
    terms = await conn.execute(TERMS, values)
    totals = await (await conn.execute(TOTALS, values)).fetchone()
    known = {row["term"]: row["units"] for row in await terms.fetchall()}
    return known, totals["units"] if totals else 0


def _values(user_id: UUID, query: Query, told: Wording) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "wanted": (" | " if told.any_of else " & ").join(term_query(term) for term in told.wanted),
        "terms": [term_query(term) for term in told.weights],
        "weights": list(told.weights.values()),
        "vector": None if query.vector is None else literal(query.vector),
        "model": query.model,
        "since": query.since or FIRST,
        "until": query.until or LAST,
        "arm": CANDIDATES_PER_ARM,
        "by_signs": BY_SIGNS,
    }


def term_query(term: str) -> str:
    """A term as text search reads it, whatever characters it has."""
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


async def remove_within(conn: Connection, user_id: UUID, documents: Sequence[tuple[str, str]]) -> int:
    """The same in the caller's transaction."""
    values = {"user_id": user_id, "sources": [one for one, _ in documents], "ids": [one for _, one in documents]}
    await conn.execute(LOCK, values)
    row = await (await conn.execute(REMOVE, values)).fetchone()
    gone = """delete from memory_documents d using unnest(%(sources)s::text[], %(ids)s::text[]) as old (source, id)
              where d.user_id = %(user_id)s and d.source = old.source and d.id = old.id"""
    await conn.execute(gone, values)
    return int(row["units"]) if row else 0


async def keep_within(
    conn: Connection, user_id: UUID, documents: Sequence[tuple[Document, Sequence[Unit]]]
) -> list[int]:
    """The same in the caller's transaction."""
    values = {**_documents(documents), **_units(documents), "user_id": user_id}
    await conn.execute(LOCK, values)
    await conn.execute(REMOVE, values)
    await conn.execute(PUT_DOCUMENTS, values)
    rows = await (await conn.execute(PUT_UNITS, values)).fetchall()
    return [row["id"] for row in rows]


def _home(document: Document) -> tuple[str, str]:
    return document.source, document.id


def _documents(documents: Sequence[tuple[Document, Sequence[Unit]]]) -> dict[str, Any]:
    each = [document for document, _ in documents]
    return {
        "sources": [one.source for one in each],
        "ids": [one.id for one in each],
        "titles": [one.title for one in each],
        "moments": [one.captured_at for one in each],
        "digests": [digest(one) for one in each],
    }


def _units(documents: Sequence[tuple[Document, Sequence[Unit]]]) -> dict[str, Any]:
    """The units as one parameter in JSON: as arrays, thousands of them would hold up the event loop."""
    every = [
        {
            "number": number,
            "place": unit.place,
            "text": unit.text,
            "speaker": unit.speaker,
            "start_char": unit.start_char,
            "end_char": unit.end_char,
            "start_ms": unit.start_ms,
            "end_ms": unit.end_ms,
            "occurred_at": _occurred_at(document, unit),
            "frame": _frame(document, unit),
        }
        for number, (document, units) in enumerate(documents, 1)
        for unit in units
    ]
    return {"units": orjson.dumps(every).decode()}


def _occurred_at(document: Document, unit: Unit) -> datetime:
    return document.captured_at + timedelta(milliseconds=unit.start_ms or 0)


def _frame(document: Document, unit: Unit) -> str:
    """What is searched with a unit although it is not said in it: who spoke, of what, and when."""
    return f"{unit.speaker}\n{document.title}\n{document.captured_at:%-d %B %Y %A}"


def digest(document: Document) -> bytes:
    """What tells whether a document has changed since it was indexed."""
    told = [document.title, document.captured_at.isoformat(), document.text, [str(one) for one in document.passages]]
    told += [str(span) for span in document.left_out]
    return sha256(json.dumps(told).encode()).digest()


def _position(cursor: str | None) -> tuple[datetime | None, int | None]:
    """Where a page begins; (None, None) for the first. Raises InvalidInput for a cursor that we did not make."""
    if cursor is None:
        return None, None
    at, unit = decode(cursor, 2)
    try:
        moment, number = datetime.fromisoformat(at), int(unit)
    except ValueError as error:
        raise foreign() from error
    if moment.tzinfo is None or not 0 <= number < LARGEST_UNIT:
        raise foreign()
    return moment, number


def literal(vector: Vector) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(f'{value:.5g}' for value in vector)}]"


def candidate_of(row: Mapping[str, Any], scores: tuple[float, float | None]) -> Candidate:
    """A unit as it is stored, with its scores by words and by meaning."""
    unit = Unit(**{name: row[name] for name in UNIT_FIELDS})
    return Candidate(row["source"], row["document"], row["title"], row["occurred_at"], unit, *scores, row["id"])


@dataclass(frozen=True)
class HalfVectors:
    """Vectors as one parameter, in the wire format of an array of pgvector's ``halfvec``."""

    rows: Sequence[Vector]
    oid: int


class HalfVectorsDumper(Dumper):
    """Written as bytes at once: as text, this would be most of the time that storing takes."""

    format = Format.BINARY

    def dump(self, obj: HalfVectors) -> bytes:
        """The header of a one-dimensional array, then each vector with its length."""
        dimensions = len(obj.rows[0])
        entry = struct.Struct(f">ihh{dimensions}e")
        entries = b"".join(entry.pack(4 + 2 * dimensions, dimensions, 0, *row) for row in obj.rows)
        return struct.pack(">iiiii", 1, 0, obj.oid, len(obj.rows), 1) + entries


psycopg.adapters.register_dumper(HalfVectors, HalfVectorsDumper)
