"""Lists through a model: lines by their numbers, several calls in one answer, and what others change meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from app.database.database import Database
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import mind_at, says
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

START = Call("create_note", {"title": "pantry", "items": ["eggs", "tea", "ham"]})
OTHER = Call("create_note", {"title": "cellar", "items": ["wine"]})
Say = Callable[..., object]


@asynccontextmanager
async def pantry(database: Database) -> AsyncIterator[tuple[TurnServer, ScriptedModelServer]]:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", says(START, OTHER))
        async with turn_server(database, mind_at(models)) as server:
            await server.say("start a pantry list with eggs, tea and ham, and a cellar list with wine")
            yield server, models


def edit(**parts: object) -> Call:
    return Call("edit_list", {"id": "pantry", **parts})


@pytest.mark.parametrize(
    ("calls", "after"),
    [
        ([edit(add=["rice"])], ["eggs", "tea", "ham", "rice"]),
        ([edit(remove=[2])], ["eggs", "ham"]),
        ([edit(tick=[1, 3])], ["eggs!", "tea", "ham!"]),
        ([edit(add=["rice"], tick=[1], remove=[2])], ["eggs!", "ham", "rice"]),
        ([edit(add=["rice"]), edit(remove=[1])], ["tea", "ham", "rice"]),
        ([edit(add=["Eggs"])], ["eggs", "tea", "ham"]),
        ([edit(tick=["2"])], ["eggs", "tea!", "ham"]),
        ([edit(add="rice")], ["eggs", "tea", "ham", "rice"]),
    ],
)
async def test_lines_change_by_their_numbers(database: Database, calls: list[Call], after: list[str]) -> None:
    async with pantry(database) as (server, models):
        models.script("/chat/completions", says(*calls))
        rows = await server.changes(await server.say("the pantry: as I told you, rice, eggs, tea and ham"))
    if rows[0].status == "failed":  # it is like that already
        return
    items = (rows[0].after or {})["items"]
    assert [f"{line['text']}{'!' if line['done'] else ''}" for line in items] == after


async def test_lines_move_to_another_list(database: Database) -> None:
    async with pantry(database) as (server, models):
        models.script("/chat/completions", says(edit(move=[1, 3], move_to="cellar")))
        rows = await server.changes(await server.say("move the eggs and the ham to the cellar"))
    lists = {row.title: [line["text"] for line in (row.after or {})["items"]] for row in rows}
    assert lists == {"pantry": ["tea"], "cellar": ["wine", "eggs", "ham"]}


async def test_a_number_that_there_is_not_goes_back_to_the_model(database: Database) -> None:
    async with pantry(database) as (server, models):
        asked = len(models.requests)
        models.script("/chat/completions", says(edit(remove=[7])), says(edit(remove=[3])))
        turn = await server.say("take the ham off the pantry list")
        rows = await server.changes(turn)
        assert len(models.requests) == asked + 2
    assert [line["text"] for line in (rows[0].after or {})["items"]] == ["eggs", "tea"]
    told = [one for one in models.requests[-1].json["messages"] if one["role"] == "tool"]
    assert "the list has 3 lines" in told[0]["content"]
    assert reply_of(turn)


async def test_what_stays_wrong_is_told_and_takes_nothing_else_with_it(database: Database) -> None:
    async with pantry(database) as (server, models):
        models.script("/chat/completions", says(edit(remove=[7]), edit(add=["rice"])))
        turn = await server.say("take the ham off the pantry list and add rice")
        rows = await server.changes(turn)
    assert [line["text"] for line in (rows[0].after or {})["items"]] == ["eggs", "tea", "ham", "rice"]
    assert "1 thing that I could not read" in reply_of(turn)
