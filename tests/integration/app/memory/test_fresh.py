"""What was said a moment ago is found: a search first takes in what still waits for the index."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.indexing import Indexer
from app.memory.model.memory import Asked, Document, Waiting
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from tests.integration.app.memory.test_indexing import indexer, put_memo
from tests.support.ledgers import LISBON, NOW
from tests.support.sayings import HashedWords, Only

SENTENCE = "The spare oar lies under the jetty."
QUESTION = Asked("where does the spare oar lie?", NOW, LISBON)


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


def memory(database: Database, fresh: Indexer, seconds: float = 60.0) -> Memory:
    index = MemoryIndex(database)
    return Memory(index, Only(HashedWords("small", 384)), fresh=replace(fresh, fresh_seconds=seconds))


async def test_what_nobody_has_indexed_is_found_by_words_and_by_meaning(database: Database, user: UUID) -> None:
    await put_memo(database, user, "The boat needs paint.")
    await indexer(database).run(user)
    await put_memo(database, user, SENTENCE)
    [match], by_meaning = await memory(database, indexer(database)).search(user, QUESTION)
    assert (match.citation.quote, by_meaning) == (SENTENCE, True)
    assert await MemoryIndex(database).without_vectors(user, "small", 9) == []
    told, _ = await memory(database, indexer(database)).ask(user, QUESTION)
    assert [one.quote for one in told.citations] == [SENTENCE]


async def test_the_first_that_is_ever_said_is_found_by_meaning_at_once(database: Database, user: UUID) -> None:
    await put_memo(database, user, SENTENCE)
    [match], by_meaning = await memory(database, indexer(database)).search(user, QUESTION)
    assert (match.citation.quote, by_meaning) == (SENTENCE, True)


async def test_of_a_long_queue_the_latest_is_taken_in_and_the_rest_left_to_its_job(
    database: Database, user: UUID
) -> None:
    for number in range(60):
        await put_memo(database, user, f"Crate {number} holds apples.")
    await put_memo(database, user, SENTENCE)
    [match], _ = await memory(database, indexer(database)).search(user, QUESTION)
    assert match.citation.quote == SENTENCE
    assert (await MemoryIndex(database).progress(user, "small")).waiting > 20


class StuckSources(MemorySources):
    """Reading what changed never ends."""

    async def read(self, user_id: UUID, waiting: Sequence[Waiting]) -> list[Document]:
        await asyncio.Event().wait()
        return await super().read(user_id, waiting)


async def test_an_index_that_does_not_come_up_to_date_holds_up_no_search(database: Database, user: UUID) -> None:
    await put_memo(database, user, SENTENCE)
    await indexer(database).run(user)
    await put_memo(database, user, "The boat needs paint.")
    stuck = replace(indexer(database), sources=StuckSources(database, LISBON))
    [match], _ = await memory(database, stuck, 0.01).search(user, QUESTION)
    assert match.citation.quote == SENTENCE
    assert (await MemoryIndex(database).progress(user, "small")).waiting == 1


class BrokenSources(MemorySources):
    """What changed cannot be read."""

    async def read(self, user_id: UUID, waiting: Sequence[Waiting]) -> list[Document]:
        raise ValueError(f"{len(waiting)} of {user_id}")


async def test_what_cannot_be_taken_in_hides_nothing_else(database: Database, user: UUID) -> None:
    await put_memo(database, user, SENTENCE)
    await indexer(database).run(user)
    await put_memo(database, user, "The boat needs paint.")
    broken = replace(indexer(database), sources=BrokenSources(database, LISBON))
    [match], _ = await memory(database, broken).search(user, QUESTION)
    assert match.citation.quote == SENTENCE


async def test_two_searches_at_once_take_in_the_same_once(database: Database, user: UUID) -> None:
    await put_memo(database, user, SENTENCE)
    found = await asyncio.gather(*(memory(database, indexer(database)).search(user, QUESTION) for _ in range(4)))
    assert [match.citation.quote for [match], _ in found] == [SENTENCE] * 4
    assert (await MemoryIndex(database).progress(user, "small")).units == 1
