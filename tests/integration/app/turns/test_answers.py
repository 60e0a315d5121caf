"""A yes that a door gives to one question, when another one waits by the time it is heard."""

from __future__ import annotations

from uuid import uuid4

from agents.specialists.router import NOT_OPEN
from agents.understanding import BuiltIn
from app.database.database import Database
from tests.support.servers.turn_server import reply_of, turn_server


async def test_a_yes_is_never_taken_for_another_question(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        await server.say("add task buy stamps and add task call mom")
        asked = await server.say("delete all my tasks")
        assert reply_of(await server.say("yes", answers_turn_id=uuid4())).startswith(NOT_OPEN)
        assert await server.tasks() == ["buy stamps", "call mom"]
        await server.say("no", answers_turn_id=asked.id)
        assert reply_of(await server.say("yes", answers_turn_id=asked.id)).startswith(NOT_OPEN)
        assert await server.tasks() == ["buy stamps", "call mom"]


async def test_a_yes_to_the_question_that_waits_is_done(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        await server.say("add task buy stamps and add task call mom")
        asked = await server.say("delete all my tasks")
        await server.say("yes", answers_turn_id=asked.id)
        assert await server.tasks() == []
