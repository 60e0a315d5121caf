"""Words of time to stretches of the week; words that may mean another time are not read."""

from __future__ import annotations

import pytest

from agents.policies.hours import read_windows

READ = {
    "my lunch break": ["12:00-13:00"],
    "before 9": ["00:00-09:00"],
    "b4 9:30": ["00:00-09:30"],
    "before six": ["00:00-06:00"],
    "before 4": ["00:00-16:00"],
    "after nine": ["21:00-24:00"],
    "past seven": ["19:00-24:00"],
    "after lunch": ["13:00-24:00"],
    "before 09:00 or after 17:30": ["00:00-09:00", "17:30-24:00"],
    "seven to nine in the evening": ["19:00-21:00"],
    "12-14": ["12:00-14:00"],
    "lunch 12-1": ["12:00-13:00"],
    "nine till twelve": ["09:00-12:00"],
    "5 to 7pm": ["17:00-19:00"],
    "between ten at night and seven": ["22:00-07:00"],
    "mornings": ["00:00-12:00"],
    "my evenings": ["18:00-24:00"],
    "at night": ["22:00-24:00"],
    "mornings before 10": ["00:00-10:00"],
    "in the afternoon from two until four": ["14:00-16:00"],
    "fridays": ["fri 00:00-24:00"],
    "on a friday": ["fri 00:00-24:00"],
    "the weekend": ["sat sun 00:00-24:00"],
    "mon-thu": ["mon tue wed thu 00:00-24:00"],
    "tue n thu": ["tue thu 00:00-24:00"],
    "friday after four": ["fri 16:00-24:00"],
    "my fridays after three": ["fri 15:00-24:00"],
    "mondays before ten": ["mon 00:00-10:00"],
    "before nine on a saturday": ["sat 00:00-09:00"],
    "on tuesday and thursday evenings": ["tue thu 18:00-24:00"],
    "between 1.30 and 3 on mondays": ["mon 13:30-15:00"],
    "4 to 5 every weekday": ["mon tue wed thu fri 16:00-17:00"],
}
UNREAD = (
    "",
    "at 8",
    "mondays at eleven",
    "till nine",
    "after midnight",
    "after that",
    "mondays at lunch",
    "lunch on mondays",
    "tomorrow",
    "before nine tomorrow",
    "in june",
    "after nine in june",
    "every other friday",
    "on the first friday of the month",
    "one till quarter past something",
    "in the late afternoon",
    "on the sabbath",
    "fridays after 3 and mondays before 10",
    "11 to 7",
    "from 9am to 9am",
    "fridays from 10pm to 2am",
    "six to two",
    "before nine when it rains",
)


@pytest.mark.parametrize("words", READ)
def test_hours_and_days_are_stretches(words: str) -> None:
    shown = [
        f"{' '.join(day[:3] for day in one.days)} {_wall(one.start)}-{_wall(one.end)}".strip()
        for one in read_windows(words)
    ]
    assert shown == READ[words]


@pytest.mark.parametrize("words", UNREAD)
def test_what_may_be_another_time_is_none(words: str) -> None:
    assert read_windows(words) == []


def test_a_working_day_begins_in_the_morning() -> None:
    assert [(one.start, one.end) for one in read_windows("six to two", working=True)] == [(360, 840)]
    assert [(one.start, one.end) for one in read_windows("after eleven", working=True)] == [(660, 1440)]


def _wall(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
