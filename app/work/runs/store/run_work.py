"""Runs as their worker uses them: every write is fenced by the generation of its claim."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from app.database.database import Connection, Database
from app.database.signals import Signals
from app.principal import StaleLease
from app.records.store.announcing import News, Teller, tell_now
from app.work.runs.model.lessons import NewLesson
from app.work.runs.model.runs import (
    Approval,
    Effect,
    Grant,
    NewApproval,
    NewRun,
    Pulse,
    Run,
    RunEventDraft,
    StopReason,
    Switch,
)
from app.work.runs.store.lessons import learn
from app.work.runs.store.runs import (
    APPROVAL,
    COLUMNS,
    RESUME,
    SWITCH,
    DeferRun,
    append_events,
    begin,
    read_grant,
    run_of,
)

CLAIM = f"""
update runs set status = 'running', lease_generation = lease_generation + 1, started_at = coalesce(started_at, now())
where user_id = %s and id = %s and status in ('queued', 'running') returning {COLUMNS}
"""  # noqa: S608
USED = """
update runs set usage = %s where user_id = %s and id = %s and status = 'running' and lease_generation = %s
returning cancel_requested
"""
MESSAGES = "select seq, text from run_messages where user_id = %s and run_id = %s and seq > %s order by seq"
ASK = """
insert into approvals (user_id, id, run_id, kind, call, reason, expires_at)
values (%s, %s, %s, %s, %s, %s, now() + %s) on conflict (user_id, id) do nothing returning id
"""
APPROVAL_OF = f"select {APPROVAL} from approvals where user_id = %s and id = %s"  # noqa: S608
WAIT = "update runs set status = 'waiting', usage = %s where user_id = %s and id = %s"
PARK = "update runs set status = 'waiting', parked_until = %s, usage = %s where user_id = %s and id = %s"
FENCE = "select fence_run(%s, %s, %s)"
EFFECT = "select call_id, tool, outcome from tool_effects where user_id = %s and call_id = %s"
BEGIN = "insert into tool_effects (user_id, call_id, run_id, tool, state) values (%s, %s, %s, %s, 'started')"
END = """
update tool_effects set state = 'done', outcome = %s, ended_at = clock_timestamp()
where user_id = %s and call_id = %s and state = 'started'
"""
FINISH = """
update runs set status = 'done', stop_reason = %s, result = %s, usage = %s, finished_at = now()
where user_id = %s and id = %s
"""
LONGEST_TITLE = 200
EXPIRED = "select owner, approval from approvals_expired(%s)"


class PostgresRunWork:
    """See app.work.runs.model.runs.RunWork.

    ``patience`` is how long an approval waits, ``tellers`` tell of it elsewhere.

    ``defer`` adds the job of a run in a transaction.
    """

    def __init__(
        self,
        database: Database,
        signals: Signals,
        defer: DeferRun,
        *,
        patience: timedelta,
        tellers: Sequence[Teller] = (),
        most_lessons: int = 500,
    ) -> None:
        self._defer = defer
        self._most_lessons = most_lessons
        self._database = database
        self._signals = signals
        self._patience = patience
        self._tellers = tellers

    async def claim(self, user_id: UUID, run_id: UUID) -> Run | None:
        """Take a queued run, or one whose worker died; None when there is nothing to do."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(CLAIM, (user_id, run_id))).fetchone()
        return run_of(row) if row else None

    async def pulse(self, run: Run, usage: Mapping[str, Any]) -> Pulse:
        """Keep what the run used so far; what asks it to stop."""
        async with self._database.tenant(run.user_id) as conn:
            row = await (await conn.execute(USED, (Jsonb(dict(usage)), run.user_id, run.id, run.generation))).fetchone()
            switch = await (await conn.execute(SWITCH, (run.user_id,))).fetchone()
        if row is None:
            raise StaleLease
        return Pulse(row["cancel_requested"], Switch(**switch) if switch else Switch(engaged=False))

    async def record(self, run: Run, events: Sequence[RunEventDraft]) -> None:
        """Add to the trace."""
        async with self._fenced_transaction(run) as conn:
            await append_events(conn, run.user_id, run.id, *events)
        self._signals.wake(run.user_id)

    async def messages(self, run: Run, after: int) -> Sequence[tuple[int, str]]:
        """What the user said to the run since, as (place, words)."""
        async with self._database.one_statement(run.user_id) as conn:
            rows = await (await conn.execute(MESSAGES, (run.user_id, run.id, after))).fetchall()
        return [(row["seq"], row["text"]) for row in rows]

    async def ask_once(self, run: Run, asked: NewApproval, usage: Mapping[str, Any]) -> Approval:
        """Put a question, once, and let the run wait; asked again after the answer, it only returns that."""
        values = (asked.kind, Jsonb(dict(asked.call)), asked.reason, self._patience)
        async with self._fenced_transaction(run) as conn:
            fresh = await (await conn.execute(ASK, (run.user_id, asked.id, run.id, *values))).fetchone()
            row = await (await conn.execute(APPROVAL_OF, (run.user_id, asked.id))).fetchone()
            approval = Approval(**(row or {}))
            if approval.status == "pending":
                told = {"approval_id": str(asked.id), "kind": asked.kind, "call": asked.call, "reason": asked.reason}
                await append_events(
                    conn, run.user_id, run.id, RunEventDraft(f"asked:{asked.id}", "approval.required", told)
                )
                await conn.execute(WAIT, (Jsonb(dict(usage)), run.user_id, run.id))
                if fresh:
                    await self._announce(conn, run, asked)
        self._signals.wake(run.user_id)
        return approval

    async def delegate(self, run: Run, child: NewRun, usage: Mapping[str, Any]) -> Run:
        """Start a child, once, and let the run wait until it has ended; a parent waits for one thing at a time."""
        async with self._fenced_transaction(run) as conn:
            begun = await begin(conn, child, self._defer)
            told = {"node": "delegate", "child_id": str(child.id), "goal": child.goal}
            await append_events(conn, run.user_id, run.id, RunEventDraft(f"delegated:{child.id}", "run.step", told))
            if begun.status != "done":
                await conn.execute(WAIT, (Jsonb(dict(usage)), run.user_id, run.id))
        self._signals.wake(run.user_id)
        return begun

    async def park(self, run: Run, key: str, until: datetime, usage: Mapping[str, Any]) -> None:
        """Let the run wait until then, without a worker."""
        told = {"node": "park", "until": until.isoformat()}
        async with self._fenced_transaction(run) as conn:
            await append_events(conn, run.user_id, run.id, RunEventDraft(key, "run.step", told))
            await conn.execute(PARK, (until, Jsonb(dict(usage)), run.user_id, run.id))
        self._signals.wake(run.user_id)

    async def _announce(self, conn: Connection, run: Run, asked: NewApproval) -> None:
        """A question is told as reminders are; its notification has its id."""
        goal = " ".join(run.goal.split())[:LONGEST_TITLE]
        text = f"\u201c{goal}\u201d waits for you: {asked.reason}"
        await tell_now(conn, run.user_id, News(asked.id, "question", "run", str(run.id), goal, text), self._tellers)

    async def begin_effect(self, run: Run, call_id: UUID, tool: str) -> Effect | None:
        """Note that a call begins; what there is of it already, if it began before."""
        async with self._fenced_transaction(run) as conn:
            row = await (await conn.execute(EFFECT, (run.user_id, call_id))).fetchone()
            if row is None:
                await conn.execute(BEGIN, (run.user_id, call_id, run.id, tool))
        return Effect(**row) if row else None

    async def end_effect(self, run: Run, call_id: UUID, outcome: Mapping[str, Any]) -> None:
        """Keep what a call did."""
        async with self._fenced_transaction(run) as conn:
            await conn.execute(END, (Jsonb(dict(outcome)), run.user_id, call_id))

    async def finish(
        self,
        run: Run,
        reason: StopReason,
        result: Mapping[str, Any],
        usage: Mapping[str, Any],
        lessons: Sequence[NewLesson] = (),
    ) -> None:
        """Commit the end, the last event and what was learned included."""
        told = {"stop_reason": reason, "answer": result.get("answer", "")}
        async with self._fenced_transaction(run) as conn:
            await append_events(conn, run.user_id, run.id, RunEventDraft("done", "run.done", told))
            await conn.execute(FINISH, (reason, Jsonb(dict(result)), Jsonb(dict(usage)), run.user_id, run.id))
            await learn(conn, run.user_id, run.id, lessons, self._most_lessons)
            if run.parent_id and await (await conn.execute(RESUME, (run.user_id, run.parent_id))).fetchone():
                await self._defer(conn, run.user_id, run.parent_id)
        self._signals.wake(run.user_id)

    async def expired_approvals(self, limit: int = 100) -> Sequence[tuple[UUID, UUID]]:
        """(user, approval) of what nobody decided in time."""
        return [(row["owner"], row["approval"]) for row in await self._database.rows(EXPIRED, (limit,))]

    async def grant(self, user_id: UUID) -> Grant:
        """What an administrator allowed."""
        return await read_grant(self._database, user_id)

    @asynccontextmanager
    async def _fenced_transaction(self, run: Run) -> AsyncIterator[Connection]:
        """A transaction that keeps nothing once the claim is gone."""
        async with self._database.tenant(run.user_id) as conn:
            await (await conn.execute(FENCE, (run.user_id, run.id, run.generation))).fetchone()
            yield conn
