from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.time import FoundTime, clock_for, find_times, impossible_time, to_instant

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = clock_for(datetime(2026, 11, 18, 10, 30, tzinfo=LISBON), "Europe/Lisbon")


def only(text: str, *, bare: bool = False) -> FoundTime:
    found = find_times(text, CLOCK, bare=bare)
    assert len(found) == 1, [item.text for item in found]
    return found[0]


def wall(moment: datetime | None) -> str | None:
    return moment.strftime("%Y-%m-%dT%H:%M") if moment else None


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("today at noon", "2026-11-18T12:00"),
        ("tomorrow at 7", "2026-11-19T07:00"),
        ("tomorrow at 6", "2026-11-19T18:00"),
        ("at 9", "2026-11-19T09:00"),
        ("at 11", "2026-11-18T11:00"),
        ("at half past four", "2026-11-18T16:30"),
        ("at a quarter to six tomorrow", "2026-11-19T17:45"),
        ("at twenty past eight in the evening", "2026-11-18T20:20"),
        ("saturday 8:30pm", "2026-11-21T20:30"),
        ("tonight", "2026-11-18T20:00"),
        ("tonight at 9", "2026-11-18T21:00"),
        ("this afternoon", "2026-11-18T15:00"),
        ("thursday morning", "2026-11-19T09:00"),
        ("sunday evening at 7", "2026-11-22T19:00"),
        ("at 17h", "2026-11-18T17:00"),
        ("20h15 tomorrow", "2026-11-19T20:15"),
        ("in 45 minutes", "2026-11-18T11:15"),
        ("in two and a half hours", "2026-11-18T13:00"),
        ("an hour and a half from now", "2026-11-18T12:00"),
        ("three forty five tomorrow", "2026-11-19T15:45"),
        ("on the 3rd at 10am", "2026-12-03T10:00"),
        ("2027-02-01T08:15", "2027-02-01T08:15"),
    ],
)
def test_clock_times(text: str, start: str) -> None:
    found = only(text)
    assert (wall(found.start), found.timed) == (start, True)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("wednesday", "2026-11-25"),
        ("friday", "2026-11-20"),
        ("this friday", "2026-11-20"),
        ("next friday", "2026-11-27"),
        ("next monday", "2026-11-23"),
        ("friday week", "2026-11-27"),
        ("a week from saturday", "2026-11-28"),
        ("the day after tomorrow", "2026-11-20"),
        ("in 3 days", "2026-11-21"),
        ("in 5 weeks", "2026-12-23"),
        ("after a fortnight", "2026-12-02"),
        ("in 4 business days", "2026-11-24"),
        ("the end of the month", "2026-11-30"),
        ("mid december", "2026-12-15"),
        ("the beginning of march", "2027-03-01"),
        ("march 5th", "2027-03-05"),
        ("5 march 2028", "2028-03-05"),
        ("on the 31st", "2026-12-31"),
        ("24/12", "2026-12-24"),
        ("29 february", "2028-02-29"),
        ("last friday of the month", "2026-11-27"),
        ("the second tuesday of december", "2026-12-08"),
        ("christmas eve", "2026-12-24"),
        ("thanksgiving", "2026-11-26"),
        ("two fridays from now", "2026-11-27"),
    ],
)
def test_days(text: str, day: str) -> None:
    found = only(text)
    assert found.start is not None
    assert (found.start.date().isoformat(), found.timed) == (day, False)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("tomorrow from 2 to 4", "2026-11-19T14:00", "2026-11-19T16:00"),
        ("for friday 9 to 11", "2026-11-20T09:00", "2026-11-20T11:00"),
        ("friday 9-11am", "2026-11-20T09:00", "2026-11-20T11:00"),
        ("friday 11-1pm", "2026-11-20T11:00", "2026-11-20T13:00"),
        ("from eight in the evening on friday until one in the morning", "2026-11-20T20:00", "2026-11-21T01:00"),
        ("tomorrow at 3pm for 90 minutes", "2026-11-19T15:00", "2026-11-19T16:30"),
        ("between 10 and 11:45 on thursday", "2026-11-19T10:00", "2026-11-19T11:45"),
        ("december 3 to december 7", "2026-12-03T00:00", "2026-12-08T00:00"),
        ("4-6 january", "2027-01-04T00:00", "2027-01-07T00:00"),
    ],
)
def test_intervals_end_exclusively(text: str, start: str, end: str) -> None:
    found = only(text)
    assert (found.kind, wall(found.start), wall(found.end)) == ("interval", start, end)


@pytest.mark.parametrize(
    ("text", "end", "timed"),
    [
        ("by friday", "2026-11-21T00:00", False),
        ("before 6pm", "2026-11-18T18:00", True),
        ("due on the 2nd", "2026-12-03T00:00", False),
        ("by eod tomorrow", "2026-11-20T00:00", False),
        ("no later than noon tomorrow", "2026-11-19T12:00", True),
    ],
)
def test_deadlines(text: str, end: str, *, timed: bool) -> None:
    found = only(text)
    assert (found.kind, found.role, wall(found.end), found.timed) == ("open_before", "deadline", end, timed)


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        ("every day at 8am", "FREQ=DAILY", "2026-11-19T08:00"),
        ("every monday and thursday", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-11-19T00:00"),
        ("every other friday at 3pm", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-11-20T15:00"),
        ("on weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-18T00:00"),
        ("every weekend", "FREQ=WEEKLY;BYDAY=SA,SU", "2026-11-21T00:00"),
        ("last day of every month", "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-11-30T00:00"),
        ("the first monday of each month", "FREQ=MONTHLY;BYDAY=1MO", "2026-12-07T00:00"),
        ("every year on may 4", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=4", "2027-05-04T00:00"),
        ("every 3 weeks", "FREQ=WEEKLY;INTERVAL=3", "2026-11-18T00:00"),
        ("every morning", "FREQ=DAILY", "2026-11-19T09:00"),
        ("every 6 hours", "FREQ=HOURLY;INTERVAL=6", "2026-11-18T16:30"),
        ("every tuesday until december 15", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261215", "2026-11-24T00:00"),
    ],
)
def test_recurrences(text: str, rule: str, first: str) -> None:
    found = only(text)
    assert (found.rrule, wall(found.start)) == (rule, first)


@pytest.mark.parametrize(
    ("text", "minutes"), [("half an hour", 30), ("2h", 120), ("an hour and a half", 90), ("1.5 hours", 90)]
)
def test_lengths(text: str, minutes: int) -> None:
    assert only(text).seconds == minutes * 60


@pytest.mark.parametrize(
    "text",
    [
        "may i have a word",
        "march in the parade",
        "he sat in the sun",
        "give me a second",
        "ring 020 7946 0000",
        "a table for four",
        "room 12",
        "version 3.2",
        "two more apples",
        "the third option",
        "31 february",
        "27:80",
        "the year 99999",
    ],
)
def test_words_that_only_look_like_time(text: str) -> None:
    assert find_times(text, CLOCK) == []


def test_quoted_words_are_literal() -> None:
    text = 'read "friday at 5" tomorrow'
    assert [found.text for found in find_times(text, CLOCK, literal=[(5, 18)])] == ["tomorrow"]


def test_a_lone_number_is_an_hour_only_where_asked() -> None:
    assert find_times("4", CLOCK) == []
    assert wall(only("4", bare=True).start) == "2026-11-18T16:00"


def test_numeric_dates_follow_the_zone() -> None:
    new_york = clock_for(datetime(2026, 1, 5, 9, 0, tzinfo=ZoneInfo("America/New_York")), "America/New_York")
    assert [wall(found.start) for found in find_times("3/4", new_york)] == ["2026-03-04T00:00"]
    assert wall(only("3/4").start) == "2027-04-03T00:00"


def test_hours_elapse_while_days_keep_the_wall_clock_when_clocks_change() -> None:
    before = clock_for(datetime(2026, 3, 28, 23, 30, tzinfo=LISBON), "Europe/Lisbon")
    assert [wall(found.start) for found in find_times("in 3 hours", before)] == ["2026-03-29T03:30"]
    assert [wall(found.start) for found in find_times("tomorrow at 9am", before)] == ["2026-03-29T09:00"]


def test_a_skipped_hour_moves_on_and_a_repeated_one_is_the_first() -> None:
    assert to_instant(datetime.fromisoformat("2026-03-29T01:30"), LISBON).isoformat() == "2026-03-29T02:30:00+01:00"
    assert to_instant(datetime.fromisoformat("2026-10-25T01:30"), LISBON).isoformat() == "2026-10-25T01:30:00+01:00"


@pytest.mark.parametrize(
    ("text", "words"), [("lunch on 31 april", "31 april"), ("at 26:10", "26:10"), ("on 29 february", None)]
)
def test_times_that_do_not_exist_are_named(text: str, words: str | None) -> None:
    assert impossible_time(text, CLOCK) == words


@given(
    st.datetimes(datetime.fromisoformat("2000-01-01"), datetime.fromisoformat("2098-01-01")),
    st.sampled_from(["tomorrow", "friday", "next week", "in 5 days"]),
)
def test_coming_days_lie_ahead_and_last_a_whole_unit(at: datetime, text: str) -> None:
    clock = clock_for(at.replace(tzinfo=LISBON), "Europe/Lisbon")
    found = find_times(text, clock)[0]
    assert found.start is not None
    assert found.end is not None
    assert clock.at.date() < found.start.date() < found.end.date()
    assert found.start.time() == datetime.min.time()
