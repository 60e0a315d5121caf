"""Nobody's memory is ever another's: by their filters, and by row-level security alone when every filter is lost."""

from __future__ import annotations

from uuid import UUID

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.model.memory import Document, Query
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from tests.support.sayings import START, HashedWords
from tests.support.unfiltered import UnfilteredCursor, UnfilteredDatabase

NAMES = ("1", "12", "%", "_", "a.b@c", "'", "\\", "u", "null", "public", "*", "1' or '1'='1")
WORDS = HashedWords("small", 64)
QUESTIONS = ("the secret of", "secret", "1", "12", "%", "_", "a.b@c", "'", "\\", "nothing like it", "of | !of", ":*",
             "secret & !secret", "the", "s", "number")  # fmt: skip


async def fill(database: Database) -> dict[str, str]:
    index, owners = MemoryIndex(database), {}
    for number in range(24):
        user = await Users(database).create(NAMES[number % len(NAMES)])
        text = f"The secret of {NAMES[number % len(NAMES)]} is number {number}."
        document = Document("memo", f"memo-{number}", text, START)
        ids = await index.keep(user.id, [(document, units_of(document))])
        await index.keep_vectors(user.id, "small", ids, await WORDS.embed([text]))
        owners[str(user.id)] = f"memo-{number}"
    return owners


@pytest.mark.parametrize("kind", [Database, UnfilteredDatabase])
async def test_24_tenants_ask_16_questions_each_and_see_their_own_alone(
    database: Database, kind: type[Database]
) -> None:
    owners = await fill(database)
    UnfilteredCursor.forgotten.clear()
    async with kind(database.url) as opened:
        index, rows = MemoryIndex(opened), 0
        for user, own in owners.items():
            for question in QUESTIONS:
                [vector] = await WORDS.embed([question])
                found = await index.search(UUID(user), Query(question, vector, "small"))
                assert {one.document for one in found.candidates} <= {own}, (user, question)
                rows += len(found.candidates)
    assert rows == 384
    assert bool(UnfilteredCursor.forgotten) == (kind is UnfilteredDatabase)
