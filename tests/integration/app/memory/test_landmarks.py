"""Questions whose time hangs on something that was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.landmarks import landmark_in
from app.memory.model.memory import Asked, Document
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from tests.support.ledgers import LISBON
from tests.support.sayings import HashedWords, Only

SAID = {
    "early": (datetime(2026, 1, 10, 9, tzinfo=UTC), "The job at the bakery is boring."),
    "move": (datetime(2026, 3, 3, 9, tzinfo=UTC), "We moved to Porto today."),
    "late": (datetime(2026, 5, 5, 9, tzinfo=UTC), "The job at the bakery is fun now."),
}
MOVED = "3 March 2026 (“We moved to Porto today.”):"


@pytest.mark.parametrize(
    ("question", "side", "what"),
    [
        ("what did I say about the job before I moved?", "before", "I moved"),
        ("How was the job since we moved to Porto, really?", "since", "we moved to Porto"),
        ("what did I say before?", None, None),
        ("what is before noon", None, None),
    ],
)
def test_what_a_time_hangs_on(question: str, side: str | None, what: str | None) -> None:
    found = landmark_in(question)
    assert (found and found.side, found and found.what) == (side, what)


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        (
            "what did I say about the job at the bakery before I moved?",
            f"Before {MOVED} On 10 January 2026: “The job at the bakery is boring.”",
            ["early", "move"],
        ),
        (
            "what did I say about the job at the bakery since we moved?",
            f"Since {MOVED} On 5 May 2026: “The job at the bakery is fun now.”",
            ["late", "move"],
        ),
        ("what did I say about the astronomer before I moved?", f"Before {MOVED} I don't have that.", ["move"]),
        (
            "what did I say about the astronomer before I married?",
            "I don't know when “I married” was, so I looked at all times. I don't have that.",
            [],
        ),
        (
            "when did I last mention the job at the bakery before I moved?",
            f"Before {MOVED} On 10 January 2026: “The job at the bakery is boring.”",
            ["early", "move"],
        ),
    ],
)
async def test_it_is_looked_for_first(database: Database, question: str, answer: str, cited: list[str]) -> None:
    user, index = (await Users(database).create("Ada")).id, MemoryIndex(database)
    for name, (at, text) in SAID.items():
        document = Document("memo", name, text, at)
        await index.keep(user, [(document, units_of(document))])
    memory = Memory(index, Only(HashedWords("small", 64)))
    told, _ = await memory.ask(user, Asked(question, datetime(2026, 6, 1, 9, tzinfo=UTC), LISBON))
    assert (told.answer, [one.id for one in told.citations]) == (answer, cited)
