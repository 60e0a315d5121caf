"""Long work that a message begins: once a turn, told about and stopped by words, and refused with the reason."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.ports.runs import NewApproval, Run, RunLimits
from app.runs.conversation import RunsOfConversation
from app.storage.database import Database
from app.storage.run_work import PostgresRunWork
from app.storage.runs import PostgresRuns
from app.storage.signals import Signals
from app.storage.users import PostgresUsers
from tests.app.llm.minds import message_of, mind_at, route
from tests.app.runs.desk import Script, finish
from tests.app.turn_server import TurnServer, reply_of, turn_server
from tests.fakes import RecordedRequest, Reply, ScriptedModelServer, chat

GOAL = "look into heat pumps for an old house and write me a report"
BEGUN = f"I work on “{GOAL}” beside our conversation now. Ask me how it goes, or tell me to stop it."
LIMITS = RunLimits(30, 600, 100, 1000, 1000)


def routing(request: RecordedRequest) -> Reply:
    """A model that takes everything for long work."""
    return chat(route("research", words=message_of(request)))(request)


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", routing)
        yield server


class Desk:
    """Runs as the conversation begins them; the jobs are only counted."""

    def __init__(self, database: Database, *, model: bool = True) -> None:
        self.jobs: list[UUID] = []
        self.runs = PostgresRuns(database, Signals(database), self._defer)
        self.work = PostgresRunWork(database, Signals(database), patience=timedelta(hours=1))
        thinker = Script(finish())
        if not model:
            thinker.available = _nobody  # type: ignore[method-assign]
        self.long_work = RunsOfConversation(self.runs, thinker, LIMITS)

    async def _defer(self, _conn: Any, _user: UUID, run: UUID) -> None:
        self.jobs.append(run)

    async def of(self, user: UUID) -> list[Run]:
        found: list[Run] = (await self.runs.list(user, 50, None)).items
        return found


async def _nobody() -> bool:
    return False


@asynccontextmanager
async def opened(database: Database, models: ScriptedModelServer, desk: Desk | None) -> AsyncIterator[TurnServer]:
    async with turn_server(database, mind_at(models), long_work=desk.long_work if desk else None) as server:
        yield server


async def test_a_message_begins_a_run_and_its_job_and_is_answered_at_once(
    database: Database, models: ScriptedModelServer
) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        turn = await server.say(GOAL)
        [run] = await desk.of(server.user)
    assert reply_of(turn) == BEGUN
    assert (run.goal, run.status) == (GOAL, "queued")
    assert desk.jobs == [run.id]


async def test_a_turn_that_is_run_again_begins_nothing_new(database: Database) -> None:
    desk, turn = Desk(database), str(uuid4())
    user = (await PostgresUsers(database).create("Ada")).id
    for _ in range(3):
        assert await desk.long_work.begin(str(user), turn, GOAL) is None
    assert len(await desk.of(user)) == len(desk.jobs) == 1


async def test_a_message_begins_one_run(database: Database) -> None:
    desk, turn = Desk(database), str(uuid4())
    user = (await PostgresUsers(database).create("Ada")).id
    begun = [await desk.long_work.begin(str(user), turn, goal) for goal in (GOAL, "compare three roofers")]
    assert begun == [None, "one already"]
    assert [run.goal for run in await desk.of(user)] == [GOAL]


async def test_how_it_goes_is_told_and_it_is_stopped(database: Database, models: ScriptedModelServer) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        assert reply_of(await server.say("how is the research going?")) == "I work on nothing beside our conversation."
        await server.say(GOAL)
        assert reply_of(await server.say("how is the research going?")) == f"“{GOAL}” has not begun yet."
        claimed = await desk.work.claim(server.user, desk.jobs[0])
        assert claimed
        assert reply_of(await server.say("how is the research going?")) == f"I am working on “{GOAL}”."
        await desk.work.wait(claimed, NewApproval(uuid4(), "question", {"name": "ask"}, "Which house?"), {})
        assert reply_of(await server.say("what about the research?")) == (
            f"“{GOAL}” waits for your answer: Which house?"
        )
        assert reply_of(await server.say("stop the research")) == "I told 1 run to stop."
        [run] = await desk.of(server.user)
    assert run.cancel_requested


@pytest.mark.parametrize(
    ("why", "reply"),
    [
        ("stopped", f"I did not begin “{GOAL}”: all runs are stopped. Allow them again first."),
        ("no model", f"I did not begin “{GOAL}”: long work needs a language model."),
        ("not here", f"I did not begin “{GOAL}”: long work is not possible here."),
    ],
)
async def test_what_is_not_begun_says_why(
    database: Database, models: ScriptedModelServer, why: str, reply: str
) -> None:
    desk = Desk(database, model=why != "no model")
    async with opened(database, models, None if why == "not here" else desk) as server:
        if why == "stopped":
            await desk.runs.set_switch(server.user, engaged=True)
        assert reply_of(await server.say(GOAL)) == reply
        assert await desk.of(server.user) == []
