"""A reminder that is set lies ahead, whichever ledger keeps it and whoever asks for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from agents.contract import Change
from agents.rendering.changes import claim_sentence
from app.database.database import Database
from tests.integration.app.records.store.test_outbox import expected, reminded_desk
from tests.support.ledgers import NOW, Adapter, Desk, open_desk

PAST = (NOW - timedelta(hours=5)).isoformat()
HALF_A_MINUTE_AGO = (NOW - timedelta(seconds=30)).isoformat()
AHEAD = (NOW + timedelta(hours=5)).isoformat()


@pytest.fixture(params=["store", "postgres"])
def adapter(request: pytest.FixtureRequest) -> tuple[Adapter, str]:
    """The adapter's name, and the database it needs."""
    return request.param, request.getfixturevalue("database_url") if request.param == "postgres" else ""


@pytest.fixture
async def desk(adapter: tuple[Adapter, str]) -> AsyncIterator[Desk]:
    async with open_desk(*adapter) as opened:
        yield opened


def kept(change: Change) -> dict[str, Any]:
    assert change.status == "applied", change.error
    return change.after or {}


async def test_a_moment_that_has_passed_is_refused_by_its_field(desk: Desk) -> None:
    refused = await desk.do("create", task="call mom", remind_at=PAST)
    assert (refused.status, refused.error) == ("failed", "remind_at: that moment has passed; say a later one")
    task = await desk.add(task="call mom", remind_at=AHEAD)
    moved = await desk.do("update", record_id=task.record_id, remind_at=PAST)
    assert moved.status == "failed"


async def test_what_is_asked_for_now_is_in_time(desk: Desk) -> None:
    assert kept(await desk.do("create", task="call mom", remind_at=HALF_A_MINUTE_AGO))


@pytest.mark.parametrize(
    ("first", "rule", "coming"),
    [
        ("2026-11-18T09:00:00+00:00", "FREQ=YEARLY", "2027-11-18T09:00:00+00:00"),
        ("2026-05-02T09:00:00+01:00", "FREQ=YEARLY", "2027-05-02T09:00:00+01:00"),
        ("2026-11-02T08:00:00+00:00", "FREQ=WEEKLY;INTERVAL=2", "2026-11-30T08:00:00+00:00"),
        ("2026-11-18T09:00:00+00:00", "FREQ=DAILY", "2026-11-19T09:00:00+00:00"),
    ],
)
async def test_a_series_begins_at_its_next_time_in_its_own_rhythm(
    desk: Desk, first: str, rule: str, coming: str
) -> None:
    record = kept(await desk.do("create", task="water the plants", remind_at=first, recurrence=rule))
    assert (record["remind_at"], record["recurrence"]) == (coming, rule)


async def test_a_counted_series_has_only_the_times_that_are_left(desk: Desk) -> None:
    change = await desk.do(
        "create", task="pill", remind_at="2026-11-16T08:00:00+00:00", recurrence="FREQ=DAILY;COUNT=5"
    )
    record = kept(change)
    assert (record["remind_at"], record["recurrence"]) == ("2026-11-19T08:00:00+00:00", "FREQ=DAILY;COUNT=2")
    assert claim_sentence(change, NOW) == "Set a reminder: “pill”, tomorrow at 08:00 (every day, 2 times)."


async def test_a_series_that_is_over_is_refused(desk: Desk) -> None:
    over = await desk.do("create", task="pill", remind_at="2026-11-10T08:00:00+00:00", recurrence="FREQ=DAILY;COUNT=5")
    assert over.status == "failed"


async def test_what_is_due_already_can_be_changed_and_closed(desk: Desk) -> None:
    """A reminder that has passed since it was set is still owed: only setting one is looked at."""
    task = await desk.add(task="call mom", remind_at=AHEAD)
    later = replace(desk, at=NOW + timedelta(days=1))
    assert kept(await later.do("update", record_id=task.record_id, notes="she likes lilies"))
    done = await later.do("complete", record_id=task.record_id)
    (undone,) = await later.undo(done)
    assert kept(undone)["remind_at"] == kept(task)["remind_at"]
    assert kept(await later.do("update", record_id=task.record_id, status="done", remind_at=PAST))


async def test_a_yes_that_comes_late_still_counts(database: Database) -> None:
    """What lay ahead when it was asked for was told at its time; the task is kept all the same."""
    desk = await reminded_desk(database)
    held = await desk.hold("create", task="call mom", remind_at=(NOW + timedelta(minutes=10)).isoformat())
    (confirmed,) = await replace(desk, at=NOW + timedelta(minutes=40)).answer(held)
    assert confirmed.status == "applied", confirmed.error


async def test_a_series_does_not_fire_for_the_time_before_it_was_asked_for(database: Database) -> None:
    desk = await reminded_desk(database)
    await desk.add(task="birthday", remind_at="2026-11-18T09:00:00+00:00", recurrence="FREQ=YEARLY")
    (due,) = await expected(database, desk.user)
    assert due.isoformat() == "2027-11-18T09:00:00+00:00"
