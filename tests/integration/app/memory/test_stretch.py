"""What was said in a stretch of time, how often something was done, and what only comes closest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.model.memory import Asked, Document
from app.memory.service import Marks, Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from tests.support.ledgers import LISBON
from tests.support.sayings import HashedWords, Only

NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)
SAID = {
    "2026-11-09": "The gutter leaks.",
    "2026-11-16": "I painted the gate. It is green now.",
    "2026-11-18": "Swam a kilometre in the lake.",
    "2026-11-22": "Swam in the lake again.",
    "2026-11-24": "The gutter is new.",
}


@pytest.fixture
async def user(database: Database) -> UUID:
    user, index = (await Users(database).create("Ada")).id, MemoryIndex(database)
    for day, text in SAID.items():
        document = Document("memo", day, text, datetime.fromisoformat(f"{day}T18:00+00:00"))
        await index.keep(user, [(document, units_of(document))])
    return user


async def test_a_week_is_told_day_by_day_and_another_ones_user_is_told_nothing(database: Database, user: UUID) -> None:
    memory = Memory(MemoryIndex(database), Only(HashedWords("small", 64)))
    told, _ = await memory.ask(user, Asked("what did I say last week?", NOW, LISBON))
    assert told.found
    assert told.answer == (
        "On 16 November 2026: “I painted the gate. It is green now.” "
        "On 18 November 2026: “Swam a kilometre in the lake.” On 22 November 2026: “Swam in the lake again.”"
    )
    assert [one.id for one in told.citations] == ["2026-11-16", "2026-11-18", "2026-11-22"]
    other = (await Users(database).create("Bea")).id
    none, _ = await memory.ask(other, Asked("what did I say last week?", NOW, LISBON))
    assert (none.found, none.citations) == (False, [])


async def test_a_long_stretch_is_told_by_so_many_quotes_as_are_set(database: Database, user: UUID) -> None:
    memory = Memory(MemoryIndex(database), Only(HashedWords("small", 64)), marks=Marks(stretch_quotes=2))
    told, _ = await memory.ask(user, Asked("what happened in November?", NOW, LISBON, limit=2))
    assert told.answer.startswith("You said 5 things; 2 of them: On ")
    assert len(told.citations) == 2


async def test_what_was_hidden_is_in_no_stretch(database: Database, user: UUID) -> None:
    index = MemoryIndex(database)
    await index.hide(user, [("memo", "2026-11-18")])
    within = await index.within(user, NOW - timedelta(days=12), NOW, 10)
    assert [one.document for one in within] == ["2026-11-16", "2026-11-22", "2026-11-24"]
    assert [one.document for one in await index.within(user, NOW - timedelta(days=60), NOW, 2)] == [
        "2026-11-22",
        "2026-11-24",
    ]


async def test_below_the_mark_the_closest_is_told_as_that(database: Database, user: UUID) -> None:
    question = Asked("where did I swim a kilometre in the lake?", NOW, LISBON)
    strict = Memory(MemoryIndex(database), Only(HashedWords("small", 64)), marks=Marks(answer=0.999, closest=0.001))
    told, _ = await strict.ask(user, question)
    assert not told.found
    assert told.answer.startswith("The closest I have: on 18 November 2026: “Swam a kilometre in the lake.”")
    assert told.citations[0].id == "2026-11-18"
    lax = Memory(MemoryIndex(database), Only(HashedWords("small", 64)), marks=Marks(answer=0.001, closest=0.001))
    assert (await lax.ask(user, question))[0].found
