"""Somebody with a calendar that is kept in step: the real engine, ledger and database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from procrastinate import App, PsycopgConnector

from agents.contract import Change, Op, Proposal
from agents.ports import Batch
from agents.records import Kind
from app.boundary.outbound.http import SafeHttp
from app.calendars import items
from app.calendars.build import compose_calendars
from app.calendars.google.task_files import TaskFiles
from app.calendars.items_child import FORMS
from app.calendars.model.synced import (
    Collects,
    Direction,
    Form,
    Holds,
    ItemFiles,
    Keep,
    Login,
    PendingWrite,
    SyncConflict,
    SyncedCalendar,
)
from app.calendars.store.synced_calendars import CalendarAccounts, SyncMarks
from app.calendars.sync import CalendarSync
from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.records.store.ledger import PostgresLedger
from app.records.store.records import StoreReader
from app.settings import Settings
from tests.support.ledgers import LISBON

START = "2026-12-01T10:00:00+00:00"


@dataclass(kw_only=True)
class Both:
    """A user here, and the account with a calendar that is elsewhere."""

    user: UUID
    database: Database
    ledger: PostgresLedger
    accounts: CalendarAccounts
    sync: CalendarSync
    account: UUID = field(default_factory=uuid4)
    id: UUID = field(default_factory=uuid4)

    async def connect_to(
        self,
        login: Login,
        url: str,
        direction: Direction = "both",
        collects: Collects = "new",
        holds: Holds | None = None,
    ) -> None:
        """Connect an account, and choose one of its calendars; what it ``holds`` counts where one address has both."""
        self.account = uuid4()
        await self.accounts.connect(self.user, self.account, "Mine", login, await self.sync.find(login))
        listed = await self.accounts.calendars(self.user, self.account)
        [calendar] = [one for one in listed if one.url == url and holds in (None, one.holds)]
        assert calendar.direction == "off"
        self.id = calendar.id
        await self.choose(direction, collects)

    async def choose(self, direction: Direction | None = None, collects: Collects | None = None) -> None:
        await self.accounts.choose(self.user, self.id, direction, collects)

    async def calendar(self) -> SyncedCalendar:
        found = await self.accounts.calendar(self.user, self.account, self.id)
        assert found is not None
        return found

    async def look(self) -> SyncedCalendar:
        """Look at both sides."""
        await self.sync.sync(self.user, self.id)
        return await self.calendar()

    async def events(self) -> dict[str, dict[str, Any]]:
        found = (await StoreReader(self.database).list(self.user, "event", {}, 200, None)).items
        return {one.title: one.model_dump(mode="json") for one in found}

    async def tasks(self) -> dict[str, dict[str, Any]]:
        found = (await StoreReader(self.database).list(self.user, "todo", {}, 200, None)).items
        return {one.task: one.model_dump(mode="json") for one in found}

    async def add(self, title: str, **fields: Any) -> dict[str, Any]:
        return (await self._apply("create", None, "todo", task=title, **fields)).after or {}

    async def edit(self, known: str, **fields: Any) -> None:
        await self._apply("update", (await self.tasks())[known]["id"], "todo", **fields)

    async def finish(self, known: str) -> None:
        await self._apply("complete", (await self.tasks())[known]["id"], "todo")

    async def make(self, title: str, **fields: Any) -> dict[str, Any]:
        return (await self._apply("create", None, title=title, start=START, **fields)).after or {}

    async def change(self, known: str, **fields: Any) -> None:
        await self._apply("update", (await self.events())[known]["id"], **fields)

    async def delete(self, known: str) -> Change:
        return await self._apply("delete", (await self.events())[known]["id"])

    async def undo(self, change: Change) -> None:
        await self._proposed(Proposal(op="undo", kind="event", undo_of=change.id))

    async def _apply(self, op: Op, record_id: str | None, of: Kind = "event", /, **fields: Any) -> Change:
        return await self._proposed(Proposal(op=op, kind=of, record_id=record_id, fields=fields))

    async def _proposed(self, proposal: Proposal) -> Change:
        batch = Batch(
            user_id=str(self.user),
            origin=str(uuid4()),
            agent="rest",
            proposals=[proposal],
            at=datetime.now(UTC),
            timezone=LISBON,
        )
        [change] = await self.ledger.apply(batch)
        assert change.status == "applied", change.error
        return change

    async def changes(self) -> list[Change]:
        return await self.ledger.changes_after(str(self.user), 0, 200)

    async def conflicts(self) -> Sequence[SyncConflict]:
        return await self.accounts.conflicts(self.user)

    async def resolve(self, keep: Keep) -> Sequence[Change]:
        [conflict] = await self.conflicts()
        changes = await self.accounts.resolve(self.user, conflict.id, keep)
        assert changes is not None
        return changes


class FilesHere:
    """See app.calendars.model.synced.ItemFiles; in this process, because a child for each look takes half a second."""

    def __init__(self, form: Form) -> None:
        self._form = FORMS[form]

    async def read(self, texts: Sequence[str], timezone: str) -> Sequence[Any]:
        return [self._form.read_item(text, ZoneInfo(timezone)) for text in texts]

    async def write(self, wanted: Sequence[PendingWrite], timezone: str) -> Sequence[Any]:
        return [self._form.write_item(_in_child(one), ZoneInfo(timezone)) for one in wanted]

    async def close(self) -> None:
        """There is nothing to let go of."""


def read_here(sync: CalendarSync) -> None:
    """Let files be read and written in this process."""

    def files(form: Form) -> ItemFiles:
        return TaskFiles() if form == "google-tasks" else FilesHere(form)

    sync._ways = {form: replace(way, files=partial(files, form)) for form, way in sync._ways.items()}


def _in_child(one: PendingWrite) -> items.PendingWrite:
    parts = {name: items.Target(part.fields, part.groups) for name, part in one.parts.items()}
    return items.PendingWrite(one.uid, one.text, parts)


@asynccontextmanager
async def composed(database: Database, folder: Path, **settings: Any) -> AsyncIterator[dict[str, Any]]:
    """What ``Both`` is made of, with a new user."""
    async with Signals(database) as signals:
        users = Users(database)
        ledger = PostgresLedger(database, derivers=[SyncMarks()])
        outbound = SafeHttp([ip_network("127.0.0.0/8")])
        known = Settings(_env_file=None, data_dir=folder, timezone=LISBON, **settings)
        queue = App(connector=PsycopgConnector())
        made = compose_calendars(known, database, signals, ledger, users, outbound, queue)
        user = (await users.create("Ada", uuid4())).id
        yield {"user": user, "database": database, "ledger": ledger, "accounts": made.accounts, "sync": made.sync}
