"""When something was said first or last, and how often: over all that matches."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agents.user_words.remembering import OverAll, over_all
from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.model.memory import Asked, Document
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from tests.support.ledgers import LISBON
from tests.support.sayings import START, HashedWords, Only


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When did I first mention the boiler?", OverAll("first", "the boiler?")),
        ("when did I last talk about Lena", OverAll("last", "Lena")),
        ("when was the first time that I said my knee hurts?", OverAll("first", "my knee hurts?")),
        ("When did I talk about moving for the last time?", OverAll("last", "moving")),
        ("how often did I say that I am tired?", OverAll("often", "I am tired?")),
        ("how many times have I mentioned Georgia?", OverAll("often", "Georgia?")),
        ("when did I say that I first met Lena?", None),
        ("how often does the bus leave?", None),
        ("what did I say about the boiler?", None),
        ("when did I first mention", None),
    ],
)
def test_what_is_asked_over_all_that_was_said(question: str, wanted: OverAll | None) -> None:
    assert over_all(question) == wanted


SAID = ("My left knee hurts again.", "The tram was late.", "Again my left knee hurts on the stairs.",
        "After the walk my left knee hurts less.")  # fmt: skip


async def test_the_first_the_last_and_how_often(database: Database) -> None:
    user, index = (await Users(database).create("Ada")).id, MemoryIndex(database)
    for day, text in enumerate(SAID):
        document = Document("memo", f"memo-{day}", text, START + timedelta(days=day))
        await index.keep(user, [(document, units_of(document))])
    memory = Memory(index, Only(HashedWords("small", 64)))
    for question, answer, cited in (
        ("when did I first say that my left knee hurts?", "On 2 March 2026: “My left knee hurts again.”", [0]),
        ("when did I last mention my left knee?", "On 5 March 2026: “After the walk my left knee hurts less.”", [3]),
        ("when did I first mention the astronomer?", "I don't have that.", []),
    ):
        told, _ = await memory.ask(user, Asked(question, START + timedelta(days=9), LISBON))
        assert (told.answer, [one.id for one in told.citations]) == (answer, [f"memo-{day}" for day in cited])
    often, _ = await memory.ask(user, Asked("how often did I say that my left knee hurts?", START, LISBON, limit=2))
    assert often.answer.startswith("3 times. On 5 March 2026: ")
    assert [one.id for one in often.citations] == ["memo-3", "memo-2"]


async def test_all_that_was_said_is_told_over_time_and_counted(database: Database) -> None:
    user, index = (await Users(database).create("Ada")).id, MemoryIndex(database)
    for day in range(8):
        document = Document("memo", f"memo-{day}", f"The roof leaks at place {day}.", START + timedelta(days=day))
        await index.keep(user, [(document, units_of(document))])
    memory = Memory(index, Only(HashedWords("small", 64)))

    async def told(question: str, limit: int) -> tuple[str, list[str]]:
        found, _ = await memory.ask(user, Asked(question, START + timedelta(days=20), LISBON, limit=limit))
        return found.answer, [one.id for one in found.citations]

    answer, cited = await told("summarise all my thoughts on the roof that leaks", 4)
    assert answer.startswith("You said 8 things about it, from 2 March 2026 to 9 March 2026; 4 of them: On ")
    assert [int(one[-1]) // 2 for one in cited] == [0, 1, 2, 3]
    whole, cited = await told("summarise all my thoughts on the roof that leaks until 3 March 2026", 4)
    assert (cited, whole.startswith("On 2 March 2026: “The roof leaks at place 0.”")) == (["memo-0", "memo-1"], True)
    assert await told("summarise my thoughts on the astronomer", 4) == ("I don't have that.", [])
