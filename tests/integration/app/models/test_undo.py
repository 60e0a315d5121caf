"""Undo through a model: what the dialogue points at is taken back at once, and anything else is asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.database.database import Database
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import mind_at, says
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

TASKS = ("milk", "call the plumber", "bread")


@asynccontextmanager
async def added(database: Database, *undone: str) -> AsyncIterator[TurnServer]:
    """Three tasks, and a model that takes back what these titles name."""
    with ScriptedModelServer() as models:
        async with turn_server(database, mind_at(models)) as server:
            for task in TASKS:
                models.script("/chat/completions", says(Call("create_task", {"title": task})))
                await server.say(f"add task {task}")
            models.script("/chat/completions", says(Call("undo", {"change_ids": [*undone]})))
            yield server


@pytest.mark.parametrize(
    "words",
    ["undo that please", "take that back", "no, that was wrong, revert it", "undo the last one", "bread was a slip"],
)
async def test_what_the_words_point_at_is_undone_at_once(database: Database, words: str) -> None:
    async with added(database, "bread") as server:
        await server.say(words)
        assert await server.tasks() == ["call the plumber", "milk"]


@pytest.mark.parametrize("words", ["thanks a lot", "what is on my list?", "lovely weather today", "great"])
async def test_words_that_ask_for_no_undo_are_asked_about(database: Database, words: str) -> None:
    async with added(database, "bread") as server:
        turn = await server.say(words)
        assert [row.op for row in await server.changes(turn) if row.status == "applied"] == []
        assert len(await server.tasks()) == len(TASKS)


async def test_several_are_undone_where_the_message_means_several(database: Database) -> None:
    async with added(database, "bread", "milk") as server:
        await server.say("undo both of those, milk and bread")
        assert await server.tasks() == ["call the plumber"]


async def test_an_id_that_stands_in_no_prompt_undoes_nothing(database: Database) -> None:
    async with added(database, "not-an-id", "00000000-0000-0000-0000-000000000000") as server:
        turn = await server.say("undo that please")
        assert len(await server.tasks()) == len(TASKS)
        assert "could not read" in reply_of(turn)


async def test_an_undo_stands_beside_another_wish(database: Database) -> None:
    with ScriptedModelServer() as models:
        async with turn_server(database, mind_at(models)) as server:
            models.script("/chat/completions", says(Call("create_task", {"title": "bread"})))
            await server.say("add task bread")
            both = says(Call("undo", {"change_ids": ["bread"]}), Call("create_task", {"title": "eggs"}))
            models.script("/chat/completions", both)
            await server.say("undo that and add task eggs")
            assert await server.tasks() == ["eggs"]
