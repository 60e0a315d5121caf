"""Orders, answers and questions to the assistant are no memories, typed or spoken; what stands beside them is one."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from app.memory.model.memory import Asked
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.voice.store.memos import Memos
from tests.integration.app.memory.test_indexing import indexer, put_memo
from tests.support.ledgers import LISBON, NOW
from tests.support.sayings import HashedWords, Only

SAID = """
with made as (
    insert into threads (user_id, id, is_main) values (%(user)s, gen_random_uuid(), false) returning id
), turn as (
    insert into turns (user_id, id, thread_id, seq, body_hash, memo_id, captured_at, timezone, state, result)
    select %(user)s, %(turn)s, made.id, 1, '', %(memo)s, %(at)s, 'UTC', 'done', %(result)s from made returning thread_id
)
insert into messages (user_id, thread_id, seq, role, content, turn_id, token_count)
select %(user)s, thread_id, 1, 'user', %(text)s, %(turn)s, 1 from turn
"""
STATED = "The heron of the upper pond nests early."
ORDER = "Remind me to feed the heron tomorrow at 7."
NOTED: list[tuple[dict[str, Any], list[str]]] = [
    ({"targets": ["update_todos"], "requests": ["remind me to feed the heron tomorrow at 7"]}, [STATED]),
    ({"targets": ["update_todos"], "requests": [f"{STATED} {ORDER}"]}, []),
    ({"targets": [], "requests": []}, [f"{STATED} {ORDER}"]),
    # From before requests were noted: what each sentence is for tells.
    ({"targets": ["update_todos"]}, [STATED]),
    ({"targets": ["recall"]}, [STATED]),
]


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


async def say(database: Database, user: UUID, text: str, result: dict[str, Any], memo: UUID | None = None) -> UUID:
    turn = uuid4()
    values = {"user": user, "turn": turn, "memo": memo, "at": NOW, "text": text, "result": json.dumps(result)}
    async with database.tenant(user) as conn:
        await conn.execute(SAID, values)
    return turn


async def quotes(database: Database, user: UUID) -> list[str]:
    await indexer(database).run(user)
    memory = Memory(MemoryIndex(database), Only(HashedWords("small", 384)))
    asked = Asked("the heron of the upper pond", NOW, LISBON, limit=20)
    return [one.citation.quote for one in (await memory.search(user, asked))[0]]


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize(("result", "kept"), NOTED)
async def test_of_a_message_what_is_stated_is_found(
    database: Database,
    user: UUID,
    result: dict[str, Any],
    kept: list[str],
    spoken: bool,  # noqa: FBT001 - a column
) -> None:
    text = f"{STATED} {ORDER}"
    await say(database, user, text, result, await put_memo(database, user, text) if spoken else None)
    assert await quotes(database, user) == kept


@pytest.mark.parametrize("worker", ["update_todos", "update_events", "update_notes", "update_instructions", "research"])
async def test_an_order_from_before_requests_were_noted_is_no_memory(
    database: Database, user: UUID, worker: str
) -> None:
    await say(database, user, "Feed the heron of the upper pond tomorrow.", {"targets": [worker]})
    assert await quotes(database, user) == []


async def test_uncertain_words_are_a_memory_as_far_as_the_turn_that_a_yes_began_says(
    database: Database, user: UUID
) -> None:
    memo = await put_memo(database, user, STATED)
    await say(database, user, STATED, {"targets": [], "requests": [STATED]}, memo)
    assert await quotes(database, user) == []
    acting = await say(database, user, "yes", {"targets": [], "requests": []})
    async with database.tenant(user) as conn:
        await conn.execute("update memos set turn_id = %s where id = %s", (acting, memo))
    assert await quotes(database, user) == [STATED]


async def test_a_recording_that_memory_has_looked_at_is_indexed_whatever_it_kept(
    database: Database, user: UUID
) -> None:
    memo = await put_memo(database, user, ORDER)
    turn = await say(database, user, ORDER, {"targets": [], "requests": [ORDER]}, memo)
    async with database.tenant(user) as conn:
        await conn.execute("update turns set state = 'waiting' where id = %s", (turn,))
    memos = Memos(database)
    waiting = await memos.get(user, memo)
    assert waiting
    assert waiting.state == "transcribed"
    assert await quotes(database, user) == []
    indexed = await memos.get(user, memo)
    assert indexed
    assert indexed.state == "indexed"
