from __future__ import annotations

import asyncio
import operator
from typing import Annotated, Any
from uuid import UUID, uuid4

import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict

from app.database.database import Database
from app.database.saver import TenantSaver
from app.principal import Fence, NoPrincipal, Principal, StaleLease, acting_as

TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


class State(TypedDict):
    words: Annotated[list[str], operator.add]


def _graph(saver: TenantSaver) -> CompiledStateGraph[Any, Any, Any, Any]:
    builder = StateGraph(State)

    async def echo(state: State) -> State:
        await asyncio.sleep(0)
        return {"words": [f"{word}!" for word in state["words"][-1:]]}

    builder.add_node("first", echo)
    builder.add_node("second", echo)
    builder.add_edge(START, "first")
    builder.add_edge("first", "second")
    builder.add_edge("second", END)
    return builder.compile(checkpointer=saver)


def _config(user: UUID, thread: UUID | None = None) -> RunnableConfig:
    return {"configurable": {"thread_id": f"{user}:{thread or uuid4()}", "checkpoint_ns": ""}}


@pytest.fixture
async def saver(database: Database) -> TenantSaver:
    return TenantSaver(database)


async def _running_turn(database: Database, user: UUID, generation: int = 1) -> UUID:
    turn, thread = uuid4(), uuid4()
    async with database.tenant(user) as conn:
        await conn.execute("insert into users (user_id, name) values (%s, 'anna') on conflict do nothing", (user,))
        await conn.execute("insert into threads (user_id, id) values (%s, %s)", (user, thread))
        await conn.execute(
            "insert into turns (user_id, id, thread_id, seq, body_hash, text, captured_at, timezone, state, "
            "lease_generation) values (%s, %s, %s, 1, '', 'hello', now(), 'UTC', 'running', %s)",
            (user, turn, thread, generation),
        )
    return turn


async def _take_over(database: Database, user: UUID, turn: UUID) -> None:
    async with database.tenant(user) as conn:
        await conn.execute("update turns set lease_generation = lease_generation + 1 where id = %s", (turn,))


async def _counts(database: Database, user: UUID) -> dict[str, int]:
    found = {}
    async with database.tenant(user) as conn:
        for table in TABLES:
            [row] = await (await conn.execute(f"select count(*) as many from {table}")).fetchall()  # noqa: S608
            found[table] = row["many"]
    return found


@pytest.mark.parametrize("durability", ["exit", "async", "sync"])
async def test_sixteen_graphs_at_once_keep_their_own_states(saver: TenantSaver, durability: Any) -> None:
    graph = _graph(saver)

    async def converse(number: int) -> list[str]:
        user = uuid4()
        config = _config(user)
        with acting_as(Principal(user)):
            for turn in range(3):
                await graph.ainvoke({"words": [f"{number}.{turn}"]}, config, durability=durability)
            return list((await graph.aget_state(config)).values["words"])

    found = await asyncio.gather(*(converse(number) for number in range(16)))
    assert found == [[f"{n}.{t}{'!' * marks}" for t in range(3) for marks in range(3)] for n in range(16)]


async def test_two_users_on_threads_of_the_same_name_never_mix(saver: TenantSaver) -> None:
    graph = _graph(saver)
    thread = uuid4()
    users = [uuid4() for _ in range(6)]

    async def converse(user: UUID) -> None:
        config = _config(user, thread)
        with acting_as(Principal(user)):
            for _ in range(10):
                await graph.ainvoke({"words": [str(user)]}, config, durability="exit")
            words = (await graph.aget_state(config)).values["words"]
            assert {word.rstrip("!") for word in words} == {str(user)}
            threads = {found.config["configurable"]["thread_id"] async for found in saver.alist(None)}
            assert threads == {f"{user}:{thread}"}

    await asyncio.gather(*map(converse, users))


async def test_another_users_thread_is_empty_and_cannot_be_written(saver: TenantSaver) -> None:
    graph = _graph(saver)
    anna, ben = uuid4(), uuid4()
    config = _config(anna)
    with acting_as(Principal(anna)):
        await graph.ainvoke({"words": ["mine"]}, config)
    with acting_as(Principal(ben)):
        assert await saver.aget_tuple(config) is None
        assert [found async for found in saver.alist(config)] == []
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await graph.ainvoke({"words": ["planted"]}, config)
        await saver.adelete_thread(config["configurable"]["thread_id"])
    with acting_as(Principal(anna)):
        assert (await graph.aget_state(config)).values["words"] == ["mine", "mine!", "mine!!"]


async def test_without_a_principal_the_saver_refuses(saver: TenantSaver) -> None:
    with pytest.raises(NoPrincipal):
        await saver.aget_tuple(_config(uuid4()))


async def test_a_turn_writes_while_its_claim_holds(database: Database, saver: TenantSaver) -> None:
    user = uuid4()
    fence = Fence(await _running_turn(database, user), 1)
    with acting_as(Principal(user, fence)):
        found = await _graph(saver).ainvoke({"words": ["a"]}, _config(user), durability="sync")
    assert found["words"] == ["a", "a!", "a!!"]


@pytest.mark.parametrize("durability", ["exit", "async", "sync"])
async def test_a_turn_that_was_taken_over_keeps_nothing(
    database: Database, saver: TenantSaver, durability: Any
) -> None:
    user = uuid4()
    turn = await _running_turn(database, user)
    await _take_over(database, user, turn)
    with acting_as(Principal(user, Fence(turn, 1))), pytest.raises(StaleLease, match="taken this turn over"):
        await _graph(saver).ainvoke({"words": ["late"]}, _config(user), durability=durability)
    assert await _counts(database, user) == dict.fromkeys(TABLES, 0)


async def test_each_kind_of_write_is_fenced(database: Database, saver: TenantSaver) -> None:
    user = uuid4()
    config = _config(user)
    with acting_as(Principal(user, Fence(uuid4(), 1))):
        with pytest.raises(StaleLease):
            await saver.aput(config, empty_checkpoint(), {}, {})
        config["configurable"]["checkpoint_id"] = "1"
        with pytest.raises(StaleLease):
            await saver.aput_writes(config, [("words", ["a"])], "task")
    assert await _counts(database, user) == dict.fromkeys(TABLES, 0)


async def test_a_stale_turn_may_still_read(database: Database, saver: TenantSaver) -> None:
    user = uuid4()
    config = _config(user)
    with acting_as(Principal(user)):
        await _graph(saver).ainvoke({"words": ["a"]}, config)
    with acting_as(Principal(user, Fence(uuid4(), 1))):
        assert await saver.aget_tuple(config) is not None


async def test_a_connection_is_clean_after_a_stale_write(database: Database, saver: TenantSaver) -> None:
    user = uuid4()
    for _ in range(20):
        with acting_as(Principal(user, Fence(uuid4(), 1))), pytest.raises(StaleLease):
            await saver.aput(_config(user), empty_checkpoint(), {}, {})
    async with database.system() as conn:
        row = await (await conn.execute("select current_setting('summit.user_id', true) as user_id")).fetchone()
    assert row is not None
    assert not row["user_id"]


async def test_an_interrupted_run_resumes(saver: TenantSaver) -> None:
    from langgraph.types import Command

    builder = StateGraph(State)
    builder.add_node("ask", lambda _state: {"words": [interrupt("sure?")]})
    builder.add_edge(START, "ask")
    graph = builder.compile(checkpointer=saver)
    user = uuid4()
    config = _config(user)
    with acting_as(Principal(user)):
        await graph.ainvoke({"words": ["x"]}, config, durability="exit")
        found = await graph.ainvoke(Command(resume="yes"), config, durability="exit")
    assert found["words"] == ["x", "yes"]


async def test_pruning_keeps_the_latest_state_of_that_thread_alone(database: Database, saver: TenantSaver) -> None:
    graph = _graph(saver)
    user = uuid4()
    pruned, untouched = _config(user), _config(user)
    with acting_as(Principal(user)):
        for config in (pruned, untouched):
            for number in range(3):
                await graph.ainvoke({"words": [str(number)]}, config, durability="sync")
        before = (await graph.aget_state(pruned)).values
        many = len([found async for found in saver.alist(untouched)])
        await saver.prune_thread(pruned["configurable"]["thread_id"])
        assert len([found async for found in saver.alist(pruned)]) == 1
        assert len([found async for found in saver.alist(untouched)]) == many
        assert (await graph.aget_state(pruned)).values == before
        await graph.ainvoke({"words": ["on"]}, pruned)
        await saver.prune_thread(pruned["configurable"]["thread_id"], keep="nothing")
        assert [found async for found in saver.alist(pruned)] == []


async def test_nobody_prunes_threads_of_others(saver: TenantSaver) -> None:
    graph = _graph(saver)
    anna = uuid4()
    config = _config(anna)
    with acting_as(Principal(anna)):
        await graph.ainvoke({"words": ["mine"]}, config)
    with acting_as(Principal(uuid4())):
        await saver.prune_thread(config["configurable"]["thread_id"], keep="nothing")
    with acting_as(Principal(anna)):
        assert (await graph.aget_state(config)).values["words"] == ["mine", "mine!", "mine!!"]


async def test_more_graphs_than_connections_wait_for_one(database_url: str) -> None:
    async with Database(database_url, pool_size=2) as database:
        graph = _graph(TenantSaver(database))

        async def run() -> int:
            user = uuid4()
            with acting_as(Principal(user)):
                return len((await graph.ainvoke({"words": ["a"]}, _config(user)))["words"])

        assert await asyncio.gather(*(run() for _ in range(16))) == [3] * 16


async def test_the_serializer_is_the_given_one(database: Database) -> None:
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    assert TenantSaver(database, serde=serde).serde is serde
