from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.conventions import QuietHours
from agents.reminders import Due, catch_up, end_of_quiet, is_briefing, next_due, words_of

LISBON = "Europe/Lisbon"
MORNING = time(9)
AT = datetime(2026, 11, 20, 17, tzinfo=UTC)
NIGHT = QuietHours(start="22:00", end="07:00")


def todo(**fields: Any) -> dict[str, Any]:
    known = {"kind": "reminder", "status": "not started", "zone": LISBON, "tags": []}
    times = {name: value.isoformat() for name, value in fields.items() if isinstance(value, datetime)}
    return {**known, **fields, **times}


def due(record: dict[str, Any] | None, after: datetime | None = None) -> Due | None:
    return next_due(record, LISBON, MORNING, after=after)


def test_a_reminder_is_due_once_at_its_time() -> None:
    record = todo(remind_at=AT)
    assert due(record) == Due(AT, stated=True)
    assert due(record, after=AT) is None


@pytest.mark.parametrize("status", ["done", "archived"])
def test_what_is_closed_or_gone_or_has_no_time_reminds_nobody(status: str) -> None:
    assert due(todo(remind_at=AT, status=status)) is None
    assert due(None) is None
    assert due(todo()) is None


def test_a_snooze_silences_until_it_ends_and_then_reminds() -> None:
    record = todo(remind_at=AT, snooze_until=AT + timedelta(hours=2))
    assert due(record) == Due(AT + timedelta(hours=2), stated=True)
    assert due(record, after=AT + timedelta(hours=2)) is None


def test_a_later_reminder_still_comes_after_the_snooze() -> None:
    record = todo(remind_at=AT, snooze_until=AT - timedelta(hours=2))
    assert due(record) == Due(AT - timedelta(hours=2), stated=True)
    assert due(record, after=AT - timedelta(hours=2)) == Due(AT, stated=True)


def test_a_snooze_until_a_day_is_a_nudge_in_its_morning() -> None:
    found = due(todo(snooze_until="2026-11-23"))
    assert found == Due(datetime(2026, 11, 23, 9, tzinfo=UTC), stated=False)


def test_snoozed_rounds_are_skipped_and_the_series_goes_on() -> None:
    record = todo(remind_at=AT, recurrence="FREQ=DAILY", snooze_until=AT + timedelta(days=2, hours=1))
    assert due(record) == Due(AT + timedelta(days=2, hours=1), stated=True)
    assert due(record, after=AT + timedelta(days=2, hours=1)) == Due(AT + timedelta(days=3), stated=True)


def test_a_round_in_a_gap_of_the_users_zone_moves_on() -> None:
    record = todo(
        remind_at=datetime(2026, 3, 7, 2, 30, tzinfo=ZoneInfo("America/New_York")),
        zone="America/New_York",
        recurrence="FREQ=DAILY",
    )
    assert due(record, after=datetime(2026, 3, 7, 12, tzinfo=UTC)) == Due(
        datetime(2026, 3, 8, 7, 30, tzinfo=UTC), stated=True
    )


def test_after_days_away_the_latest_round_is_told_and_the_others_are_counted() -> None:
    record, first = todo(remind_at=AT, recurrence="FREQ=DAILY"), Due(AT, stated=True)
    found = catch_up(record, LISBON, MORNING, first, AT + timedelta(days=3, minutes=14))
    assert (found.due.at, found.earlier) == (AT + timedelta(days=3), 3)
    assert found.following == Due(AT + timedelta(days=4), stated=True)


def test_a_round_every_minute_over_a_year_away_is_bounded_and_goes_on_from_now() -> None:
    record, first = todo(remind_at=AT, recurrence="FREQ=MINUTELY"), Due(AT, stated=True)
    now = AT + timedelta(days=365, seconds=30)
    found = catch_up(record, LISBON, MORNING, first, now)
    assert found.earlier == 200
    assert found.following == Due(now + timedelta(seconds=30), stated=True)


def test_the_words_say_how_late() -> None:
    local = AT.astimezone(ZoneInfo(LISBON))
    assert words_of("call mom", AT, local + timedelta(seconds=59)) == "Reminder: “call mom”."
    assert words_of("call mom", AT, local + timedelta(minutes=14, seconds=5)) == (
        "Reminder: “call mom”, 14 minutes late. It was due today at 17:00."
    )
    assert words_of("take pills", AT, local + timedelta(days=1, hours=2), earlier=2) == (
        "Reminder: “take pills”, 1 day 2 hours late. "
        "It was due yesterday at 17:00; 2 earlier ones passed while I was away."
    )


def test_the_words_use_the_clock_of_where_the_user_is_now() -> None:
    there = (AT + timedelta(minutes=14)).astimezone(ZoneInfo("America/New_York"))
    assert "due today at 12:00" in words_of("call mom", AT, there)


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (datetime(2026, 11, 20, 23, tzinfo=UTC), datetime(2026, 11, 21, 7, tzinfo=UTC)),
        (datetime(2026, 11, 20, 5, tzinfo=UTC), datetime(2026, 11, 20, 7, tzinfo=UTC)),
        (datetime(2026, 11, 20, 7, tzinfo=UTC), None),
        (datetime(2026, 11, 20, 21, 59, tzinfo=UTC), None),
    ],
)
def test_quiet_hours_end_by_the_users_clock(clock: datetime, expected: datetime | None) -> None:
    assert end_of_quiet(clock.astimezone(ZoneInfo(LISBON)), NIGHT) == expected
    assert end_of_quiet(clock, None) is None


def test_a_briefing_is_a_nudge() -> None:
    record = todo(remind_at=AT, tags=["briefing"])
    assert is_briefing(record)
    assert due(record) == Due(AT, stated=False)
