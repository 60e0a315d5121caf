"""Topics: what is found to belong together, how it is named, and what is left of what was said to be done."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from agents.understanding import BuiltIn
from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.communities import communities
from app.memory.loops import covers, duties
from app.memory.model.memory import Document
from app.memory.store.memory import MemoryIndex
from app.memory.store.topics import Topics
from app.memory.units import units_of
from app.models.model.embeddings import Embedder, Vector
from tests.integration.app.memory.test_indexing import indexer
from tests.support.ledgers import LISBON
from tests.support.sayings import START, HashedWords
from tests.support.servers.api import problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.servers.turn_server import turn_server
from tests.support.topics import SAID, keeper, say, say_and_find

BOILER, CELLO = {0, 2, 3}, {1, 4, 6}


class Subjects:
    """An embedder that knows boilers and cellos."""

    model = "subjects"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [[float("boiler" in one), float("cello" in one), float("tram" in one)] for one in texts]


PUT_TASK = """
insert into store (prefix, key, value, created_at, updated_at) values (%s, %s, %s, now(), now())
"""


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


async def members(database: Database, user: UUID) -> dict[str, set[int]]:
    topics = Topics(database)
    found = {}
    for one in await topics.largest(user):
        page = await topics.get(user, one.id, 50, None)
        assert page is not None
        found[one.name] = {int(cited.id.removeprefix("memo-")) for cited in page.items}
    return found


def test_nodes_that_are_tied_to_one_another_are_a_group() -> None:
    triangles = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0), (3, 4, 1.0), (4, 5, 1.0), (3, 5, 1.0), (2, 3, 0.1)]
    assert communities(7, triangles) == [[0, 1, 2], [3, 4, 5], [6]]
    assert communities(2, []) == [[0], [1]]


@pytest.mark.parametrize("model", [None, Subjects()])
async def test_topics_are_named_by_their_own_words(database: Database, user: UUID, model: Embedder | None) -> None:
    await say(database, user, SAID, model)
    job = keeper(database)
    assert await job.users() == [user]
    await job.run(user)
    assert await job.users() == []
    found = await members(database, user)
    assert sorted(found.values(), key=min) == [BOILER, CELLO]
    assert {name.split(", ")[0] for name in found} <= {"boiler", "cello", "Teresa"}
    [boiler] = [one for one in await Topics(database).largest(user) if "boiler" in one.words]
    assert (boiler.units, boiler.first_at, boiler.last_at) == (3, START, START + timedelta(days=3))
    assert {one.quote for one in boiler.citations} == {SAID[number] for number in BOILER}


async def test_a_day_that_comes_again_is_no_topic(database: Database, user: UUID) -> None:
    said = ("Every Monday the bin goes out.", "The choir sings every Monday.", "Dad rings every Monday at noon.")
    await say(database, user, [*said, *SAID])
    await keeper(database).run(user)
    assert sorted((await members(database, user)).values(), key=min) == [{3, 5, 6}, {4, 7, 9}]


async def test_orders_are_no_topic_and_thoughts_are(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        for part in ("valve", "pump", "bill"):
            await server.say(f"add call the plumber about the boiler {part}")
        await indexer(database).run(server.user)
        await keeper(database).run(server.user)
        assert await members(database, server.user) == {}
        await say(database, server.user, SAID)
        await keeper(database).run(server.user)
        assert sorted(map(len, (await members(database, server.user)).values())) == [3, 3]


async def test_a_deleted_memo_leaves_its_topic_and_its_words_at_once(database: Database, user: UUID) -> None:
    await say(database, user, SAID)
    await keeper(database).run(user)
    index = MemoryIndex(database)
    await index.hide(user, [("memo", "memo-1"), ("memo", "memo-4")])
    [cello] = [one for one in await Topics(database).largest(user) if "cello" in one.words]
    assert [one.quote for one in cello.citations] == [SAID[6]]
    await index.hide(user, [("memo", "memo-6")])
    assert [one.units for one in await Topics(database).largest(user)] == [3]
    insights = await Topics(database).insights(user, LISBON)
    assert (insights.units, sum(insights.weekdays), sum(insights.hours)) == (4, 4, 4)
    await index.purge(user, datetime.now(UTC))
    async with database.tenant(user) as conn:
        row = await (await conn.execute("select count(*) as units from memory_topic_units")).fetchone()
    assert row == {"units": 4}


async def test_a_topic_keeps_its_id_and_is_made_again_only_for_something_new(database: Database, user: UUID) -> None:
    await say(database, user, SAID)
    await keeper(database).run(user)
    before = {one.id for one in await Topics(database).largest(user)}
    await say(database, user, [*SAID, "Nobody repairs a boiler of that age."])
    assert await keeper(database, minutes=5).users() == []
    assert await keeper(database).users() == [user]
    await keeper(database).run(user)
    after = {one.id for one in await Topics(database).largest(user)}
    assert len(after) == 2
    # Everything was indexed anew, which takes units out of their topics, so the ids are new; from now on they stay.
    assert before.isdisjoint(after)
    documents = [Document("memo", "memo-9", "The boiler is silent now.", START + timedelta(days=9))]
    await MemoryIndex(database).keep(user, [(one, units_of(one)) for one in documents])
    await keeper(database).run(user)
    assert {one.id for one in await Topics(database).largest(user)} == after


async def test_pages_of_a_topic_and_nobody_elses(database: Database, user: UUID) -> None:
    await say(database, user, SAID)
    await keeper(database).run(user)
    topics = Topics(database)
    [one, _] = await topics.largest(user)
    first = await topics.get(user, one.id, 2, None)
    assert first is not None
    rest = await topics.get(user, one.id, 2, first.next)
    assert rest is not None
    assert (len(first.items), len(rest.items), rest.next) == (2, 1, None)
    other = (await Users(database).create("Ben")).id
    assert await topics.get(other, one.id, 2, None) is None
    assert await topics.largest(other) == []
    assert await topics.get(user, uuid4(), 2, None) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I need to call the dentist.", ["call the dentist"]),
        ("The tap drips, so we really must buy a washer, and I have to water the plants.", None),
        ("Don't forget to pay the rent!", ["pay the rent"]),
        ("Remind me to renew the passport", ["renew the passport"]),
        ("Do I need to call the dentist?", []),
        ("If I have to move, I sell the piano.", []),
        ("I had to call the dentist.", []),
        ("I must have lost the key.", []),
        ("I should not eat cheese.", []),
        ("He said I should rest more.", []),
        ("I don't have to call anybody.", []),
    ],
)
def test_what_a_sentence_says_is_to_be_done(text: str, wanted: list[str] | None) -> None:
    found = list(duties(text))
    assert all(text[one.start : one.end].endswith(one.what) for one in found)
    if wanted is None:
        assert found[0].what.startswith("buy a washer")
    else:
        assert [one.what for one in found] == wanted


def test_a_record_covers_what_it_shares_most_words_with() -> None:
    assert covers({"call", "dentist"}, {"call", "dentist", "tooth"})
    assert not covers({"call", "plumber", "boiler"}, {"call", "dentist", "tooth"})
    assert not covers(set(), {"call"})


async def test_an_open_loop_is_told_until_a_task_or_later_words_cover_it(database: Database, user: UUID) -> None:
    said = ("Long day. I need to call the dentist about the tooth.", "We have to paint the fence.",
            "Painted the fence.", "I must renew the passport.", "Do I need to buy bread?")  # fmt: skip
    await say(database, user, said)
    await keeper(database).run(user)
    topics = Topics(database)
    loops = (await topics.insights(user, LISBON)).open_loops
    assert [one.what for one in loops] == ["renew the passport", "call the dentist about the tooth"]
    cited = loops[1].citation
    assert (cited.id, said[0][cited.start_char : cited.end_char]) == ("memo-0", cited.quote)
    assert cited.quote == "I need to call the dentist about the tooth"
    task = {"id": "t1", "task": "Call the dentist"}
    async with database.tenant(user) as conn:
        await conn.execute(PUT_TASK, (f"todo.{user}", "t1", json.dumps(task)))
    assert [one.what for one in (await topics.insights(user, LISBON)).open_loops] == ["renew the passport"]
    await MemoryIndex(database).hide(user, [("memo", "memo-3")])
    assert (await topics.insights(user, LISBON)).open_loops == []


async def test_three_hundred_units_take_little_processor_time(database: Database, user: UUID) -> None:
    texts = [f"Thing {number % 97} about subject {number % 41} and place {number % 13}." for number in range(300)]
    await say(database, user, texts, HashedWords("small", 384))
    began = time.process_time()
    await keeper(database).run(user)
    assert time.process_time() - began < 10.0


def test_topics_and_insights_over_http(database_url: str, tmp_path: Path) -> None:
    admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    with live_server(settings_for(database_url, tmp_path)) as url, plain_client(url) as client:
        ada = client.post("/v1/users", json={"name": "Ada"}, headers=admin).json()
        own = {"Authorization": f"Bearer {ada['api_key']}"}
        ben = client.post("/v1/users", json={"name": "Ben"}, headers=admin).json()
        asyncio.run(say_and_find(database_url, UUID(ada["id"])))
        topics = client.get("/v1/topics", headers=own).json()["items"]
        assert sorted(one["units"] for one in topics) == [3, 3]
        address = f"/v1/topics/{topics[0]['id']}"
        first = client.get(address, params={"limit": 2}, headers=own).json()
        rest = client.get(address, params={"limit": 2, "cursor": first["next"]}, headers=own).json()
        quotes = [one["quote"] for one in [*first["items"], *rest["items"]]]
        assert (first["name"], len(quotes), rest["next"]) == (topics[0]["name"], 3, None)
        insights = client.get("/v1/insights", headers=own).json()
        assert [one["what"] for one in insights["open_loops"]] == ["call the dentist"]
        assert insights["open_loops"][0]["citation"]["quote"] == "I need to call the dentist"
        assert (insights["units"], sum(insights["weekdays"]), len(insights["hours"])) == (8, 8, 24)
        problem(client.get(address, params={"cursor": "x"}, headers=own), 422)
        other = {"Authorization": f"Bearer {ben['api_key']}"}
        problem(client.get(address, headers=other), 404)
        assert client.get("/v1/topics", headers=other).json() == {"items": [], "next": None}
        assert client.get("/v1/insights", headers=other).json()["open_loops"] == []


async def index_and_find(url: str, user: UUID, memos: Sequence[str]) -> None:
    async with Database(url) as database:
        documents = [Document("memo", memo, text, START) for memo, text in zip(memos, SAID, strict=True)]
        await MemoryIndex(database).keep(user, [(one, units_of(one)) for one in documents])
        await keeper(database).run(user)


def test_the_words_of_its_topics_are_a_memos_tags(database_url: str, tmp_path: Path) -> None:
    admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    with live_server(settings_for(database_url, tmp_path)) as url, plain_client(url) as client:
        ada = client.post("/v1/users", json={"name": "Ada"}, headers=admin).json()
        own = {"Authorization": f"Bearer {ada['api_key']}"}
        made = [client.post("/v1/memos", json={"transcript": text}, headers=own).json() for text in SAID]
        assert [one["tags"] for one in made] == [[]] * len(SAID)
        ids = [str(one["id"]) for one in made]
        asyncio.run(index_and_find(database_url, UUID(ada["id"]), ids))

        def tagged(**query: str | int) -> set[int]:
            items = client.get("/v1/memos", params=query, headers=own).json()["items"]
            return {ids.index(one["id"]) for one in items}

        tags = [client.get(f"/v1/memos/{memo}", headers=own).json()["tags"] for memo in ids]
        assert {number for number, words in enumerate(tags) if "boiler" in words} == BOILER
        assert {number for number, words in enumerate(tags) if "cello" in words} == CELLO
        assert tags[5] == []
        assert (tagged(tag="boiler"), tagged(tag="cello"), tagged(tag="tram")) == (BOILER, CELLO, set())
        assert len(tagged(tag="boiler", limit=2)) == 2
        problem(client.get("/v1/memos", params={"tag": ""}, headers=own), 422)
