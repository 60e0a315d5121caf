"""Rules that can stand, and what passed while nobody looked."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from agents.recurrence.rules import is_rule, missed_rounds, next_after, unusable_reason

moment = datetime.fromisoformat
START = moment("2026-11-18T09:00")
LISBON = ZoneInfo("Europe/Lisbon")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=SECONDLY", "every second"),
        ("FREQ=DAILY;COUNT=99999999", "at most 500 times"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never happens"),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "never happens"),
        ("FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31", "never happens"),
        ("FREQ=WEEKLY;BYMONTH=4;BYMONTHDAY=31", "never happens"),
        ("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31", "never happens"),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29;UNTIL=20270101T000000Z", "never happens"),
        ("FREQ=DAILY;UNTIL=20200101", "never happens"),
    ],
)
def test_rules_that_cannot_stand_are_told_at_once(rule: str, words: str) -> None:
    began = time.thread_time()
    assert words in str(unusable_reason(rule, START, 500))
    assert time.thread_time() - began < 10


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MINUTELY;INTERVAL=30",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
        "FREQ=DAILY;COUNT=500",
        "FREQ=WEEKLY;BYDAY=MO;UNTIL=20271231T235959Z",
    ],
)
def test_rules_that_happen_can_stand(rule: str) -> None:
    assert is_rule(rule)
    assert unusable_reason(rule, START, 500) is None


@pytest.mark.parametrize(
    "rule", ["", "FREQ=", "FREQ=SOMETIMES", "weekly", "FREQ=DAILY FREQ=WEEKLY", "COUNT=3", "FREQ=DAILY;BYDAY=XX"]
)
def test_what_is_no_rule_is_not_readable(rule: str) -> None:
    assert not is_rule(rule)


@pytest.mark.parametrize(
    ("rule", "start", "expected"),
    [
        ("FREQ=MINUTELY;INTERVAL=45", moment("1970-01-01T00:00"), moment("2026-11-18T09:45")),
        ("FREQ=DAILY;INTERVAL=3", moment("2026-11-10T08:00"), moment("2026-11-19T08:00")),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", moment("2026-11-02T08:00"), moment("2026-11-20T08:00")),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", moment("2020-11-02T08:00"), moment("2026-11-23T08:00")),
        ("FREQ=MONTHLY;BYMONTHDAY=31", moment("2026-08-31T00:00"), moment("2026-12-31T00:00")),
        ("FREQ=DAILY;COUNT=2", moment("2026-11-01T00:00"), None),
    ],
)
def test_the_next_occurrence_keeps_the_rhythm(rule: str, start: datetime, expected: datetime | None) -> None:
    began = time.thread_time()
    assert next_after(rule, start, START) == expected
    assert time.thread_time() - began < 5


@pytest.mark.parametrize(
    ("due", "count"),
    [
        ("2026-11-18", 0),
        ("2026-11-17", 0),
        ("2026-11-16", 1),
        ("2026-11-10", 7),
        ("2026-12-01", 0),
        ("2026-11-17T08:00:00Z", 1),
    ],
)
def test_missed_days_are_those_that_passed(due: str, count: int) -> None:
    now = START.replace(tzinfo=LISBON)
    assert missed_rounds({"recurrence": "FREQ=DAILY", "zone": "Europe/Lisbon"}, due, now) == count
