"""The network that reads question and statement together decides what is told, where it can be had."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.model.memory import Asked, Document
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from app.models.model.embeddings import NoEmbeddings
from tests.support.ledgers import LISBON
from tests.support.sayings import START, HashedWords, Only

MODEL = HashedWords("small", 64)
SAID = ("Grandfather left the barometer to Odile.", "The barometer fell from the wall.")


class Scorer:
    """Finds that whatever has a word answers, and nothing else does."""

    def __init__(self, word: str) -> None:
        self._word = word

    async def score(self, question: str, statements: Sequence[str]) -> list[float]:
        """High or low for each."""
        return [9.0 if self._word in one else -9.0 for one in statements]


class Failing:
    """Cannot be had now."""

    async def score(self, question: str, statements: Sequence[str]) -> list[float]:
        """No scores."""
        raise NoEmbeddings("its process died")


@pytest.fixture
async def indexed(database: Database) -> tuple[UUID, MemoryIndex]:
    user, index = (await Users(database).create("Ada")).id, MemoryIndex(database)
    for number, text in enumerate(SAID):
        document = Document("memo", f"memo-{number}", text, START)
        units = await index.keep(user, [(document, units_of(document))])
        await index.keep_vectors(user, MODEL.model, units, await MODEL.embed([text]))
    await index.switch(user, MODEL.model)
    return user, index


def make_question() -> Asked:
    return Asked("What became of the barometer?", START + timedelta(days=9), LISBON)


@pytest.mark.parametrize(("word", "memo"), [("Odile", "memo-0"), ("wall", "memo-1")])
async def test_what_it_scores_high_is_told(indexed: tuple[UUID, MemoryIndex], word: str, memo: str) -> None:
    user, index = indexed
    answer, _ = await Memory(index, Only(MODEL), scorer=Scorer(word)).ask(user, make_question())
    assert (answer.found, answer.citations[0].id) == (True, memo)


async def test_what_it_scores_low_is_not(indexed: tuple[UUID, MemoryIndex]) -> None:
    user, index = indexed
    answer, _ = await Memory(index, Only(MODEL), scorer=Scorer("astronomer")).ask(user, make_question())
    assert not answer.found


async def test_where_it_fails_the_answer_is_the_one_without_it(indexed: tuple[UUID, MemoryIndex]) -> None:
    user, index = indexed
    without, _ = await Memory(index, Only(MODEL)).ask(user, make_question())
    failing, _ = await Memory(index, Only(MODEL), scorer=Failing()).ask(user, make_question())
    assert failing == without


async def test_only_the_sentence_that_answers_is_quoted(indexed: tuple[UUID, MemoryIndex]) -> None:
    user, index = indexed
    text = "We cleared the loft. The barometer went to Odile. It rained."
    document = Document("memo", "memo-9", text, START + timedelta(days=1))
    units = await index.keep(user, [(document, units_of(document))])
    await index.keep_vectors(user, MODEL.model, units, await MODEL.embed([text]))
    answer, _ = await Memory(index, Only(MODEL), scorer=Scorer("went to")).ask(user, make_question())
    first = answer.citations[0]
    assert first.quote == "The barometer went to Odile."
    assert text[first.start_char : first.end_char] == first.quote
    assert f"“{first.quote}”" in answer.answer
