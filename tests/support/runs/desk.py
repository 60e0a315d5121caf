"""A user whose runs are worked on here: real storage, real tools, and a model that follows a script."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from agents.contract import Citation
from agents.ports import Recollection
from app.boundary.programs import Programs
from app.database.database import Database
from app.database.saver import TenantSaver
from app.database.signals import Signals
from app.database.store import TenantStore
from app.http.accounts.store.users import Users
from app.memory.model.memory import Asked, DocumentRef, Embedders, Match
from app.models.model.embeddings import NoEmbeddings, Vector
from app.models.model.thinking import NoThought, Thought, ToolCall
from app.principal import Principal, acting_as
from app.records.store.ledger import PostgresLedger
from app.records.store.records import StoreReader
from app.work.runs.engine import Engine
from app.work.runs.lessons import LessonRetriever
from app.work.runs.model.runs import Approval, NewRun, PlannerName, Run, RunEvent, RunLimits, Verdict
from app.work.runs.store.lessons import Lessons
from app.work.runs.store.run_work import PostgresRunWork
from app.work.runs.store.runs import Runs
from app.work.runs.tool_servers import NamedServers
from app.work.runs.tools.changes import RunChanges
from app.work.runs.tools.files import file_tools
from app.work.runs.tools.people import people_tools
from app.work.runs.tools.recall import MemoryTools
from app.work.runs.tools.records import RecordTools
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome, registry_of
from app.work.runs.worker import RunSurroundings, RunWorker
from graph.state import serializer
from tests.support.ledgers import LISBON

LIMITS = RunLimits(steps=30, seconds=600, credits=1000, tokens=100_000, output_chars=100_000)
Answer = Thought | Exception | Callable[[Sequence[Mapping[str, str]]], Awaitable[Thought] | Thought]


def call(name: str, **arguments: Any) -> Thought:
    return Thought("", [ToolCall(name, arguments)], tokens=10, credits=1)


def finish(answer: str = "Done.", **arguments: Any) -> Thought:
    return call("finish", answer=answer, **arguments)


class Script:
    """Answers in order; the last one is given again and again. What was asked is kept."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[list[Mapping[str, str]]] = []
        self.offered: list[str] = []

    async def available(self) -> bool:
        return True

    async def think(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, Any]]) -> Thought:
        self.asked.append(list(messages))
        self.offered = [tool["function"]["name"] for tool in tools]
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Thought):
            return answer
        found = answer(messages)
        return found if isinstance(found, Thought) else await found


class Quotes:
    """A memory that says the same to everything."""

    def __init__(self, *citations: Citation) -> None:
        self.citations = list(citations)

    async def search(self, user_id: UUID, asked: Asked) -> tuple[list[Match], bool]:
        return [Match(one, 1.0, [DocumentRef(one.source, one.id)]) for one in self.citations], False

    async def ask(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        return Recollection(answer="", found=False), False


class Meaning:
    """Texts as vectors of the words that they have in common with a short list; silent when ``broken``."""

    model = usual = "by hand"
    WORDS = "roof tiles garden trip lisbon folder tidy invoice".split()

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.asked: list[str] = []

    async def of(self, user_id: UUID) -> Sequence[Meaning]:
        return [self]

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.broken:
            raise NoEmbeddings
        self.asked += texts
        found = [[float(word in text.lower()) for word in self.WORDS] for text in texts]
        return [[one / (sum(line) ** 0.5 or 1.0) for one in line] for line in found]


@dataclass
class Desk:
    """One user, the jobs that were deferred, and the files."""

    database: Database
    user: UUID
    files: Path
    script: Script
    more: list[Tool] = field(default_factory=list)
    jobs: asyncio.Queue[UUID] = field(default_factory=asyncio.Queue)
    patience: timedelta = timedelta(hours=1)
    pulse_seconds: float = 0.05
    servers: NamedServers | None = None
    programs: Programs | None = None
    memory: Quotes = field(default_factory=Quotes)
    embedders: Embedders = field(default_factory=Meaning)

    @property
    def lessons(self) -> Lessons:
        return Lessons(self.database)

    async def defer(self, _conn: Any, _user: UUID, run: UUID) -> None:
        self.jobs.put_nowait(run)

    @property
    def runs(self) -> Runs:
        return Runs(self.database, Signals(self.database), self.defer)

    @property
    def work(self) -> PostgresRunWork:
        return PostgresRunWork(self.database, Signals(self.database), self.defer, patience=self.patience)

    @property
    def worker(self) -> RunWorker:
        ledger = PostgresLedger(self.database)
        records = StoreReader(self.database)
        changes = RunChanges(ledger, records)
        tools = [*people_tools(), *file_tools(), *RecordTools(changes, records).tools()]
        registry = registry_of([*tools, *MemoryTools(self.memory, changes).tools(), *self.more])
        saver = TenantSaver(self.database, serde=serializer())
        places = (lambda _: self.files, Users(self.database), LISBON, self.pulse_seconds, self.servers)
        around = RunSurroundings(*places, server_seconds=60, programs=self.programs)
        return RunWorker(
            Engine(self.script, self.work, registry, LessonRetriever(self.lessons, self.embedders)),
            self.work,
            saver,
            around,
            partial(saver.prune_thread, keep="nothing"),
        )

    async def start(
        self, goal: str = "do it", *, planner: PlannerName = "react", allowed: Sequence[Any] = (), **limits: Any
    ) -> UUID:
        new = NewRun(self.user, uuid4(), goal, replace(LIMITS, **limits), planner=planner, allowed=allowed)
        return (await self.runs.start(new)).id

    async def work_off(self) -> None:
        """Do the jobs that are deferred, and those that come of them."""
        while not self.jobs.empty():
            await self.worker.run(self.user, self.jobs.get_nowait())

    async def done(self, goal: str = "do it", **values: Any) -> Run:
        """A run from its start until it is still."""
        run = await self.start(goal, **values)
        await self.work_off()
        return await self.run(run)

    async def run(self, run_id: UUID) -> Run:
        found = await self.runs.get(self.user, run_id)
        assert found is not None
        return found

    async def pending(self, run_id: UUID) -> Approval:
        [found] = [one for one in await self.runs.approvals(self.user, run_id) if one.status == "pending"]
        return found

    async def decide(self, run_id: UUID, verdict: Verdict, **answer: Any) -> Run:
        """Decide what the run asks, and let it go on until it is still."""
        approval = await self.pending(run_id)
        assert await self.runs.decide(self.user, approval.id, verdict, answer or None)
        await self.work_off()
        return await self.run(run_id)

    async def trace(self, run_id: UUID) -> list[RunEvent]:
        """The whole trace; it has no gap."""
        told = list(await self.runs.events(self.user, run_id, 0, 1000))
        assert [one.seq for one in told] == list(range(1, len(told) + 1))
        return told

    async def stored(self, kind: str) -> list[dict[str, Any]]:
        with acting_as(Principal(self.user)):
            found = await TenantStore(self.database).asearch((kind, str(self.user)), limit=1000)
        return [item.value for item in found]


class Words(Form):
    """Any words."""

    text: str = ""


def counted(name: str, made: list[str], **values: Any) -> Tool:
    """A tool that notes each call of it; ``values`` go to Tool."""

    async def act(_context: ToolContext, form: Words) -> ToolOutcome:
        made.append(form.text)
        return ToolOutcome(f"{name} {len(made)}", changed=True)

    return Tool(name, name, Words, **{"risk": "write", "act": act, **values})


NO_MODEL = NoThought("unreachable")
