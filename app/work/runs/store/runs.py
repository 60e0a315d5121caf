"""Runs as the doors use them: each row and the job that serves it are committed together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb

from agents.contract import Change
from app.database.database import Connection, Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.database.signals import Signals
from app.principal import EVERYBODY
from app.records.store.ledger import COLUMNS as CHANGE
from app.records.store.ledger import read_changes
from app.work.projects.model.workshops import ProjectWork
from app.work.runs.model.runs import Approval, Grant, NewRun, Run, RunEvent, RunEventDraft, RunLimits, Switch, Verdict

COLUMNS = (
    "user_id, id, goal, status, planner, limits, allowed, lease_generation as generation, cancel_requested, "
    "created_at, usage, thread_id, parent_id, project, given, stop_reason, result, started_at, finished_at, "
    "parked_until"
)
APPROVAL = "id, run_id, kind, call, reason, status, answer, created_at, expires_at, decided_at"
START = f"""
insert into runs (user_id, id, goal, planner, limits, allowed, thread_id, parent_id, project, given)
values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
on conflict (user_id, id) do nothing returning {COLUMNS}
"""  # noqa: S608
GET = f"select {COLUMNS} from runs where user_id = %s and id = %s"  # noqa: S608
LATEST_RUNS = f"""
select {COLUMNS} from runs
where user_id = %(user_id)s and (%(at)s::timestamptz is null or (created_at, id) < (%(at)s, %(id)s))
order by created_at desc, id desc limit %(limit)s
"""  # noqa: S608
EVENTS = """
select seq, type, ts, data from run_events where user_id = %s and run_id = %s and seq > %s order by seq limit %s
"""
OF_PROJECT = f"""
select {COLUMNS} from runs where user_id = %s and project ->> 'project_id' = %s order by created_at desc, id desc
"""  # noqa: S608
APPROVALS = f"select {APPROVAL} from approvals where user_id = %s and run_id = %s order by created_at, id"  # noqa: S608
# The origin of what a run changes is the call of its tool.
CHANGES = f"""
select {CHANGE} from changes where user_id = %(user_id)s and origin in (
    select call_id from tool_effects where user_id = %(user_id)s and run_id in (
        select id from runs where user_id = %(user_id)s and (id = %(run_id)s or parent_id = %(run_id)s)))
order by cursor
"""  # noqa: S608
CANCEL = """
update runs set cancel_requested = true
where user_id = %s and (id = %s or parent_id = %s) and status <> 'done' returning id
"""
WITHDRAW = """
update approvals set status = 'withdrawn', decided_at = now() where user_id = %s and run_id = %s and status = 'pending'
returning id
"""
# Nobody has to be told any more of what was answered, or is not asked any more.
CLOSE_RUN_NOTIFICATION = """
update notifications set outcome = coalesce(outcome, 'done'), acknowledged_at = coalesce(acknowledged_at, now())
where user_id = %s and id = any (%s) and kind = 'question'
"""
# Whoever writes a run locks its user's counter first, so that no two wait for each other.
LOCK = "select 1 from counters where user_id = %s for update"
RESUME = """
update runs set status = 'queued', parked_until = null
where user_id = %s and id = %s and status = 'waiting' returning id
"""
ADD_MESSAGE = """
insert into run_messages (user_id, run_id, text, origin)
select user_id, id, %s, %s from runs where user_id = %s and id = %s and status <> 'done'
on conflict (user_id, run_id, origin) do update set origin = excluded.origin returning seq
"""
# Decided once: of any number of answers at once, one finds the row pending.
DECIDE = f"""
update approvals set status = %s, answer = %s, decided_at = now()
where user_id = %s and id = %s and status = 'pending' and (expires_at > now() or %s = 'expired') returning {APPROVAL}
"""  # noqa: S608
APPEND_EVENTS = "select tell_run(%(user_id)s, %(run_id)s, %(keys)s, %(types)s, %(data)s) as told"
FOLLOWED = 200
"""Entries of a trace that are read at once."""
HEARTBEAT_SECONDS = 5.0
GRANT = "select programs, roots from run_grants where user_id = %s"
SET_GRANT = """
insert into run_grants (user_id, programs, roots) values (%s, %s, %s)
on conflict (user_id) do update set programs = excluded.programs, roots = excluded.roots, updated_at = now()
"""
SWITCH = """
select engaged, reason, user_id = '00000000-0000-0000-0000-000000000000' as server from kill_switches
where user_id in (%s, '00000000-0000-0000-0000-000000000000') and engaged order by 3 desc limit 1
"""
SET_SWITCH = """
insert into kill_switches (user_id, engaged, reason) values (%s, %s, %s)
on conflict (user_id) do update set engaged = excluded.engaged, reason = excluded.reason, changed_at = now()
"""
STOPPED = "select owner, run from runs_stopped(%s)"
WITHOUT_JOB = "select owner, run from runs_without_job(%s)"
PARKED_ENOUGH = "select owner, run from runs_parked_enough(%s)"
STILL_OPEN = "select id from runs where user_id = %s and id = %s and status in ('queued', 'running') for update"
AT_ONCE = 100
WAITING = "select id from runs where user_id = %s and status = 'waiting' order by id"

DeferRun = Callable[[Connection, UUID, UUID], Awaitable[None]]
"""Adds the job of a run in a transaction."""


class Runs:
    """Runs as the doors use them."""

    def __init__(
        self, database: Database, signals: Signals, defer: DeferRun, *, heartbeat_seconds: float = HEARTBEAT_SECONDS
    ) -> None:
        self._database = database
        self._signals = signals
        self._defer = defer
        self._heartbeat_seconds = heartbeat_seconds

    async def start(self, new: NewRun) -> Run:
        """Commit the row and its job in one transaction; the same id again returns the row that there is."""
        async with self._database.tenant(new.user_id) as conn:
            run = await begin(conn, new, self._defer)
        self._signals.wake(new.user_id)
        return run

    async def get(self, user_id: UUID, run_id: UUID) -> Run | None:
        """One run."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, run_id))).fetchone()
        return run_of(row) if row else None

    async def list(self, user_id: UUID, limit: int, cursor: str | None) -> Page:
        """A page of runs, the latest first."""
        at, last = decode_latest(cursor)
        values = {"user_id": user_id, "at": at, "id": last, "limit": limit + 1}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LATEST_RUNS, values)).fetchall()
        return page([run_of(row) for row in rows], limit, lambda one: (one.created_at.isoformat(), one.id))

    async def of_project(self, user_id: UUID, project_id: UUID) -> Sequence[Run]:
        """Every run on a project, the latest first."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(OF_PROJECT, (user_id, str(project_id)))).fetchall()
        return [run_of(row) for row in rows]

    async def events(self, user_id: UUID, run_id: UUID, after: int, limit: int) -> Sequence[RunEvent]:
        """The trace after a place."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(EVENTS, (user_id, run_id, after, limit))).fetchall()
        return [RunEvent(**row) for row in rows]

    async def follow(self, user_id: UUID, run_id: UUID, after: int) -> AsyncGenerator[RunEvent | None]:
        """The trace after a place, then what happens; None after a quiet while; ends after run.done."""
        with self._signals.listen(user_id) as listener:
            while True:
                # A reader who leaves is cancelled; the query's connection would go with him.
                told = await asyncio.shield(self.events(user_id, run_id, after, FOLLOWED))
                for event in told:
                    yield event
                    after = event.seq
                    if event.type == "run.done":
                        return
                if not told and not await listener.wait(self._heartbeat_seconds):
                    run = await asyncio.shield(self.get(user_id, run_id))
                    if run is None or run.status == "done":
                        return
                    yield None

    async def approvals(self, user_id: UUID, run_id: UUID) -> Sequence[Approval]:
        """What the run asked, oldest first."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(APPROVALS, (user_id, run_id))).fetchall()
        return [Approval(**row) for row in rows]

    async def changes(self, user_id: UUID, run_id: UUID) -> Sequence[Change]:
        """The ledger's rows of what the run and its children did, oldest first."""
        async with self._database.one_statement(user_id) as conn:
            return await read_changes(conn, CHANGES, {"user_id": user_id, "run_id": run_id})

    async def cancel(self, user_id: UUID, run_id: UUID) -> Run | None:
        """Ask a run to stop; one that waits is taken up to be ended."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            for one in await (await conn.execute(CANCEL, (user_id, run_id, run_id))).fetchall():
                await self._take_up(conn, user_id, one["id"])
            row = await (await conn.execute(GET, (user_id, run_id))).fetchone()
        self._signals.wake(run_id)
        return run_of(row) if row else None

    async def add_message(self, user_id: UUID, run_id: UUID, text: str, origin: UUID | None = None) -> bool:
        """Words for the run's next step, once for each ``origin``; False when it is over."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(ADD_MESSAGE, (text, origin or uuid4(), user_id, run_id))).fetchone()
        return row is not None

    async def decide(
        self, user_id: UUID, approval_id: UUID, verdict: Verdict, answer: Mapping[str, Any] | None
    ) -> Approval | None:
        """Decide a pending approval and defer the job that goes on, in one transaction; None when it is not pending."""
        values = (verdict, Jsonb(dict(answer)) if answer is not None else None, user_id, approval_id, verdict)
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            row = await (await conn.execute(DECIDE, values)).fetchone()
            if row is None:
                return None
            await conn.execute(CLOSE_RUN_NOTIFICATION, (user_id, [approval_id]))
            told = {"approval_id": str(approval_id), "verdict": verdict}
            decided = RunEventDraft(f"decided:{approval_id}", "run.resumed", told)
            await append_events(conn, user_id, row["run_id"], decided)
            if await (await conn.execute(RESUME, (user_id, row["run_id"]))).fetchone():
                await self._defer(conn, user_id, row["run_id"])
        self._signals.wake(user_id)
        return Approval(**row)

    async def grant(self, user_id: UUID) -> Grant:
        """What an administrator allowed."""
        return await read_grant(self._database, user_id)

    async def set_grant(self, user_id: UUID, grant: Grant) -> None:
        """Allow it from now on."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(SET_GRANT, (user_id, list(grant.programs), list(grant.roots)))

    async def switch(self, user_id: UUID) -> Switch:
        """The switch that holds for a user: the server's where it is engaged, else the user's own."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(SWITCH, (user_id,))).fetchone()
        return Switch(**row) if row else Switch(engaged=False)

    async def set_switch(self, owner: UUID, *, engaged: bool, reason: str = "") -> None:
        """Stop all runs of a user, or of the server for EVERYBODY, or allow them again.

        Runs that wait are taken up to be ended.
        """
        async with self._database.tenant(owner) as conn:
            await conn.execute(LOCK, (owner,))
            await conn.execute(SET_SWITCH, (owner, engaged, reason))
            if engaged and owner != EVERYBODY:
                for row in await (await conn.execute(WAITING, (owner,))).fetchall():
                    await self._take_up(conn, owner, row["id"])
        self._signals.wake(owner)
        if engaged and owner == EVERYBODY:
            await self.end_stopped()

    async def end_stopped(self) -> None:
        """Take up, to be ended, what waits on a server that is stopped."""
        while found := await self._database.rows(STOPPED, (AT_ONCE,)):
            for row in found:
                async with self._database.tenant(row["owner"]) as conn:
                    await conn.execute(LOCK, (row["owner"],))
                    await self._take_up(conn, row["owner"], row["run"])
                self._signals.wake(row["owner"])

    async def take_up_parked(self) -> None:
        """Let runs go on that were parked until now."""
        for row in await self._database.rows(PARKED_ENOUGH, (AT_ONCE,)):
            async with self._database.tenant(row["owner"]) as conn:
                await conn.execute(LOCK, (row["owner"],))
                await self._take_up(conn, row["owner"], row["run"])
            self._signals.wake(row["owner"])

    async def defer_lost(self) -> None:
        """Put open runs that have no job into the queue: the end of a lost worker may have taken it."""
        for row in await self._database.rows(WITHOUT_JOB, (AT_ONCE,)):
            async with self._database.tenant(row["owner"]) as conn:
                if await (await conn.execute(STILL_OPEN, (row["owner"], row["run"]))).fetchone():
                    await self._defer(conn, row["owner"], row["run"])

    async def _take_up(self, conn: Connection, user_id: UUID, run_id: UUID) -> None:
        """Let a run that waits go on, to its end: nobody is asked any more."""
        if await (await conn.execute(RESUME, (user_id, run_id))).fetchone():
            withdrawn = await (await conn.execute(WITHDRAW, (user_id, run_id))).fetchall()
            await conn.execute(CLOSE_RUN_NOTIFICATION, (user_id, [row["id"] for row in withdrawn]))
            await self._defer(conn, user_id, run_id)


async def begin(conn: Connection, new: NewRun, defer: DeferRun) -> Run:
    """A run and its job in one transaction; the same id again is the run that there is."""
    values = (new.user_id, new.id, new.goal, new.planner, Jsonb(asdict(new.limits)), list(new.allowed))
    given = Jsonb(dict(new.given)) if new.given else None
    more = (new.thread_id, new.parent_id, _project_json(new.project), given)
    made = await (await conn.execute(START, (*values, *more))).fetchone()
    if made:
        await append_events(conn, new.user_id, new.id, RunEventDraft("started", "run.started", {"goal": new.goal}))
        await defer(conn, new.user_id, new.id)
    row = made or await (await conn.execute(GET, (new.user_id, new.id))).fetchone()
    return run_of(row or {})


async def append_events(conn: Connection, user_id: UUID, run_id: UUID, *events: RunEventDraft) -> None:
    """Add to the trace of a run, and to its user's events, what is not there yet by its key."""
    values = {"keys": [one.key for one in events], "types": [one.type for one in events]}
    data = [Jsonb(dict(one.data)) for one in events]
    await (await conn.execute(APPEND_EVENTS, {"user_id": user_id, "run_id": run_id, **values, "data": data})).fetchone()


async def read_grant(database: Database, user_id: UUID) -> Grant:
    """What an administrator allowed a user's runs."""
    async with database.one_statement(user_id) as conn:
        row = await (await conn.execute(GRANT, (user_id,))).fetchone()
    return Grant(**row) if row else Grant()


def run_of(row: Mapping[str, Any]) -> Run:
    """A row as a run."""
    project = row.get("project")
    work = ProjectWork(**{**project, "project_id": UUID(project["project_id"])}) if project else None
    return Run(**{**row, "limits": RunLimits(**row["limits"]), "project": work})


def _project_json(work: ProjectWork | None) -> Jsonb | None:
    return Jsonb({**asdict(work), "project_id": str(work.project_id)}) if work else None
