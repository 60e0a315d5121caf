"""Several times are told with each day once, and one hour of several days once."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from agents.dates_in_words import say_hours, say_moments, say_spans

NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 12, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moments", "known", "said"),
    [
        ([at(1, 13, 30), at(1, 11, 30)], date(2026, 12, 1), ["13:30", "11:30"]),
        ([at(1, 13, 30), at(1, 11, 30)], None, ["Tuesday 1 December at 13:30", "11:30"]),
        ([at(1, 15), at(2, 15)], None, ["Tuesday 1 December", "Wednesday 2 December at 15:00"]),
        ([at(1, 15), at(2, 16)], None, ["Tuesday 1 December at 15:00", "Wednesday 2 December at 16:00"]),
        ([date(2026, 12, 1), date(2026, 12, 2)], None, ["Tuesday 1 December", "Wednesday 2 December"]),
        ([at(1, 15)], None, ["Tuesday 1 December at 15:00"]),
        ([], None, []),
    ],
)
def test_moments(moments: list[datetime | date], known: date | None, said: list[str]) -> None:
    assert say_moments(moments, NOW, known) == said


def test_stretches_of_a_day_tell_it_once() -> None:
    spans = [(at(1, 9), at(1, 11)), (at(1, 14), at(1, 18)), (at(2, 9), at(2, 10))]
    assert say_spans(spans, NOW) == [
        "Tuesday 1 December from 09:00 to 11:00",
        "from 14:00 to 18:00",
        "Wednesday 2 December from 09:00 to 10:00",
    ]


def test_hours_of_a_day() -> None:
    assert say_hours(at(1, 9), at(1, 10), NOW) == "Tuesday 1 December, 09:00-10:00"
    assert say_hours(at(1, 9), at(1, 10), NOW, day_known=True) == "09:00-10:00"
