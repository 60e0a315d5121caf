"""Workflows in Postgres: each run and its job are committed together; what a step came to is fenced by its claim."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from psycopg.types.json import Jsonb

from app.database.database import Connection, Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.database.signals import Signals
from app.errors import Conflict
from app.principal import StaleLease
from app.records.store.announcing import News, Teller, tell_now
from app.work.workflows.model import NewWorkflowRun, StepEnd, StepRow, StoredWorkflow, WorkflowRun, WorkflowStatus

WORKFLOW_COLUMNS = "slug, definition, next_at, created_at, updated_at"
RUN = (
    "user_id, id, slug, definition, inputs, origin, status, message, lease_generation as generation, created_at, "
    "started_at, finished_at"
)
LOCK = "select 1 from counters where user_id = %s for update"
COUNT_OTHERS = "select count(*) as kept from workflows where user_id = %s and slug <> %s"
PUT = """
insert into workflows (user_id, slug, definition, next_at) values (%s, %s, %s, %s)
on conflict (user_id, slug) do update
set definition = excluded.definition, next_at = excluded.next_at, updated_at = now()
returning xmax = 0 as made
"""
LIST = f"select {WORKFLOW_COLUMNS} from workflows where user_id = %s order by slug"  # noqa: S608
GET = f"select {WORKFLOW_COLUMNS} from workflows where user_id = %s and slug = %s"  # noqa: S608
IS_WORKFLOW_TURN = "select id from turns where user_id = %s and id = %s and idempotency_key like 'workflow:%%'"
DELETE = "delete from workflows where user_id = %s and slug = %s returning slug"
RESCHEDULE = "update workflows set next_at = %s where user_id = %s and slug = %s and next_at is not null"
START = f"""
insert into workflow_runs (user_id, id, slug, definition, inputs, origin) values (%s, %s, %s, %s, %s, %s)
on conflict (user_id, id) do nothing returning {RUN}
"""  # noqa: S608
GET_RUN = f"select {RUN} from workflow_runs where user_id = %s and id = %s"  # noqa: S608
LATEST_WORKFLOW_RUNS = f"""
select {RUN} from workflow_runs where user_id = %(user_id)s and slug = %(slug)s
  and (%(at)s::timestamptz is null or (created_at, id) < (%(at)s, %(id)s))
order by created_at desc, id desc limit %(limit)s
"""  # noqa: S608
STEPS = """
select place, step, attempt, state, output, details, started_at, finished_at from workflow_steps
where user_id = %s and run_id = %s order by place
"""
CANCEL = """
update workflow_runs set cancel_requested = true
where user_id = %s and id = %s and status in ('queued', 'running')
"""
DUE = "select owner, workflow, at from workflows_due(%s)"
COME = "update workflows set next_at = %s where user_id = %s and slug = %s and next_at = %s returning definition"
WITHOUT_JOB = "select owner, run from workflow_runs_without_job(%s)"
STILL_OPEN = """
select id from workflow_runs where user_id = %s and id = %s and status in ('queued', 'running') for update
"""
CLAIM = f"""
update workflow_runs set status = 'running', lease_generation = lease_generation + 1,
    started_at = coalesce(started_at, now())
where user_id = %s and id = %s and status in ('queued', 'running') returning {RUN}
"""  # noqa: S608
FENCE = """
select cancel_requested or exists (
    select from kill_switches s
    where s.engaged and s.user_id in (r.user_id, '00000000-0000-0000-0000-000000000000')) as stop
from workflow_runs r where user_id = %s and id = %s and status = 'running' and lease_generation = %s for update
"""
BEGIN = """
insert into workflow_steps (user_id, run_id, place, step, attempt) values (%s, %s, %s, %s, %s)
on conflict (user_id, run_id, place) do update set attempt = excluded.attempt
"""
END = """
update workflow_steps set state = %s, output = %s, details = %s, finished_at = clock_timestamp()
where user_id = %s and run_id = %s and place = %s and state = 'running'
"""
FINISH = """
update workflow_runs set status = %s, message = %s, finished_at = now() where user_id = %s and id = %s
"""

DeferWorkflow = Callable[[Connection, UUID, UUID], Awaitable[None]]
"""Adds the job of a run in a transaction."""


class Workflows:
    """Workflows as the doors use them. ``most`` is how many a user may keep."""

    def __init__(self, database: Database, signals: Signals, defer: DeferWorkflow, *, most: int) -> None:
        self._database = database
        self._signals = signals
        self._defer = defer
        self._most = most

    async def put(self, user_id: UUID, slug: str, definition: Mapping[str, Any], next_at: datetime | None) -> bool:
        """Keep a workflow in the place of the one of that name; True when it is new. Raises Conflict at the limit."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            [kept] = await (await conn.execute(COUNT_OTHERS, (user_id, slug))).fetchall()
            if kept["kept"] >= self._most:
                raise Conflict(f"There are {self._most} workflows already.", hint="Delete one first.")
            [row] = await (await conn.execute(PUT, (user_id, slug, Jsonb(dict(definition)), next_at))).fetchall()
        return bool(row["made"])

    async def list(self, user_id: UUID) -> Sequence[StoredWorkflow]:
        """All of them by slug."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LIST, (user_id,))).fetchall()
        return [StoredWorkflow(**row) for row in rows]

    async def get(self, user_id: UUID, slug: str) -> StoredWorkflow | None:
        """One workflow."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, slug))).fetchone()
        return StoredWorkflow(**row) if row else None

    async def is_from_workflow(self, user_id: UUID, turn_id: UUID) -> bool:
        """Whether a step of a workflow said the message of a turn."""
        async with self._database.one_statement(user_id) as conn:
            return await (await conn.execute(IS_WORKFLOW_TURN, (user_id, turn_id))).fetchone() is not None

    async def delete(self, user_id: UUID, slug: str) -> bool:
        """Forget a workflow; its runs stay as they are."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(DELETE, (user_id, slug))).fetchone()
        return row is not None

    async def reschedule(self, user_id: UUID, slug: str, next_at: datetime) -> None:
        """Move the next start of a workflow that has one."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(RESCHEDULE, (next_at, user_id, slug))

    async def start(self, new: NewWorkflowRun) -> WorkflowRun:
        """Commit the run and its job in one transaction; the same id again returns the run that there is."""
        async with self._database.tenant(new.user_id) as conn:
            made = await self._start_run(conn, new)
            row = made or await (await conn.execute(GET_RUN, (new.user_id, new.id))).fetchone()
        return WorkflowRun(**(row or {}))

    async def runs(self, user_id: UUID, slug: str, limit: int, cursor: str | None) -> Page:
        """A page of a workflow's runs, the latest first."""
        at, last = decode_latest(cursor)
        values = {"user_id": user_id, "slug": slug, "at": at, "id": last, "limit": limit + 1}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LATEST_WORKFLOW_RUNS, values)).fetchall()
        return page([WorkflowRun(**row) for row in rows], limit, lambda one: (one.created_at.isoformat(), one.id))

    async def run(self, user_id: UUID, run_id: UUID) -> WorkflowRun | None:
        """One run."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET_RUN, (user_id, run_id))).fetchone()
        return WorkflowRun(**row) if row else None

    async def steps(self, user_id: UUID, run_id: UUID) -> Sequence[StepRow]:
        """What its steps came to so far, in their order."""
        return await _steps(self._database, user_id, run_id)

    async def cancel(self, user_id: UUID, run_id: UUID) -> WorkflowRun | None:
        """Ask a run to stop before its next step."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(CANCEL, (user_id, run_id))
            row = await (await conn.execute(GET_RUN, (user_id, run_id))).fetchone()
        return WorkflowRun(**row) if row else None

    async def due(self, limit: int) -> Sequence[tuple[UUID, str, datetime]]:
        """(user, workflow, moment) of schedules whose time has come."""
        return [(row["owner"], row["workflow"], row["at"]) for row in await self._database.rows(DUE, (limit,))]

    async def come(self, user_id: UUID, slug: str, at: datetime, next_at: datetime | None) -> None:
        """Start what was due at that moment, once, and note when it is next."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(COME, (next_at, user_id, slug, at))).fetchone()
            if row:
                run_id = uuid5(user_id, f"{slug} {at.isoformat()}")
                new = NewWorkflowRun(user_id, run_id, slug, row["definition"], {}, "schedule")
                await self._start_run(conn, new)

    async def defer(self, limit: int) -> int:
        """Put open runs that have no job into the queue; returns how many."""
        found = await self._database.rows(WITHOUT_JOB, (limit,))
        for row in found:
            async with self._database.tenant(row["owner"]) as conn:
                if await (await conn.execute(STILL_OPEN, (row["owner"], row["run"]))).fetchone():
                    await self._defer(conn, row["owner"], row["run"])
        return len(found)

    async def _start_run(self, conn: Connection, new: NewWorkflowRun) -> Mapping[str, Any] | None:
        values = (new.slug, Jsonb(dict(new.definition)), Jsonb(dict(new.inputs)), new.origin)
        made = await (await conn.execute(START, (new.user_id, new.id, *values))).fetchone()
        if made:
            await self._defer(conn, new.user_id, new.id)
        return made


class PostgresWorkflowWork:
    """See app.work.workflows.model.WorkflowWork; ``tellers`` tell of notifications elsewhere."""

    def __init__(self, database: Database, signals: Signals, tellers: Sequence[Teller] = ()) -> None:
        self._database = database
        self._signals = signals
        self._tellers = tellers

    async def claim(self, user_id: UUID, run_id: UUID) -> WorkflowRun | None:
        """Take a run that waits, or one whose worker died; None when there is nothing to do."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(CLAIM, (user_id, run_id))).fetchone()
        return WorkflowRun(**row) if row else None

    async def steps(self, user_id: UUID, run_id: UUID) -> Sequence[StepRow]:
        """What its steps came to so far, in their order."""
        return await _steps(self._database, user_id, run_id)

    async def begin(self, run: WorkflowRun, place: int, step: str, attempt: int) -> bool:
        """Note that a step is tried; False when the run is to stop, and then nothing is noted."""
        async with self._fenced_transaction(run) as (conn, stop):
            if not stop:
                await conn.execute(BEGIN, (run.user_id, run.id, place, step, attempt))
        return not stop

    async def end(self, run: WorkflowRun, place: int, end: StepEnd) -> None:
        """Keep what it came to, and tell its user of it where that is what it does."""
        async with self._fenced_transaction(run) as (conn, _):
            values = (end.state, end.output, Jsonb(dict(end.details)), run.user_id, run.id, place)
            await conn.execute(END, values)
            if end.tell is not None:
                await self._tell(conn, run, f"step {place}", end.tell)
        self._signals.wake(run.user_id)

    async def finish(self, run: WorkflowRun, status: WorkflowStatus, message: str, tell: str = "") -> None:
        """Commit the end, and tell its user of it where nobody waits for it."""
        async with self._fenced_transaction(run) as (conn, _):
            await conn.execute(FINISH, (status, message, run.user_id, run.id))
            if tell:
                await self._tell(conn, run, "end", tell)
        self._signals.wake(run.user_id)

    @asynccontextmanager
    async def _fenced_transaction(self, run: WorkflowRun) -> AsyncIterator[tuple[Connection, bool]]:
        """A transaction that keeps nothing once the claim is gone, and whether the run is to stop.

        The user's counter is locked first, as everywhere.
        """
        async with self._database.tenant(run.user_id) as conn:
            await conn.execute(LOCK, (run.user_id,))
            row = await (await conn.execute(FENCE, (run.user_id, run.id, run.generation))).fetchone()
            if row is None:
                raise StaleLease
            yield conn, row["stop"]

    async def _tell(self, conn: Connection, run: WorkflowRun, of: str, text: str) -> None:
        """Once for each run and what it tells ``of``: the id is made of these."""
        name = str(run.definition.get("name", run.slug))
        news = News(uuid5(run.id, of), "workflow", "workflow", str(run.id), name, text)
        await tell_now(conn, run.user_id, news, self._tellers)


async def _steps(database: Database, user_id: UUID, run_id: UUID) -> Sequence[StepRow]:
    async with database.one_statement(user_id) as conn:
        rows = await (await conn.execute(STEPS, (user_id, run_id))).fetchall()
    return [StepRow(**row) for row in rows]
