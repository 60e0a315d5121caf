"""Of statements about one thing the latest is told first, and then what was said before it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.model.memory import Asked, Document
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from tests.integration.app.memory.test_ranking import installed
from tests.support.sayings import START, Only, local_model

LISBON = "Europe/Lisbon"
CHANGED = [
    ("who is our landlord?", "Our landlord is Mr Pires.", "We have a new landlord, Mrs Faria."),
    ("what is the code of the bike lock?", "The code of the bike lock is 3310.", "The bike lock code is 8845 now."),
    (
        "when is the rehearsal with Nuno?",
        "The rehearsal with Nuno is on Monday.",
        "Nuno moved our rehearsal to Friday.",
    ),
    (
        "where is the spare key of the barn?",
        "The spare key of the barn is with Rui.",
        "The spare key of the barn is in a jar.",
    ),
]
DIFFERENT = [
    ("how old is the lawn mower?", "The lawn mower is from 2009.", "The lawn mower is loud again."),
    ("which instrument does Rui play?", "Rui plays the oboe.", "Rui plays chess on Fridays."),
    ("what is the code of the bike lock?", "The code of the bike lock is 3310.", "The code of the shed is 22."),
    ("what did the roofer cost?", "The roofer cost 900 euros.", "The bicycle cost 200 euros."),
]


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


@pytest.fixture(params=[pytest.param(True, marks=installed), False])
async def memory(
    request: pytest.FixtureRequest, database: Database, user: UUID
) -> AsyncIterator[tuple[MemoryIndex, Memory, bool]]:
    index, model = MemoryIndex(database), local_model()
    yield index, Memory(index, Only(model)), bool(request.param)
    await model.close()


async def tell(memory: tuple[MemoryIndex, Memory, bool], user: UUID, said: list[str]) -> None:
    """Things said ten days apart."""
    index, _, by_meaning = memory
    days = [START + timedelta(days=10 * number) for number in range(len(said))]
    documents = [Document("memo", f"m{number}", text, days[number]) for number, text in enumerate(said)]
    units = await index.keep(user, [(one, units_of(one)) for one in documents])
    if by_meaning:
        model = local_model()
        await index.keep_vectors(user, model.model, units, await model.embed(said))
        await index.switch(user, model.model)
        await model.close()


@pytest.mark.parametrize(("question", "first", "then"), CHANGED)
async def test_the_later_one_is_told_and_what_was_before_it(
    memory: tuple[MemoryIndex, Memory, bool], user: UUID, question: str, first: str, then: str
) -> None:
    await tell(memory, user, [first, then])
    answer, _ = await memory[1].ask(user, Asked(question, START + timedelta(days=30), LISBON))
    assert answer.answer == f"On 12 March 2026: “{then}” Before that you said, on 2 March 2026: “{first}”"
    assert [one.quote for one in answer.citations] == [then, first]


@pytest.mark.parametrize(("question", "right", "other"), DIFFERENT)
async def test_something_else_that_was_said_later_does_not_take_its_place(
    memory: tuple[MemoryIndex, Memory, bool], user: UUID, question: str, right: str, other: str
) -> None:
    if not memory[2] and question in (DIFFERENT[0][0], DIFFERENT[1][0]):
        pytest.skip("words alone do not tell that these are about two things")
    await tell(memory, user, [right, other])
    answer, _ = await memory[1].ask(user, Asked(question, START + timedelta(days=30), LISBON))
    assert answer.answer.startswith(f"On 2 March 2026: “{right}”")
    assert "Before that" not in answer.answer


@installed
async def test_a_change_that_is_told_in_other_words_comes_first_too(database: Database, user: UUID) -> None:
    index, model = MemoryIndex(database), local_model()
    memory = (index, Memory(index, Only(model)), True)
    await tell(memory, user, ["The skis are in the cellar.", "I carried the skis up to the attic."])
    answer, _ = await memory[1].ask(user, Asked("where are the skis?", START + timedelta(days=30), LISBON))
    assert answer.answer == (
        "On 12 March 2026: “I carried the skis up to the attic.” "
        "Before that you said, on 2 March 2026: “The skis are in the cellar.”"
    )
    await model.close()


async def test_of_many_statements_the_latest_three_are_told(
    memory: tuple[MemoryIndex, Memory, bool], user: UUID
) -> None:
    said = [f"The rent of the studio is {euros} euros a month." for euros in (500, 510, 520, 530, 540)]
    await tell(memory, user, said)
    answer, _ = await memory[1].ask(user, Asked("how much is the rent of the studio?", START + timedelta(90), LISBON))
    assert [one.quote for one in answer.citations] == said[:1:-1]
    assert answer.answer.count("Before that") == 1


async def test_at_a_time_that_is_asked_for_what_was_said_then_is_told(
    memory: tuple[MemoryIndex, Memory, bool], user: UUID
) -> None:
    await tell(memory, user, [CHANGED[1][1], CHANGED[1][2]])
    asked = Asked(CHANGED[1][0], START + timedelta(days=30), LISBON, until=START + timedelta(days=5))
    answer, _ = await memory[1].ask(user, asked)
    assert answer.answer == f"On 2 March 2026: “{CHANGED[1][1]}”"
