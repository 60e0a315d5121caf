"""Long work that a message begins: once a turn, told about and stopped by words, and refused with the reason."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from agents.contract import Proposal
from agents.ports import Batch
from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.work.conversation import ProjectsByName, RunsOfConversation
from app.work.mail.store.outgoing import Outbox
from app.work.projects.model.projects import ProjectFacts
from app.work.projects.store import Projects
from app.work.runs.model.runs import ApprovalKind, NewApproval, NewRun, Run, RunLimits
from app.work.runs.store.run_work import PostgresRunWork
from app.work.runs.store.runs import Runs
from app.work.workflows.store import Workflows
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.ledgers import LISBON, NOW
from tests.support.minds import message_of, mind_at, says
from tests.support.runs.desk import Script, finish
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server
from tests.support.speech.studio import ScriptedTranscriber, heard, open_studio

GOAL = "look into heat pumps for an old house and write me a report"
BEGUN = f"I work on “{GOAL}” beside our conversation now. Ask me how it goes, or tell me to stop it."
LIMITS = RunLimits(30, 600, 100, 1000, 1000)


def routing(request: RecordedRequest) -> Reply:
    """A model that takes everything for long work."""
    said = message_of(request)
    if said.startswith("undo"):
        return says(Call("undo", {"change_ids": [said.removeprefix("undo adding ")]}))(request)
    return chat(Call("start_run", {"goal": said}))(request)


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", routing)
        yield server


class Desk:
    """Runs as the conversation begins them; the jobs are only counted."""

    def __init__(self, database: Database, *, model: bool = True) -> None:
        self.jobs: list[UUID] = []
        self.runs = Runs(database, Signals(database), self._defer)
        self.work = PostgresRunWork(database, Signals(database), self._defer, patience=timedelta(hours=1))
        thinker = Script(finish())
        if not model:
            thinker.available = _nobody  # type: ignore[method-assign]
        self.kept = Workflows(database, Signals(database), self._defer, most=10)
        self.projects = Projects(database, most=5)
        named = ProjectsByName(self.projects, LIMITS)
        self.mail = Outbox(database, Signals(database), self._defer, most=10)
        self.long_work = RunsOfConversation(self.runs, thinker, LIMITS, self.kept, self.mail, named)

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


@pytest.mark.parametrize("words", ["Start a project to build a shop.", "please start a new project to write a game"])
async def test_a_project_that_nobody_named_is_asked_for_and_no_task_is_made(
    database: Database, models: ScriptedModelServer, words: str
) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        none = await server.say(words)
        await desk.projects.add(server.user, "garden", "/code/garden", "", ProjectFacts({}, [], 0, complete=True))
        some = await server.say(words)
        assert [await server.changes(turn) for turn in (none, some)] == [[], []]
        assert await desk.of(server.user) == []
    assert reply_of(none) == (
        "I did not begin “a project”: no project is registered. Register its folder first, with “summit project add” "
        "or on the page; then say “start”, the project's name, and what to build."
    )
    assert reply_of(some) == (
        "I did not begin “a project”: say in which project. Say “start”, the project's name, and what to build; "
        "“summit project list” shows the names."
    )


async def test_a_project_is_begun_by_a_voice_too(database: Database, tmp_path: Path) -> None:
    desk = Desk(database)
    transcriber = ScriptedTranscriber(heard("Start a project to build a shop."), heard("Start project garden, a shop."))
    async with open_studio(database.url, tmp_path, transcriber, long_work=desk.long_work) as studio:
        server = studio.server
        _, unnamed = await studio.record()
        await studio.work()
        assert "no project is registered" in reply_of(await server.wait(unnamed))
        await desk.projects.add(server.user, "garden", "/code/garden", "", ProjectFacts({}, [], 0, complete=True))
        _, named = await studio.record()
        await studio.work()
        assert reply_of(await server.wait(named)) == "I run “project garden” now and tell you what comes of it."
        [run] = await desk.of(server.user)
        assert run.project
        assert (run.goal, run.project.confirm) == ("a shop.", True)


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


async def test_a_project_is_begun_by_its_name_and_waits_for_an_administrator(
    database: Database, models: ScriptedModelServer
) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        await desk.projects.add(server.user, "garden", "/code/garden", "", ProjectFacts({}, [], 0, complete=True))
        turn = await server.say("start project garden: a page that lists the plants")
        [run] = await desk.of(server.user)
        assert reply_of(turn) == "I run “project garden” now and tell you what comes of it."
        assert reply_of(await server.say("run garden")).startswith("“garden” has to be given: what to build.")
        claimed = await desk.work.claim(server.user, run.id)
        assert claimed
        await desk.work.ask_once(claimed, NewApproval(uuid4(), "approval", {"name": "begin_work"}, "Shall they?"), {})
        assert reply_of(await server.say("approve it")) == "Nothing waits for your approval."
    assert run.goal == "a page that lists the plants"
    assert run.project
    assert run.project.confirm
    assert desk.jobs == [run.id]


async def test_a_turn_that_is_run_again_begins_nothing_new(database: Database) -> None:
    desk, turn = Desk(database), str(uuid4())
    user = (await Users(database).create("Ada")).id
    for _ in range(3):
        assert await desk.long_work.begin(str(user), turn, GOAL) is None
    assert len(await desk.of(user)) == len(desk.jobs) == 1


async def test_a_message_begins_one_run(database: Database) -> None:
    desk, turn = Desk(database), str(uuid4())
    user = (await Users(database).create("Ada")).id
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
        await desk.work.ask_once(claimed, NewApproval(uuid4(), "question", {"name": "ask"}, "Which house?"), {})
        assert reply_of(await server.say("what about the research?")) == (
            f"“{GOAL}” waits for your answer: “Which house?”"
        )
        assert reply_of(await server.say("stop the research")) == "I told 1 run to stop."
        [run] = await desk.of(server.user)
    assert run.cancel_requested


async def ended(desk: Desk, server: TurnServer, answer: str, *made: Proposal) -> None:
    """A run that made these changes, each by a call of a tool, and ended with an answer."""
    run = await desk.runs.start(NewRun(server.user, uuid4(), "the dentist", LIMITS))
    claimed = await desk.work.claim(server.user, run.id)
    assert claimed
    for proposal in made:
        call = uuid4()
        await desk.work.begin_effect(claimed, call, "change_record")
        batch = Batch(
            user_id=str(server.user), origin=str(call), agent="run", proposals=[proposal], at=NOW, timezone=LISBON
        )
        await server.ledger.apply(batch)
    await desk.work.finish(claimed, "goal_achieved", {"answer": answer}, {})


async def test_a_model_that_claims_what_a_run_did_not_do_is_quoted_and_put_right(
    database: Database, models: ScriptedModelServer
) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        await ended(desk, server, "Done.", Proposal(op="create", kind="todo", fields={"task": "of another run"}))
        await ended(desk, server, "I have booked “the dentist” for you.")
        assert reply_of(await server.say("how is the research going?")) == (
            "“the dentist” has ended. In its own words: “I have booked ‘the dentist’ for you.” "
            "Your records show no change by it."
        )


async def test_what_a_run_changed_is_told_from_the_ledger_as_long_as_it_stands(
    database: Database, models: ScriptedModelServer
) -> None:
    desk = Desk(database)
    tasks = [Proposal(op="create", kind="todo", fields={"task": name}) for name in ("call Ana", "buy floss", "")]
    async with opened(database, models, desk) as server:
        await ended(desk, server, "All done.", *tasks)
        told = "“the dentist” has ended. In its own words: “All done.” What it changed: "
        added = ["Added “call Ana” to your tasks.", "Added “buy floss” to your tasks."]
        assert reply_of(await server.say("how is the research going?")) == told + " ".join(added)
        await server.say("undo adding call Ana")
        assert reply_of(await server.say("how is the research going?")) == told + added[1]


async def asking(desk: Desk, server: TurnServer, goal: str, kind: ApprovalKind = "approval") -> UUID:
    """A run of that goal that waits for its user."""
    run = await desk.runs.start(NewRun(server.user, uuid4(), goal, LIMITS))
    claimed = await desk.work.claim(server.user, run.id)
    assert claimed
    asked = NewApproval(uuid4(), kind, {"name": "send", "arguments": {}}, f"May I write for {goal}?")
    await desk.work.ask_once(claimed, asked, {})
    return run.id


async def verdicts(desk: Desk, server: TurnServer) -> list[str]:
    return [one.status for run in await desk.of(server.user) for one in await desk.runs.approvals(server.user, run.id)]


@pytest.mark.parametrize(
    ("said", "verdict", "reply"),
    [
        ("approve it", "approved", "I told “the roof” that it may: May I write for the roof?"),
        ("Yes, I allow that.", "approved", "I told “the roof” that it may: May I write for the roof?"),
        ("don't allow it", "rejected", "I told “the roof” that it may not: May I write for the roof?"),
    ],
)
async def test_one_call_that_waits_is_decided_by_words(
    database: Database, models: ScriptedModelServer, said: str, verdict: str, reply: str
) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        assert reply_of(await server.say(said)) == "Nothing waits for your approval."
        await asking(desk, server, "the roof")
        assert reply_of(await server.say(said)) == reply
        assert await verdicts(desk, server) == [verdict]
        assert len(desk.jobs) == 2  # one to begin, one to go on
        assert reply_of(await server.say(said)) == "Nothing waits for your approval."


async def test_a_bare_yes_decides_only_right_after_the_question_was_told(
    database: Database, models: ScriptedModelServer
) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        await asking(desk, server, "the roof")
        await server.say("yes")
        assert await verdicts(desk, server) == ["pending"]
        await server.say("how is the research going?")
        await server.say("yes")
        assert await verdicts(desk, server) == ["approved"]


async def test_two_calls_or_a_question_of_a_run_are_not_decided_by_a_word(
    database: Database, models: ScriptedModelServer
) -> None:
    desk = Desk(database)
    async with opened(database, models, desk) as server:
        await asking(desk, server, "a colour", "question")
        assert reply_of(await server.say("approve")) == "Nothing waits for your approval."
        await asking(desk, server, "the roof")
        await asking(desk, server, "the door")
        assert reply_of(await server.say("approve")).startswith("More than one waits for your approval, so I decided")
        assert await verdicts(desk, server) == ["pending"] * 3


async def test_a_turn_that_is_run_again_tells_what_it_decided(database: Database, models: ScriptedModelServer) -> None:
    desk, turn = Desk(database), str(uuid4())
    async with opened(database, models, desk) as server:
        await asking(desk, server, "the roof")
        first = await desk.long_work.decide(str(server.user), turn, allow=True)
        again = await desk.long_work.decide(str(server.user), turn, allow=True)
        assert [one.goal for one in first] == [one.goal for one in again] == ["the roof"]
        assert await desk.long_work.decide(str(server.user), str(uuid4()), allow=True) == []


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
