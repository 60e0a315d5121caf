"""All that was said of somebody or something: by its names, page by page, and nobody else's."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from app.database.database import Database
from app.errors import InvalidInput
from app.http.accounts.store.users import Users
from app.memory.model.memory import About, Asked, Document, Passage
from app.memory.service import Marks, Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from tests.support.sayings import START, HashedWords, Only
from tests.support.unfiltered import UnfilteredDatabase

TALK = "We should sell the boat.\nNot before spring."
SAID = [
    "Anjali's flat has a blue door. The heron came back.",
    "The boiler rattles again.",
    "My sister called about Christmas.",
    "I wrote a letter to Anjali Rao.",
    "Anji is somebody else.",
]


@pytest.fixture
async def user(database: Database) -> UUID:
    return await settle(database, "Ada", SAID)


async def settle(database: Database, name: str, said: list[str]) -> UUID:
    """A user with memos, one a day, and a fact."""
    user = (await Users(database).create(name)).id
    documents = [day_of(number, text) for number, text in enumerate(said)]
    fact = Document("fact", "profile", "sister: Anjali", START, "", [Passage(0, 14, "sister")])
    spoken = Document("memo", "talk", TALK, START, "", [Passage(0, 24, "Tom"), Passage(25, len(TALK), "Una")])
    every = [*documents, fact, spoken]
    await MemoryIndex(database).keep(user, [(one, units_of(one, most=12)) for one in every])
    return user


def day_of(number: int, text: str) -> Document:
    return Document("memo", f"m{number}", text, START + timedelta(days=number))


async def about(database: Database, user: UUID, subject: str, limit: int = 50, cursor: str | None = None) -> About:
    memory = Memory(MemoryIndex(database), Only(HashedWords("small", 64)))
    return await memory.about(user, subject, limit, cursor)


async def test_what_names_it_is_told_the_latest_first_by_every_name_that_facts_give_it(
    database: Database, user: UUID
) -> None:
    found = await about(database, user, "Anjali")
    assert found.names == ["anjali", "sister"]
    assert [one.quote for one in found.items] == [SAID[3], SAID[2], "sister: Anjali", "Anjali's flat has a blue door."]
    assert (found.units, found.first_at, found.last_at, found.next) == (4, START, START + timedelta(days=3), None)
    [fact] = [one for one in found.items if one.source == "fact"]
    assert (fact.id, fact.start_char, fact.end_char) == ("profile", 0, 14)


async def test_pages_tell_everything_once_and_count_the_whole(database: Database, user: UUID) -> None:
    told, cursor = [], None
    while True:
        found = await about(database, user, "anjali", 1, cursor)
        assert (found.units, found.first_at) == (4, START)
        told += [one.quote for one in found.items]
        if (cursor := found.next) is None:
            break
    assert told == [one.quote for one in (await about(database, user, "anjali")).items]


@pytest.mark.parametrize(
    ("subject", "quotes"),
    [
        ("Una", ["Not before spring."]),
        ("boilers", ["The boiler rattles again."]),
        ("blue door", ["Anjali's flat has a blue door."]),
        ("door blue", []),
        ("lighthouse", []),
        ("the", []),
        ("' | !x", []),
    ],
)
async def test_a_name_is_found_as_a_whole_also_as_a_speakers(
    database: Database, user: UUID, subject: str, quotes: list[str]
) -> None:
    assert [one.quote for one in (await about(database, user, subject)).items] == quotes


async def test_what_is_deleted_is_told_no_more(database: Database, user: UUID) -> None:
    await MemoryIndex(database).hide(user, [("memo", "m3")])
    found = await about(database, user, "anjali")
    assert (found.units, found.last_at) == (3, START + timedelta(days=2))


@pytest.mark.parametrize("cursor", ["", "x", "WzEsMl0", "WyJ4IiwgIjEiXQ", "WyIyMDI2LTAxLTAxIiwgIjEiXQ"])
async def test_a_cursor_that_no_list_gave_out_is_refused(database: Database, user: UUID, cursor: str) -> None:
    with pytest.raises(InvalidInput):
        await about(database, user, "anjali", 1, cursor)


@pytest.mark.parametrize("kind", [Database, UnfilteredDatabase])
async def test_nobody_hears_what_another_said(database: Database, user: UUID, kind: type[Database]) -> None:
    other = await settle(database, "Bo", ["Anjali keeps bees."])
    async with kind(database.url) as opened:
        mine, theirs = await about(opened, user, "anjali"), await about(opened, other, "anjali")
    assert {one.quote for one in theirs.items} == {"Anjali keeps bees.", "sister: Anjali"}
    assert (mine.units, theirs.units) == (4, 2)


async def test_a_question_that_finds_nothing_by_one_name_is_asked_by_another(database: Database) -> None:
    user = await settle(database, "Cy", ["Anjali is at home after nine.", "My sister in law sold the canoe."])
    question = Asked("When is my sister at home?", START, "UTC")
    for names, quoted in ((0, False), (3, True)):
        marks = Marks(answer=0.3, names=names)
        memory = Memory(MemoryIndex(database), Only(HashedWords("small", 64)), marks=marks)
        told, _ = await memory.ask(user, question)
        assert (told.found and told.citations[0].quote == "Anjali is at home after nine.") is quoted, told
