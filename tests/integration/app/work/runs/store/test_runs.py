"""Runs in the database: one claim at a time, one decision, a trace without gaps, and writes that are fenced."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.principal import EVERYBODY, StaleLease
from app.records.model.notices import Notification
from app.records.store.notifications import Notifications
from app.work.runs.model.runs import Grant, NewApproval, NewRun, Run, RunEventDraft, RunLimits
from app.work.runs.store.run_work import PostgresRunWork
from app.work.runs.store.runs import Runs
from tests.support.waiting import HANG_SECONDS, until_true

EVENT = "select type, data->>'id' as id from turn_events where user_id = %s and seq = %s"
LIMITS = RunLimits(steps=30, seconds=600, credits=100, tokens=1000, output_chars=1000)


@dataclass
class Desk:
    """A user with runs, and the jobs that were deferred for them."""

    database: Database
    user: UUID
    deferred: Counter[UUID] = field(default_factory=Counter)
    patience: timedelta = timedelta(hours=1)
    told: list[Notification] = field(default_factory=list)

    async def defer(self, _conn: Any, _user: UUID, run: UUID) -> None:
        self.deferred[run] += 1

    @property
    def runs(self) -> Runs:
        return Runs(self.database, Signals(self.database), self.defer)

    @property
    def work(self) -> PostgresRunWork:
        return PostgresRunWork(
            self.database, Signals(self.database), self.defer, patience=self.patience, tellers=[self.tell]
        )

    async def tell(self, _conn: Any, _user: UUID, notifications: Sequence[Notification]) -> None:
        self.told += notifications

    async def open_notifications(self) -> list[Notification]:
        return (await Notifications(self.database).list(self.user, 9, None, open_only=True)).items

    async def started(self) -> Run:
        return await self.runs.start(NewRun(self.user, uuid4(), "tidy my notes", LIMITS, allowed=["write"]))

    async def claimed(self) -> Run:
        run = await self.work.claim(self.user, (await self.started()).id)
        assert run is not None
        return run

    async def asking(self) -> tuple[Run, UUID]:
        run, asked = await self.claimed(), uuid4()
        await self.work.ask_once(run, NewApproval(asked, "approval", {"name": "send"}, "it sends"), {"steps": 1})
        return run, asked


@pytest.fixture
async def desk(database: Database) -> Desk:
    return Desk(database, (await Users(database).create("Ada")).id)


async def test_a_run_and_its_job_begin_together_and_once(desk: Desk) -> None:
    new = NewRun(desk.user, uuid4(), "tidy my notes", LIMITS)
    assert await desk.runs.start(new) == await desk.runs.start(new)
    assert desk.deferred == {new.id: 1}
    assert [event.type for event in await desk.runs.events(desk.user, new.id, 0, 9)] == ["run.started"]


async def test_a_job_that_cannot_be_deferred_leaves_no_run(desk: Desk) -> None:
    async def broken(*_: Any) -> None:
        raise OSError("no queue")

    new = NewRun(desk.user, uuid4(), "tidy my notes", LIMITS)
    with pytest.raises(OSError, match="no queue"):
        await Runs(desk.database, Signals(desk.database), broken).start(new)
    assert await desk.runs.get(desk.user, new.id) is None


async def test_every_write_of_a_worker_that_lost_its_run_is_refused(desk: Desk) -> None:
    frozen = await desk.claimed()
    assert await desk.work.claim(desk.user, frozen.id) is not None
    writes = (
        desk.work.record(frozen, [RunEventDraft("plan:1", "run.step", {})]),
        desk.work.pulse(frozen, {"steps": 9}),
        desk.work.ask_once(frozen, NewApproval(uuid4(), "question", {}, ""), {}),
        desk.work.begin_effect(frozen, uuid4(), "ask"),
        desk.work.end_effect(frozen, uuid4(), {}),
        desk.work.finish(frozen, "goal_achieved", {}, {}),
    )
    for write in writes:
        with pytest.raises(StaleLease):
            await write
    run = await desk.runs.get(desk.user, frozen.id)
    assert run is not None
    assert (run.status, run.generation, run.usage) == ("running", 2, {})


async def test_a_step_that_is_run_again_tells_once_and_the_trace_has_no_gap(desk: Desk) -> None:
    run = await desk.claimed()
    for number in (1, 2, 2, 1, 3):
        await desk.work.record(run, [RunEventDraft(f"plan:{number}", "run.step", {"step": number})])
    await desk.work.finish(run, "goal_achieved", {"answer": "done"}, {})
    told = await desk.runs.events(desk.user, run.id, 0, 99)
    assert [event.seq for event in told] == [1, 2, 3, 4, 5]
    assert [event.data.get("step") for event in told] == [None, 1, 2, 3, None]
    assert [event.seq for event in await desk.runs.events(desk.user, run.id, 3, 99)] == [4, 5]


async def test_who_follows_a_run_is_told_at_once_until_its_end(desk: Desk) -> None:
    signals = Signals(desk.database)
    run, work = await desk.claimed(), PostgresRunWork(desk.database, signals, desk.defer, patience=desk.patience)
    told: asyncio.Queue[str] = asyncio.Queue()

    async def follow() -> None:
        async for event in Runs(desk.database, signals, nobody).follow(desk.user, run.id, 1):
            told.put_nowait(event.type if event else "quiet")

    following = asyncio.create_task(follow())
    await until_true(lambda: signals._listeners)
    for number in range(3):
        await work.record(run, [RunEventDraft(f"step-{number}", "run.step", {})])
        async with asyncio.timeout(HANG_SECONDS):
            assert await told.get() == "run.step"
    await work.finish(run, "goal_achieved", {"answer": "done"}, {})
    async with asyncio.timeout(HANG_SECONDS):
        await following
    assert told.get_nowait() == "run.done"


async def nobody(_conn: Any, _user: UUID, _run: UUID) -> None:
    """Takes no job up."""


async def test_twenty_clicks_decide_once(desk: Desk) -> None:
    run, asked = await desk.asking()
    clicks = [desk.runs.decide(desk.user, asked, "approved" if n % 2 else "rejected", None) for n in range(20)]
    decided = [one for one in await asyncio.gather(*clicks) if one]
    assert len(decided) == 1
    assert desk.deferred == {run.id: 2}  # its start, and the decision
    assert [one.status for one in await desk.runs.approvals(desk.user, run.id)] == [decided[0].status]
    assert [one.type for one in await desk.runs.events(desk.user, run.id, 0, 9)].count("run.resumed") == 1


async def test_a_question_is_told_like_a_reminder_until_it_is_answered(desk: Desk) -> None:
    run, asked = await desk.asking()
    [told] = await desk.open_notifications()
    assert (told.id, told.kind, told.record_kind, told.record_id) == (asked, "question", "run", str(run.id))
    assert told.text == "\u201ctidy my notes\u201d waits for you: it sends"
    assert [one.id for one in desk.told] == [asked]
    async with desk.database.tenant(desk.user) as conn:
        event = await (await conn.execute(EVENT, (desk.user, told.event_seq))).fetchone()
    assert event == {"type": "reminder.fired", "id": str(asked)}
    await desk.runs.decide(desk.user, asked, "approved", None)
    assert await desk.open_notifications() == []
    again = await desk.work.claim(desk.user, run.id)
    assert again is not None
    await desk.work.ask_once(again, NewApproval(asked, "approval", {"name": "send"}, "it sends"), {})
    assert len(desk.told) == 1


async def test_a_question_that_is_withdrawn_or_expires_is_told_no_more(desk: Desk) -> None:
    run, _ = await desk.asking()
    await desk.runs.cancel(desk.user, run.id)
    assert await desk.open_notifications() == []
    desk.patience = timedelta(seconds=-1)
    _, late = await desk.asking()
    assert len(await desk.open_notifications()) == 1
    await desk.runs.decide(desk.user, late, "expired", None)
    assert await desk.open_notifications() == []


async def test_asking_again_after_a_crash_finds_the_answer(desk: Desk) -> None:
    _, asked = await desk.asking()
    await desk.runs.decide(desk.user, asked, "edited", {"arguments": {"to": "mom"}})
    run = (await desk.runs.list(desk.user, 1, None)).items[0]
    again = await desk.work.claim(desk.user, run.id)
    assert again is not None
    found = await desk.work.ask_once(again, NewApproval(asked, "approval", {"name": "send"}, "it sends"), {})
    assert (found.status, found.answer) == ("edited", {"arguments": {"to": "mom"}})
    assert await desk.work.pulse(again, {}) is not None  # it runs on


async def test_a_cancel_takes_up_a_run_that_waits(desk: Desk) -> None:
    run, asked = await desk.asking()
    cancelled = await desk.runs.cancel(desk.user, run.id)
    assert cancelled is not None
    assert (cancelled.status, cancelled.cancel_requested) == ("queued", True)
    assert await desk.runs.decide(desk.user, asked, "approved", None) is None
    assert desk.deferred == {run.id: 2}


async def test_the_switches_of_a_user_and_of_the_server(desk: Desk) -> None:
    run, _ = await desk.asking()
    assert not (await desk.runs.switch(desk.user)).engaged
    await desk.runs.set_switch(desk.user, engaged=True, reason="enough")
    assert (await desk.runs.switch(desk.user)).reason == "enough"
    assert desk.deferred == {run.id: 2}
    taken = await desk.work.claim(desk.user, run.id)
    assert taken is not None
    assert (await desk.work.pulse(taken, {})).switch.engaged
    await desk.runs.set_switch(desk.user, engaged=False)
    await desk.runs.set_switch(EVERYBODY, engaged=True, reason="maintenance")
    assert (await desk.work.pulse(taken, {})).switch.server
    other = (await Users(desk.database).create("Ben")).id
    assert (await desk.runs.switch(other)).reason == "maintenance"


async def test_an_effect_is_found_as_it_ended_or_as_unknown(desk: Desk) -> None:
    run, call = await desk.claimed(), uuid4()
    assert await desk.work.begin_effect(run, call, "add_task") is None
    hidden = await desk.work.begin_effect(run, call, "add_task")
    assert hidden is not None
    assert hidden.outcome is None
    await desk.work.end_effect(run, call, {"ok": True})
    known = await desk.work.begin_effect(run, call, "add_task")
    assert known is not None
    assert known.outcome == {"ok": True}


async def test_words_for_a_run_in_their_order_until_it_ends(desk: Desk) -> None:
    run = await desk.claimed()
    assert await desk.runs.add_message(desk.user, run.id, "also the red folder")
    assert await desk.runs.add_message(desk.user, run.id, "and be quick")
    [first, second] = await desk.work.messages(run, 0)
    assert (first[1], second[1]) == ("also the red folder", "and be quick")
    assert await desk.work.messages(run, first[0]) == [second]
    await desk.work.finish(run, "cancelled", {}, {})
    assert await desk.runs.add_message(desk.user, run.id, "too late") is False
    assert await desk.work.claim(desk.user, run.id) is None


async def test_what_nobody_decided_in_time(desk: Desk) -> None:
    desk.patience = timedelta(seconds=-1)
    run, asked = await desk.asking()
    assert await desk.runs.decide(desk.user, asked, "approved", None) is None
    assert await desk.work.expired_approvals() == [(desk.user, asked)]
    expired = await desk.runs.decide(desk.user, asked, "expired", None)
    assert expired is not None
    assert desk.deferred == {run.id: 2}
    assert await desk.work.expired_approvals() == []


async def test_a_grant_is_the_last_that_was_given(desk: Desk) -> None:
    assert await desk.runs.grant(desk.user) == Grant()
    for programs in (["shell", "python"], ["python"]):
        await desk.runs.set_grant(desk.user, Grant(programs=programs, roots=["/srv/files"]))  # type: ignore[arg-type]
    assert await desk.work.grant(desk.user) == Grant(programs=["python"], roots=["/srv/files"])
