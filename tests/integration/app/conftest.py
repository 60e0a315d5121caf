"""A turn server of its own for each test, with an understanding that follows a script."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from agents.contract import Proposal
from app.database.database import Database
from tests.support.scripted import ScriptedUnderstanding, add, decide
from tests.support.servers.turn_server import TurnServer, turn_server

BOOK = Proposal(op="create", kind="event", fields={"title": "dentist", "start": "2026-11-20T15:00:00+00:00"})
KEEP = Proposal(op="create", kind="note", fields={"content": "blue pot"})


@pytest.fixture
def mind() -> ScriptedUnderstanding:
    return ScriptedUnderstanding({"mixed": decide(add("call mom"), BOOK, KEEP)})


@pytest.fixture
async def server(database: Database, mind: ScriptedUnderstanding) -> AsyncIterator[TurnServer]:
    async with turn_server(database, mind) as opened:
        yield opened
