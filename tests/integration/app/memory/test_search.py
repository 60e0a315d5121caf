"""A search lists what is near, each thing once with all places where it stands, and nothing that is far away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.model.memory import Asked, Document, DocumentRef, Source
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.units import units_of
from app.models.model.embeddings import Embedder
from tests.integration.app.memory.test_ranking import installed
from tests.support.ledgers import LISBON, NOW
from tests.support.sayings import Only, local_model

SAID = {
    "kiln": "The kiln in the yard cracked in the frost.",
    "eel": "My cousin smokes eels on the island.",
    "violin": "The violin needs a new bow before the concert.",
    "lease": "The lease of the studio ends in September.",
    "apple": "apples",
    "yes": "yes",
}
NEAR = {
    "kiln": {"kiln"},
    "what happened in the yard in the frost?": {"kiln"},
    "eels": {"eel"},
    "smoked fish": {"eel"},
    "new bow for the violin": {"violin"},
    "when does the lease end?": {"lease"},
    "fruit": {"apple"},
    "submarine": set[str](),
    "tax return of last year": set[str](),
    "what is the capital of Peru?": set[str](),
}


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


async def filled(database: Database, user: UUID, embedder: Embedder | None) -> MemoryIndex:
    index = MemoryIndex(database)
    documents = [Document("memo", name, text, NOW) for name, text in SAID.items()]
    units = await index.keep(user, [(one, units_of(one)) for one in documents])
    if embedder:
        await index.keep_vectors(user, embedder.model, units, await embedder.embed(list(SAID.values())))
        await index.switch(user, embedder.model)
    return index


@pytest.fixture
async def by_meaning(database: Database, user: UUID) -> AsyncIterator[Memory]:
    model = local_model()
    yield Memory(await filled(database, user, model), Only(model))
    await model.close()


@installed
@pytest.mark.parametrize(("words", "near"), NEAR.items())
async def test_only_what_is_near_is_listed(by_meaning: Memory, user: UUID, words: str, near: set[str]) -> None:
    found, _ = await by_meaning.search(user, Asked(words, NOW, LISBON, limit=50))
    assert {one.citation.id for one in found} == near


@pytest.mark.parametrize("words", ["kiln", "eels", "violin bow", "submarine", "tax return of last year"])
async def test_by_words_alone_only_what_has_them_is_listed(database: Database, user: UUID, words: str) -> None:
    memory = Memory(await filled(database, user, None), Only(local_model()))
    found, compared = await memory.search(user, Asked(words, NOW, LISBON, limit=50))
    assert ({one.citation.id for one in found}, compared) == (NEAR.get(words, {"violin"}), False)


@installed
async def test_scores_are_shares_of_one_and_fall(by_meaning: Memory, user: UUID) -> None:
    found, _ = await by_meaning.search(user, Asked("the kiln cracked, and the violin needs a bow", NOW, LISBON))
    scores = [one.score for one in found]
    assert len(scores) == 2
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


async def test_by_words_alone_what_has_all_words_alike_scores_alike(database: Database, user: UUID) -> None:
    index = MemoryIndex(database)
    documents = [Document("memo", f"m{number}", f"The kiln has {number} legs.", NOW) for number in range(3)]
    await index.keep(user, [(one, units_of(one)) for one in documents])
    found, _ = await Memory(index, Only(local_model())).search(user, Asked("kiln", NOW, LISBON))
    assert [one.score for one in found] == [pytest.approx(1.0, abs=0.01)] * 3


async def test_what_stands_in_several_places_is_one_result_that_names_them(database: Database, user: UUID) -> None:
    index = MemoryIndex(database)
    places: list[tuple[Source, str]] = [("note", "the kiln cracked"), ("message", "The kiln cracked!")]
    documents = [Document(source, str(uuid4()), text, NOW) for source, text in places]
    await index.keep(user, [(one, units_of(one)) for one in documents])
    [match], _ = await Memory(index, Only(local_model())).search(user, Asked("kiln", NOW, LISBON))
    assert set(match.places) == {DocumentRef(one.source, one.id) for one in documents}
    assert DocumentRef(match.citation.source, match.citation.id) == match.places[0]
