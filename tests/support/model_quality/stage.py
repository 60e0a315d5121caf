"""Plays a case through the real path: inbox, graph, ledger and the models of the composition root."""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from agents.contract import Proposal, RouterDecision
from agents.ports import Ask, Batch
from agents.records import PROFILE_ID, RECORD_KINDS, title_of
from agents.store import namespace
from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.database.store import TenantStore
from app.http.accounts.store.users import Users
from app.models.build import open_language_models
from app.principal import Principal, acting_as
from app.settings import Settings
from app.turns.model.turns import NewTurn
from tests.support.model_quality.endpoint import Asked, Endpoint
from tests.support.model_quality.names import Names
from tests.support.model_quality.turns import Case, Turn
from tests.support.scripted import decide
from tests.support.servers.turn_server import TurnServer, turn_server

BETWEEN = timedelta(minutes=1)
TURN_SECONDS, SPARE_SECONDS = 600.0, 5.0


@dataclass(frozen=True)
class Played:
    """What came of a turn, as a client sees it, and the calls that it made."""

    case: Case
    turn: Turn
    disposition: str
    reply: str
    question: str | None
    changes: list[dict[str, Any]]
    asked: list[Asked]
    ms: float
    usage: dict[str, Any]


class Staged:
    """The understanding under test, but for earlier turns, which are scripted."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.script: RouterDecision | None = None

    async def route(self, ask: Ask) -> RouterDecision:
        """The script where there is one."""
        return self.script or await self._real.route(ask)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@dataclass
class Stage:
    """One server; each case has a user of its own."""

    server: TurnServer
    staged: Staged
    endpoint: Endpoint

    async def play(self, case: Case) -> AsyncGenerator[Played, None]:
        """The judged turns of a case, one after the other."""
        person = await self.server.another(case.name)
        settings = {"timezone": case.zone, **({"language": case.language} if case.language else {})}
        await Users(person.database).update_settings(person.user, settings)
        await self._store(person, case)
        turns = [await self._earlier(person, case, number) for number in range(len(case.earlier))]
        for number, turn in enumerate(case.turns):
            self.endpoint.begin(turn.name, await self._names(person, turns))
            began = time.monotonic()
            done = await self._say(person, case, turn.say, case.at + number * BETWEEN)
            ms = (time.monotonic() - began) * 1000
            turns.append(str(done.id))
            yield await _played(person, case, turn, done, self.endpoint.asked, ms)

    async def _store(self, person: TurnServer, case: Case) -> None:
        proposals = [Proposal(op="create", kind=kind, fields=fields) for kind, fields in case.stored()]
        batch = Batch(
            user_id=str(person.user),
            origin=str(uuid4()),
            agent="rest",
            proposals=proposals,
            at=case.at - timedelta(days=1),
            timezone=case.zone,
        )
        with acting_as(Principal(person.user)):
            changes = await person.ledger.apply(batch)
        assert all(change.status == "applied" for change in changes), [change.error for change in changes]

    async def _earlier(self, person: TurnServer, case: Case, number: int) -> str:
        """An earlier turn of the thread, which did what the case says."""
        turn = case.earlier[number]
        known = await self._names(person, [])
        did = [_done(case, one, known) for one in turn.get("did", ())]
        self.staged.script = decide(*did, acknowledgement=turn.get("reply", ""))
        try:
            done = await self._say(person, case, turn["say"], case.at - (len(case.earlier) - number) * BETWEEN)
        finally:
            self.staged.script = None
        assert len(await person.changes(done)) == len(did)
        return str(done.id)

    async def _say(self, person: TurnServer, case: Case, words: str, at: datetime) -> Any:
        with acting_as(Principal(person.user)):
            accepted = await person.turns.submit(NewTurn(person.user, words, at, case.zone))
        return await person.wait(accepted.turn, TURN_SECONDS)

    async def _names(self, person: TurnServer, turns: list[str]) -> Names:
        store, names = TenantStore(person.database), Names()
        with acting_as(Principal(person.user)):
            for kind in RECORD_KINDS:
                for item in await store.asearch(namespace(kind, str(person.user)), limit=1000):
                    names.records[item.key] = title_of(kind, item.value)
            changes = await person.ledger.changes_of_turn(str(person.user), *turns) if turns else []
        names.changes = {change.id: change.title for change in changes}
        names.records |= {c.record_id: c.title for c in changes if c.record_id and c.record_id not in names.records}
        names.records.pop(PROFILE_ID, None)
        return names


def _done(case: Case, one: dict[str, Any], known: Names) -> Proposal:
    named = [key for key, title in known.records.items() if title == one.get("title")]
    fields = case.instants(one.get("fields", {}))
    return Proposal(op=one["op"], kind=one["kind"], record_id=named[0] if named else None, fields=fields)


async def _played(person: TurnServer, case: Case, turn: Turn, done: Any, asked: list[Asked], ms: float) -> Played:
    result = done.result
    return Played(
        case=case,
        turn=turn,
        disposition=result.disposition if result else done.state,
        reply=result.reply if result else "",
        question=result.question.text if result and result.question else None,
        changes=[change.model_dump(mode="json") for change in await person.changes(done)],
        asked=asked,
        ms=ms,
        usage=done.usage,
    )


@asynccontextmanager
async def opened(endpoint: Endpoint, models: dict[str, Any]) -> AsyncIterator[Stage]:
    """A stage on a server of PostgreSQL of its own, with these settings of models."""
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
        postgres = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None, durable=False)
        try:
            await migrate(postgres.url, lambda _: None)
            async with (
                Database(postgres.url) as database,
                stage_at(database, endpoint, Path(folder) / "data", models) as stage,
            ):
                yield stage
        finally:
            postgres.stop()


@asynccontextmanager
async def stage_at(
    database: Database, endpoint: Endpoint, folder: Path, models: dict[str, Any]
) -> AsyncIterator[Stage]:
    """A stage on a migrated database; ``folder`` is the server's data folder."""
    settings = Settings(_env_file=None, data_dir=folder, **models)
    async with open_language_models(settings, database) as mind:
        staged = Staged(mind.understanding)
        async with turn_server(database, staged, agent_timeout=settings.llm_budget_seconds + SPARE_SECONDS) as server:
            yield Stage(server, staged, endpoint)
