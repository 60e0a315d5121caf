"""Memory embedded by a provider's model: beside the one in use, with progress, and back; and what its server may do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import pytest

from app.database.database import Database
from app.database.secrets import KeyRing
from app.http.accounts.store.users import Users
from app.memory.indexing import Indexer
from app.memory.model.memory import Asked, Progress
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from app.models.llm.embeddings import ChosenModels, vectors_in
from app.models.model.embeddings import NoEmbeddings
from app.models.model.providers import ProviderChange
from app.models.store.providers import Providers
from tests.integration.app.memory.test_indexing import put_memo
from tests.support.fakes import Reply, ScriptedModelServer, embeddings
from tests.support.ledgers import LISBON, NOW
from tests.support.sayings import HashedWords

UNITS = 70
LARGE = "mine/large"


@dataclass
class Site:
    """A user with memos, the local model that embedded them, and a provider beside it."""

    database: Database
    user: UUID
    providers: Providers
    models: ChosenModels

    @property
    def index(self) -> MemoryIndex:
        return MemoryIndex(self.database)

    @property
    def indexer(self) -> Indexer:
        return Indexer(MemorySources(self.database, LISBON), self.index, self.models, 30)

    async def choose(self, model: str) -> None:
        await self.providers.choose(self.user, "embeddings", ["fast", "reason"], "mine", model)

    async def search(self, words: str = "thought number 7 is about gardens") -> tuple[str, bool]:
        found, by_meaning = await Memory(self.index, self.models).search(self.user, Asked(words, NOW, LISBON))
        return found[0].citation.quote, by_meaning

    async def progress(self) -> Progress:
        return await Memory(self.index, self.models).progress(self.user)

    async def stored(self) -> dict[tuple[str, int], int]:
        counted = "select model, vector_dims(embedding) as long, count(*) as n from memory_vectors group by 1, 2"
        async with self.database.tenant(self.user) as conn:
            return {(row["model"], row["long"]): row["n"] for row in await (await conn.execute(counted)).fetchall()}

    async def no_pause(self) -> None:
        async with self.database.tenant(self.user) as conn:
            await conn.execute("update memory_totals set next_try = now() where next_try is not null")


@pytest.fixture
def server() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as opened:
        yield opened


@pytest.fixture
async def site(database: Database, server: ScriptedModelServer, tmp_path: Path) -> Site:
    user = (await Users(database).create("Ada")).id
    providers = Providers(database, KeyRing(tmp_path / "master.key"))
    made = ProviderChange("mine", "Mine", server.base_url, "direct", ("embeddings",))
    await providers.put(UUID(int=0), made)
    await providers.put(user, ProviderChange("mine", api_key="sk-of-ada-0123456789"))
    site = Site(database, user, providers, ChosenModels(providers, HashedWords("small", 384), 20.0))
    for number in range(UNITS):
        await put_memo(database, user, f"Thought number {number} is about gardens.")
    await site.indexer.run(user)
    return site


async def test_384_to_1536_and_back_with_progress_and_a_search_that_never_stops(
    site: Site, server: ScriptedModelServer
) -> None:
    assert await site.progress() == Progress("small", "small", UNITS, UNITS, 0)
    assert await site.indexer.users() == []
    await site.choose("large")
    assert await site.indexer.users() == [site.user], "a choice is noticed by the next look"
    server.script("/embeddings", embeddings(1536), Reply({"error": {}}, status=503))
    await site.indexer.run(site.user)
    assert await site.progress() == Progress("small", LARGE, UNITS, 64, 0)
    assert await site.stored() == {("small", 384): UNITS, (LARGE, 1536): 64}
    assert await site.search() == ("Thought number 7 is about gardens.", True)
    assert await site.indexer.users() == [], "it is left alone for a while"
    await site.no_pause()
    assert await site.indexer.users() == [site.user]
    server.script("/embeddings", embeddings(1536))
    await site.indexer.run(site.user)
    assert await site.progress() == Progress(LARGE, LARGE, UNITS, UNITS, 0)
    assert await site.stored() == {(LARGE, 1536): UNITS}, "nothing was embedded twice, and the old ones are gone"
    assert await site.search() == ("Thought number 7 is about gardens.", True)
    assert server.requests[-1].headers["authorization"] == "Bearer sk-of-ada-0123456789"
    assert sum(len(one.json["input"]) for one in server.to("/embeddings")) == 64 + 6 + 6 + 1
    await site.providers.unchoose(site.user, "embeddings")
    sent = len(server.requests)
    assert await site.search() == ("Thought number 7 is about gardens.", False)
    assert len(server.requests) == sent, "nothing is sent to what is no longer chosen"
    await site.indexer.run(site.user)
    assert await site.stored() == {("small", 384): UNITS}
    assert await site.search() == ("Thought number 7 is about gardens.", True)


async def test_without_a_key_nothing_is_sent_and_words_are_compared(site: Site, server: ScriptedModelServer) -> None:
    server.script("/embeddings", embeddings(1536))
    await site.providers.put(UUID(int=0), ProviderChange("mine", base_url="https://api.example.com/v1"))
    await site.choose("large")
    await site.providers.delete(site.user, "mine")
    await site.indexer.run(site.user)
    assert await site.search() == ("Thought number 7 is about gardens.", True), "the local vectors are still whole"
    assert server.requests == []


async def test_vectors_of_another_length_under_the_same_name_leave_words_alone(
    site: Site, server: ScriptedModelServer
) -> None:
    server.script("/embeddings", embeddings(1536))
    await site.choose("large")
    await site.indexer.run(site.user)
    server.script("/embeddings", embeddings(768))
    assert await site.search() == ("Thought number 7 is about gardens.", False)


ROW = {"index": 0, "embedding": [3.0, 4.0]}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"[" * 100_000,
        json.dumps({"data": []}).encode(),
        json.dumps({"data": [{"index": 1, "embedding": [1.0]}]}).encode(),
        json.dumps({"data": [{**ROW, "embedding": [0.0, 0.0]}]}).encode(),
        json.dumps({"data": [{**ROW, "embedding": ["a"]}]}).encode(),
        json.dumps({"data": [{**ROW, "embedding": [float("nan")]}]}).encode(),
        json.dumps({"data": [{**ROW, "embedding": [1e300]}]}).encode(),
        json.dumps({"data": [{**ROW, "embedding": []}]}).encode(),
        json.dumps({"data": [{**ROW, "embedding": [1.0] * 5000}]}).encode(),
    ],
)
def test_an_answer_that_holds_no_vectors_is_refused(body: bytes) -> None:
    with pytest.raises(NoEmbeddings):
        vectors_in(body, 1)


def test_vectors_are_brought_into_order_and_to_length_one() -> None:
    body = json.dumps({"data": [{"index": 1, "embedding": [0.0, 2.0]}, ROW]}).encode()
    assert [[round(value, 6) for value in vector] for vector in vectors_in(body, 2)] == [[0.6, 0.8], [0.0, 1.0]]


@pytest.mark.parametrize(
    "reply",
    [Reply(drop=True), Reply(status=302, headers={"Location": "/v1/other"}), Reply({"data": 1}), Reply(cut=True)],
)
async def test_a_server_that_fails_is_tried_again_later(site: Site, server: ScriptedModelServer, reply: Reply) -> None:
    server.script("/embeddings", reply)
    await site.choose("large")
    await site.indexer.run(site.user)
    assert await site.progress() == Progress("small", LARGE, UNITS, 0, 0)
    assert await site.indexer.users() == []
    assert [one.path for one in server.requests] == ["/embeddings"]
