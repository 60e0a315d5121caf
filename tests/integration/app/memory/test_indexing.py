"""What changes comes into memory by itself: kept, changed, deleted, brought back, removed; and re-embedded beside."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from agents.contract import Citation
from app.database.database import Database
from app.http.accounts.store.portability import Folders, Portability
from app.http.accounts.store.user_rows import UserRows
from app.http.accounts.store.users import Users
from app.memory import citing
from app.memory.indexing import Indexer
from app.memory.model.memory import Asked, Document, Unit, Waiting
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from app.memory.units import units_of
from app.models.model.embeddings import Embedder, NoEmbeddings, Vector
from tests.support.archives import portability_at
from tests.support.ledgers import LISBON, NOW
from tests.support.sayings import HashedWords, Only
from tests.support.waiting import until_true

PUT_MEMO = """
insert into memos (user_id, id, title, transcript, segments, captured_at, timezone, state, container, size, sha256)
values (%s, %s, '', %s, %s, %s, %s, 'transcribed', 'wav', 1, '')
"""
PUT_RECORD = """
insert into store (prefix, key, value, created_at, updated_at) values (%s, %s, %s, now(), now())
on conflict (prefix, key) do update set value = excluded.value, updated_at = now()
"""
COUNTS = """
select (select count(*) from memory_documents) + (select count(*) from memory_units)
     + (select count(*) from memory_vectors) + (select count(*) from memory_terms where units > 0) as left_over
"""


class Nothing:
    """An embedder that cannot run."""

    model = "absent"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise NoEmbeddings


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


def indexer(database: Database, embedder: Embedder | None = None, keep_days: float = 30) -> Indexer:
    return Indexer(
        MemorySources(database, LISBON),
        MemoryIndex(database),
        Only(embedder or HashedWords("small", 384)),
        keep_days,
    )


async def put_memo(database: Database, user: UUID, text: str) -> UUID:
    memo = uuid4()
    segments = json.dumps([{"start_ms": 0, "end_ms": 4000, "text": text, "confidence": None}])
    async with database.tenant(user) as conn:
        await conn.execute(PUT_MEMO, (user, memo, text, segments, NOW, LISBON))
    return memo


async def hear_memo(database: Database, user: UUID, text: str, words: list[tuple[int, int, str]]) -> UUID:
    """A recording of one segment, with the times of its words."""
    memo = uuid4()
    segments = json.dumps([{"start_ms": 0, "end_ms": 60_000, "text": text, "confidence": None, "words": words}])
    async with database.tenant(user) as conn:
        await conn.execute(PUT_MEMO, (user, memo, text, segments, NOW, LISBON))
    return memo


async def found(database: Database, user: UUID, words: str, embedder: Embedder | None = None) -> list[str]:
    memory = Memory(MemoryIndex(database), Only(embedder or HashedWords("small", 384)))
    return [one.quote for one in (await memory.ask(user, Asked(words, NOW, LISBON)))[0].citations]


async def test_a_memo_is_found_changed_hidden_and_removed(database: Database, user: UUID) -> None:
    memo = await put_memo(database, user, "The boiler is leaking again.")
    job = indexer(database)
    assert await job.users() == [user]
    await job.run(user)
    assert await job.users() == []
    assert await found(database, user, "the boiler is leaking") == ["The boiler is leaking again."]
    async with database.tenant(user) as conn:
        await conn.execute("update memos set transcript = 'The heater hums.' where id = %s", (memo,))
    await job.run(user)
    assert await found(database, user, "the boiler is leaking") == []
    assert await found(database, user, "the heater hums") == ["The heater hums."]
    async with database.tenant(user) as conn:
        await conn.execute("delete from memos where id = %s", (memo,))
    assert await found(database, user, "the heater hums") == []  # at once, before any job
    await job.run(user)
    async with database.tenant(user) as conn:
        assert await (await conn.execute("select count(*) as units from memory_units")).fetchone() != {"units": 0}
    await indexer(database, keep_days=0).run(user)
    async with database.tenant(user) as conn:
        assert await (await conn.execute(COUNTS)).fetchone() == {"left_over": 0}


async def test_a_deleted_memo_stays_hidden_when_memory_is_brought_up_to_date(database: Database, user: UUID) -> None:
    memo = await put_memo(database, user, "The boiler is leaking again.")
    await indexer(database).run(user)
    async with database.tenant(user) as conn:
        await conn.execute("update memos set deleted_at = now() where id = %s", (memo,))
    await indexer(database).run(user)
    assert await found(database, user, "the boiler is leaking") == []


ASKED_ALOUD = """
with made as (
    insert into threads (user_id, id, is_main) values (%(user)s, gen_random_uuid(), false) returning id
)
insert into turns (user_id, id, thread_id, seq, body_hash, memo_id, captured_at, timezone, state, result)
select %(user)s, gen_random_uuid(), made.id, 1, '', %(memo)s, now(), 'UTC', %(state)s, %(result)s from made
"""


async def tell(database: Database, user: UUID, memo: UUID, state: str = "done", *targets: str) -> None:
    """A turn that a recording was made for."""
    values = {"user": user, "memo": memo, "state": state, "result": json.dumps({"targets": targets})}
    async with database.tenant(user) as conn:
        await conn.execute(ASKED_ALOUD, values)


async def test_a_question_asked_aloud_is_no_answer_to_itself_and_a_recorded_thought_is(
    database: Database, user: UUID
) -> None:
    for text in ("Where is the key of the cabin?", "The key of the cabin is under the blue pot."):
        await tell(database, user, await put_memo(database, user, text))
    await put_memo(database, user, "Why do lighthouses hum?")
    await indexer(database).run(user)
    assert await found(database, user, "where is the key of the cabin?") == [
        "The key of the cabin is under the blue pot."
    ]
    assert await found(database, user, "why do lighthouses hum") == ["Why do lighthouses hum?"]


async def test_what_was_said_aloud_to_start_a_workflow_is_not_remembered(database: Database, user: UUID) -> None:
    await tell(database, user, await put_memo(database, user, "Run the tides: high water"), "done", "research")
    await tell(
        database,
        user,
        await put_memo(database, user, "The tides run high in May."),
        "done",
        "research",
        "update_profile",
    )
    await indexer(database).run(user)
    assert await found(database, user, "tides run high") == ["The tides run high in May."]


async def test_a_recording_comes_into_memory_once_its_turn_is_over(database: Database, user: UUID) -> None:
    await tell(database, user, await put_memo(database, user, "The tides run high in May."), "running")
    await put_memo(database, user, "The tides run low in June.")
    await indexer(database).run(user)
    assert await found(database, user, "tides run") == ["The tides run low in June."]
    async with database.tenant(user) as conn:
        await conn.execute("update turns set state = 'done' where user_id = %s", (user,))
    await indexer(database).run(user)
    assert sorted(await found(database, user, "tides run")) == [
        "The tides run high in May.",
        "The tides run low in June.",
    ]


async def test_a_recording_is_no_answer_to_the_question_that_it_is(database: Database, user: UUID) -> None:
    memo = await put_memo(database, user, "Why do the tides run high?")
    await put_memo(database, user, "The tides run high by the moon.")
    await indexer(database).run(user)
    memory = Memory(MemoryIndex(database), Only(HashedWords("small", 384)))
    for asked_in, count in (("", 2), (str(memo), 1)):
        asked = Asked("Why do the tides run high?", NOW, LISBON, limit=2, asked_in=asked_in)
        assert len((await memory.search(user, asked))[0]) == count


async def test_notes_and_facts_are_found_and_forgotten(database: Database, user: UUID) -> None:
    note = {"id": "n1", "kind": "note", "content": "the plumber is called Ernst", "summary": ""}
    profile = {"id": "profile", "job": "lighthouse keeper", "facts": {"shoe size": "forty three"}}
    stamp = {"created_at": NOW.isoformat(), "updated_at": NOW.isoformat(), "version": 1}
    async with database.tenant(user) as conn:
        await conn.execute(PUT_RECORD, (f"note.{user}", "n1", json.dumps({**without_kind(note), **stamp})))
        await conn.execute(PUT_RECORD, (f"profile.{user}", "profile", json.dumps({**profile, **stamp})))
    await indexer(database).run(user)
    assert await found(database, user, "plumber called Ernst") == ["the plumber is called Ernst"]
    assert await found(database, user, "job lighthouse keeper") == ["job: lighthouse keeper"]
    assert await found(database, user, "shoe size forty three") == ["shoe size: forty three"]
    async with database.tenant(user) as conn:
        await conn.execute("delete from store where prefix = %s", (f"note.{user}",))
    assert await found(database, user, "plumber called Ernst") == []
    async with database.tenant(user) as conn:
        await conn.execute(PUT_RECORD, (f"note.{user}", "n1", json.dumps({**without_kind(note), **stamp})))
    await indexer(database).run(user)
    assert await found(database, user, "plumber called Ernst") == ["the plumber is called Ernst"]


def without_kind(note: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in note.items() if name != "kind"}


async def test_another_model_embeds_beside_the_one_in_use_and_takes_over_when_it_is_whole(
    database: Database, user: UUID
) -> None:
    for number in range(70):
        await put_memo(database, user, f"Thought number {number} is about gardens.")
    index = MemoryIndex(database)
    for model, dimensions in (("small", 384), ("large", 1536), ("again", 384)):
        before = await index.model_of(user)
        await indexer(database, Nothing()).run(user)
        assert await index.model_of(user) == before  # one that cannot run takes nothing over
        embedder = HashedWords(model, dimensions)
        await indexer(database, embedder).run(user)
        assert await index.model_of(user) == model
        memory = Memory(index, Only(embedder))
        hits, by_meaning = await memory.search(user, Asked("thought number 7 is about gardens", NOW, LISBON, limit=50))
        assert by_meaning
        assert hits[0].citation.quote == "Thought number 7 is about gardens."
        assert len(hits) == 50
        async with database.tenant(user) as conn:
            rows = await (await conn.execute("select model, count(*) as n from memory_vectors group by 1")).fetchall()
        assert rows == [{"model": model, "n": 70}]


async def test_a_range_of_time_is_hard(database: Database, user: UUID) -> None:
    await put_memo(database, user, "We planted the pear tree.")
    job, embedder = indexer(database), HashedWords("small", 384)
    await job.run(user)
    memory = Memory(MemoryIndex(database), Only(embedder))
    for since, until, count in (
        (NOW, NOW + timedelta(seconds=1), 1),
        (NOW + timedelta(seconds=1), None, 0),
        (None, NOW, 0),
        (datetime(2000, 1, 1, tzinfo=UTC), None, 1),
    ):
        asked = Asked("pear tree planted", NOW, LISBON, since=since, until=until)
        assert len((await memory.search(user, asked))[0]) == count


class ErasingSources(MemorySources):
    """Everything of the user is erased between reading what changed and keeping it."""

    def __init__(self, database: Database, everything: Portability) -> None:
        super().__init__(database, LISBON)
        self._everything = everything

    async def read(self, user_id: UUID, waiting: Sequence[Waiting]) -> list[Document]:
        documents = await super().read(user_id, waiting)
        assert (await self._everything.erase(user_id)).left == 0
        return documents


async def test_what_is_erased_while_it_is_indexed_does_not_come_back(
    database: Database, user: UUID, tmp_path: Path
) -> None:
    await put_memo(database, user, "The spare key is with Marta.")
    everything = portability_at(database, Folders(*(tmp_path / name for name in "abc")))
    erasing = ErasingSources(database, everything)
    await replace(indexer(database), sources=erasing).run(user)
    assert await found(database, user, "Where is the spare key?") == []
    async with database.tenant(user) as conn:
        [row] = await (await conn.execute(COUNTS)).fetchall()
    assert row["left_over"] == 0
    assert (await everything.erase(user)).left == 0


def is_held_up(url: str) -> bool:
    """Whether somebody waits for what another one holds."""
    with psycopg.connect(url) as conn:
        waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        return conn.execute(waiting).rowcount > 0


async def test_vectors_of_what_is_being_erased_wait_and_are_not_kept(database: Database, user: UUID) -> None:
    await put_memo(database, user, "The spare key is with Marta.")
    await indexer(database, Nothing()).run(user)
    index, words = MemoryIndex(database), HashedWords("small", 384)
    [(unit, text)] = await index.without_vectors(user, words.model, 9)
    async with database.connect_without_timeout() as conn, conn.transaction():
        rows = UserRows(conn, user)
        await rows.begin(to_write=True)
        await rows.erase()
        late = asyncio.create_task(index.keep_vectors(user, words.model, [unit], await words.embed([text])))
        await until_true(lambda: is_held_up(database.url))
        assert not late.done()
    await late
    async with database.tenant(user) as conn:
        [row] = await (await conn.execute(COUNTS)).fetchall()
    assert row["left_over"] == 0


async def test_what_did_not_change_keeps_its_units_and_vectors(database: Database, user: UUID) -> None:
    memo = await put_memo(database, user, "The boiler is leaking again.")
    await indexer(database).run(user)
    units = "select u.id, v.unit from memory_units u join memory_vectors v on v.unit = u.id where u.user_id = %s"
    async with database.tenant(user) as conn:
        before = await (await conn.execute(units, (user,))).fetchall()
        await conn.execute("update memos set state = 'transcribed' where id = %s", (memo,))
    assert await indexer(database).users() == [user]
    await indexer(database).run(user)
    assert await indexer(database).users() == []
    async with database.tenant(user) as conn:
        assert await (await conn.execute(units, (user,))).fetchall() == before
    assert len(before) == 1


FIRST, SECOND = "It took long to hear of the heron.", "It stood in the upper pond."
BOTH = f"{FIRST} {SECOND}"


def timed(*spoken: tuple[int, str]) -> list[tuple[int, int, str]]:
    """Words that take 100 ms each, from so many milliseconds on."""
    return [
        (at + number * 100, at + number * 100 + 100, word)
        for at, said in spoken
        for number, word in enumerate(said.split())
    ]


@pytest.mark.parametrize(
    ("words", "start_ms", "end_ms"),
    [
        (timed((0, FIRST), (50_000, SECOND)), 50_000, 50_600),
        # Where a word is spelled otherwise than in the transcript, the time of the segment passes evenly.
        (timed((0, FIRST), (50_000, SECOND.replace("pond", "bond"))), 33_871, 60_000),
        ([], 33_871, 60_000),
    ],
)
async def test_a_quote_has_its_own_second_where_the_times_of_words_are_known(
    database: Database, user: UUID, words: list[tuple[int, int, str]], start_ms: int, end_ms: int
) -> None:
    memo = await hear_memo(database, user, BOTH, words)
    sources, index = MemorySources(database, LISBON), MemoryIndex(database)
    [document] = await sources.read(user, await sources.waiting(user, 5))
    [whole] = units_of(document)
    [_, unit] = units_of(document, most=9)
    assert (unit.text, unit.start_ms, unit.end_ms) == (SECOND, start_ms, end_ms)
    told = Citation(source="memo", id=str(memo), captured_at=NOW, quote=BOTH, **places_of(whole))
    part = citing.with_own_time(
        citing.part_of(told, unit.start_char, unit.end_char), await index.words_heard(user, str(memo))
    )
    assert part.quote == SECOND
    assert (part.start_ms, part.end_ms) == ((50_000, 50_600) if start_ms == 50_000 else (0, 60_000))


def places_of(unit: Unit) -> dict[str, Any]:
    return {name: getattr(unit, name) for name in ("start_char", "end_char", "start_ms", "end_ms")}


async def test_a_talk_that_was_written_down_has_its_speakers(database: Database, user: UUID) -> None:
    talk = "Tom: We should sell the boat.\nUna: Not before spring.\nTom: It leaks."
    async with database.tenant(user) as conn:
        await conn.execute(PUT_MEMO, (user, uuid4(), talk, "[]", NOW, LISBON))
    await indexer(database).run(user)
    memory = Memory(MemoryIndex(database), Only(HashedWords("small", 384)))
    found = await memory.about(user, "Tom", 10, None)
    assert [one.quote for one in found.items] == ["It leaks.", "We should sell the boat."]
