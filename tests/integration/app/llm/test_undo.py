"""Undo through a model: it takes back only what the user's own words ask to take back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from app.storage.database import Database
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.minds import agent_of, message_of, mind_at, route
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

ADDING = "add task "


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", undoing(lambda ids: ids))
        yield server


def undoing(which: Callable[[list[str]], list[str]]) -> Callable[[RecordedRequest], Reply]:
    """A model that adds what is to be added, and answers everything else with an undo of recent changes."""

    def answer(request: RecordedRequest) -> Reply:
        said = message_of(request)
        if said.startswith(ADDING):
            task = Call("Task", {"task": said.removeprefix(ADDING)})
            return chat(route("update_todos", words=said) if agent_of(request) == "route" else task)(request)
        _, _, block = str(request.json["messages"][-1]["content"]).partition("<recent changes>\n")
        ids = [line.split(":")[0] for line in block.partition("</recent changes>")[0].splitlines()]
        return chat(route(words=said, undo=which(ids)))(request)

    return answer


async def undone(server: TurnServer, words: str) -> list[str]:
    """What a message takes back."""
    rows = await server.changes(await server.say(words))
    return [row.title for row in rows if row.op == "undo" and row.status == "applied"]


@pytest.mark.parametrize(
    "words", ["ok", "thanks", "what is on my list?", "great", "yes", "lovely weather", "hm", "add"]
)
async def test_words_that_ask_for_no_undo_undo_nothing(
    database: Database, models: ScriptedModelServer, words: str
) -> None:
    async with turn_server(database, mind_at(models)) as server:
        for task in ("milk", "bread", "call the plumber"):
            await server.say(f"{ADDING}{task}")
        turn = await server.say(words)
        assert await server.changes(turn) == []
        assert "undo" not in reply_of(turn)
        assert await server.tasks() == ["bread", "call the plumber", "milk"]


@pytest.mark.parametrize(
    "words",
    [
        "undo that",
        "take that back",
        "that was wrong, take that back",
        "no, that was wrong, revert it",
        "undo the last one",
        "can you undo that?",
    ],
)
async def test_the_words_say_what_is_undone_and_not_the_model(
    database: Database, models: ScriptedModelServer, words: str
) -> None:
    async with turn_server(database, mind_at(models)) as server:
        for task in ("milk", "bread"):
            await server.say(f"{ADDING}{task}")
        assert await undone(server, words) == ["bread"]
        assert await server.tasks() == ["milk"]


async def test_an_undo_and_a_new_task_in_one_message_both_happen(
    database: Database, models: ScriptedModelServer
) -> None:
    def both(request: RecordedRequest) -> Reply:
        if agent_of(request) == "route" and not message_of(request).startswith(ADDING):
            reply = undoing(lambda ids: ids)(request).body["choices"][0]["message"]["tool_calls"][0]["function"]
            wanted = json.loads(reply["arguments"])["undo"]
            return chat(route("update_todos", words="add task eggs", undo=wanted))(request)
        return undoing(lambda ids: ids)(request)

    models.script("/chat/completions", both)
    async with turn_server(database, mind_at(models)) as server:
        await server.say(f"{ADDING}bread")
        await server.say("undo that and add task eggs")
        assert await server.tasks() == ["eggs"]


@pytest.mark.parametrize("words", ["put it back", "redo that", "undo the undo"])
async def test_what_was_undone_comes_back(database: Database, models: ScriptedModelServer, words: str) -> None:
    async with turn_server(database, mind_at(models)) as server:
        for task in ("milk", "bread"):
            await server.say(f"{ADDING}{task}")
        await server.say("undo that")
        await server.say(words)
        assert await server.tasks() == ["bread", "milk"]


@pytest.mark.parametrize("words", ["the bread was a slip", "no, wrong", "oops"])
async def test_words_that_may_ask_for_it_are_asked_about(
    database: Database, models: ScriptedModelServer, words: str
) -> None:
    models.script("/chat/completions", undoing(lambda ids: ids[-1:]))
    async with turn_server(database, mind_at(models)) as server:
        for task in ("milk", "bread"):
            await server.say(f"{ADDING}{task}")
        asked = await server.say(words)
        assert (await server.changes(asked), asked.state) == ([], "waiting")
        assert reply_of(asked) == "Do you want me to undo “bread”?"
        assert await undone(server, "yes") == ["bread"]
        assert await server.tasks() == ["milk"]


async def test_the_words_of_a_stranger_are_no_reason(database: Database, models: ScriptedModelServer) -> None:
    """An id that stands in no prompt, and a change of another thread, are no recent changes."""
    models.script("/chat/completions", undoing(lambda _: ["not-an-id", "00000000-0000-0000-0000-000000000000"]))
    async with turn_server(database, mind_at(models)) as server:
        await server.say(f"{ADDING}milk")
        assert await undone(server, "oops") == []


async def test_what_is_named_and_to_be_put_back_is_undone_at_once(
    database: Database, models: ScriptedModelServer
) -> None:
    models.script("/chat/completions", undoing(lambda ids: ids[1:2]))
    async with turn_server(database, mind_at(models)) as server:
        for task in ("milk", "call the plumber", "bread"):
            await server.say(f"{ADDING}{task}")
        assert await undone(server, "put the plumber back how it was") == ["call the plumber"]
