"""What is found over memos that people may have spoken: by words, by meaning, and by both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from uuid import UUID, uuid4

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.answering import NO_ANSWER
from app.memory.fusion import Cues, rank_candidates
from app.memory.lexical import wording
from app.memory.model.memory import Asked, Candidate, Document, Found, Query
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from app.memory.vectors.weights import weights_path
from app.memory.wording import words_in
from tests.support.ledgers import LISBON
from tests.support.sayings import ASKED, MEMOS, START, UNANSWERED, HashedWords, Only, local_model, memo

installed = pytest.mark.skipif(not weights_path().is_file(), reason="the weights of the local model are not installed")


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


@pytest.fixture
async def memory(database: Database, user: UUID) -> AsyncIterator[tuple[MemoryIndex, Memory]]:
    index, model = MemoryIndex(database), local_model()
    documents = [(memo(number, text), units_of(memo(number, text), 25)) for number, text in enumerate(MEMOS)]
    units = await index.keep(user, documents)
    texts = [unit.text for _, each in documents for unit in each]
    await index.keep_vectors(user, model.model, units, await model.embed(texts))
    await index.switch(user, model.model)
    yield index, Memory(index, Only(model), scorer=model)
    await model.close()


def reciprocal(order: Sequence[Candidate], right: int) -> float:
    places = [number for number, one in enumerate(order, 1) if one.document == f"memo-{right}"]
    return 1 / places[0] if places else 0.0


@installed
async def test_both_arms_together_are_at_least_as_good_as_each(memory: tuple[MemoryIndex, Memory], user: UUID) -> None:
    index, model = memory[0], local_model()
    vectors = await model.embed([question for question, _ in ASKED])
    await model.close()
    told: dict[str, list[float]] = {"lexical": [], "dense": [], "fused": []}
    for (question, right), vector in zip(ASKED, vectors, strict=True):
        found: Found = await index.search(user, Query(question, vector, model.model))
        told["lexical"].append(reciprocal(sorted(found.candidates, key=lambda one: -one.lexical), right))
        told["dense"].append(reciprocal(sorted(found.candidates, key=lambda one: -(one.dense or 0)), right))
        order = rank_candidates(found.candidates, Cues(words_in(question)))
        told["fused"].append(reciprocal([one.candidate for one in order], right))
    means = {arm: sum(values) / len(values) for arm, values in told.items()}
    assert means["fused"] >= max(means["lexical"], means["dense"]), means
    assert means["fused"] > 0.95


@installed
async def test_answers_quote_what_was_said_and_say_when_to_listen(
    memory: tuple[MemoryIndex, Memory], user: UUID
) -> None:
    right = 0
    for question, place in ASKED:
        told, _ = await memory[1].ask(user, Asked(question, START, LISBON))
        for one in told.citations:
            text = MEMOS[int(one.id.removeprefix("memo-"))]
            assert text[one.start_char : one.end_char] == one.quote
            assert one.quote in told.answer
            assert one.start_ms is not None
            assert one.end_ms is not None
            assert one.start_ms < one.end_ms
        right += bool(told.citations) and told.citations[0].id == f"memo-{place}"
    assert right >= 11


@installed
async def test_questions_without_an_answer_are_declined(memory: tuple[MemoryIndex, Memory], user: UUID) -> None:
    told = [(await memory[1].ask(user, Asked(question, START, LISBON)))[0] for question in UNANSWERED]
    assert [(q, one.answer) for q, one in zip(UNANSWERED, told, strict=True) if one.found] == []
    closest = [one.answer for one in told if one.answer != NO_ANSWER]
    assert len(closest) <= 1  # what somebody else plays may be told as that
    assert all(one.startswith("The closest I have: ") for one in closest)


async def test_without_a_model_words_alone_are_searched(database: Database, user: UUID) -> None:
    index, model = MemoryIndex(database), local_model()
    await index.keep(user, [(memo(n, text), units_of(memo(n, text))) for n, text in enumerate(MEMOS)])
    answered, by_meaning = await Memory(index, Only(model), scorer=model).ask(
        user, Asked("why did the car fail inspection?", START, LISBON)
    )
    assert (answered.found, by_meaning) == (True, False)
    assert answered.citations[0].id == "memo-9"
    declined = [
        (await Memory(index, Only(model), scorer=model).ask(user, Asked(q, START, LISBON)))[0] for q in UNANSWERED
    ]
    assert [one.answer for one in declined if one.found] == []
    assert model._worker.pid is None


@installed
async def test_many_questions_at_once_get_their_own_vectors(memory: tuple[MemoryIndex, Memory], user: UUID) -> None:
    asked = [Asked(question, START, LISBON) for question, _ in ASKED]
    alone = [await memory[1].search(user, one) for one in asked]
    assert await asyncio.gather(*(memory[1].search(user, one) for one in asked)) == alone


async def test_a_note_and_the_message_that_made_it_are_quoted_once(database: Database, user: UUID) -> None:
    index, words = MemoryIndex(database), "the spare key of the shed hangs behind the blue pot"
    for source, text in (("note", words), ("message", f"Note that {words}"), ("note", "the shed needs paint")):
        document = Document(source, str(uuid4()), text, START)  # type: ignore[arg-type]
        await index.keep(user, [(document, units_of(document))])
    answer, _ = await Memory(index, Only(HashedWords("small", 64))).ask(
        user, Asked("where does the spare key of the shed hang?", START, LISBON)
    )
    assert len(answer.citations) == 1
    assert words in answer.answer


@pytest.mark.parametrize(
    ("known", "units", "alone", "wanted", "any_of"),
    [
        ({"cabin": 3, "key": 900, "day": 40_000}, 50_000, False, ["cabin", "key"], True),
        # Each too common to bring candidates alone: 50,000 x 5/25 x 5/50 = 1,000 should have both.
        ({"day": 2_000, "work": 1_000, "cabin": 1_001}, 50_000, False, ["work"], True),
        ({"day": 20_000, "work": 1_001, "home": 1_900}, 50_000, False, ["work", "home"], False),
        ({"day": 45_000, "work": 30_000}, 50_000, False, [], False),
        ({"day": 45_000, "work": 30_000}, 50_000, True, ["work", "day"], False),
        ({"day": 0}, 50_000, True, [], False),
        ({"day": 30}, 40, False, ["day"], True),
    ],
)
def test_words_bring_candidates_as_far_as_they_tell_units_apart(
    known: dict[str, int],
    units: int,
    alone: bool,  # noqa: FBT001 - a column
    wanted: list[str],
    any_of: bool,  # noqa: FBT001 - a column
) -> None:
    told = wording(known, units, alone=alone)
    assert (told.wanted, told.any_of) == (wanted, any_of)
