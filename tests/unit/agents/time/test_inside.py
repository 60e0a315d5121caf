"""Days told by the stretch they lie in, and clock times told by the day of their neighbour."""

from __future__ import annotations

import pytest

from agents.time import find_times
from tests.support.phrases import CLOCK, only, wall


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("next month on the 5th", "2026-12-05"),
        ("next may 5th", "2027-05-05"),
        ("last may 5th", "2026-05-05"),
        ("the friday before last", "2026-11-06"),
        ("3rd thursday this december", "2026-12-17"),
        ("the first friday next month", "2026-12-04"),
        ("2nd wednesday of 2027", "2027-01-13"),
        ("the 100th day of 2027", "2027-04-10"),
        ("monday of the week after next", "2026-11-30"),
        ("day after christmas", "2026-12-26"),
        ("friday before christmas", "2026-12-18"),
        ("the next working day after christmas", "2026-12-28"),
        ("the last business day before easter", "2027-03-26"),
        ("next year on may 5", "2027-05-05"),
        ("in two weeks on a thursday", "2026-12-03"),
        ("two fridays before christmas", "2026-12-11"),
        ("a month today", "2026-12-18"),
        ("3 fortnights hence", "2026-12-30"),
        ("a week this friday", "2026-11-27"),
        ("a fortnight monday", "2026-12-07"),
        ("friday just gone", "2026-11-13"),
        ("this past christmas", "2025-12-25"),
        ("nxt mon", "2026-11-23"),
        ("2moro", "2026-11-19"),
        ("in two fridays", "2026-11-27"),
        ("tomorrow fortnight", "2026-12-03"),
        ("-3 days", "2026-11-15"),
        ("-2w", "2026-11-04"),
        ("in 2 weeks, on tuesday", "2026-12-01"),
        ("christmas plus two days", "2026-12-27"),
        ("2026-12-24 -3 days", "2026-12-21"),
        ("sunday of next weekend", "2026-11-29"),
        ("the 24th,", "2026-11-24"),
    ],
)
def test_days(text: str, day: str) -> None:
    found = only(text)
    assert found.start is not None
    assert (found.start.date().isoformat(), found.timed) == (day, False)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the week before last", "2026-11-02", "2026-11-09"),
        ("the month before last", "2026-09-01", "2026-10-01"),
        ("the year before last", "2024-01-01", "2025-01-01"),
        ("the month of may", "2027-05-01", "2027-06-01"),
        ("the whole month of december", "2026-12-01", "2027-01-01"),
        ("the entire year 2025", "2025-01-01", "2026-01-01"),
        ("the whole of next week", "2026-11-23", "2026-11-30"),
        ("all december", "2026-12-01", "2027-01-01"),
        ("next year in may", "2027-05-01", "2027-06-01"),
        ("next week from tuesday to thursday", "2026-11-24", "2026-11-27"),
        ("calendar week 50", "2026-12-07", "2026-12-14"),
        ("fall 2027", "2027-09-23", "2027-12-21"),
        ("this calendar year", "2026-01-01", "2027-01-01"),
        ("early 2027", "2027-01-01", "2027-05-02"),
        ("the last three mondays", "2026-11-02", "2026-11-17"),
        ("two weekends ago", "2026-11-07", "2026-11-09"),
        ("earlier this week", "2026-11-16", "2026-11-18"),
        ("earlier in the year", "2026-01-01", "2026-11-18"),
        ("cw 50", "2026-12-07", "2026-12-14"),
        ("q3 '27", "2027-07-01", "2027-10-01"),
        ("the rest of 2026", "2026-11-18", "2027-01-01"),
        ("the last 3 working days", "2026-11-13", "2026-11-18"),
        ("on november 28 to 29", "2026-11-28", "2026-11-30"),
        ("july 4-july 6", "2027-07-04", "2027-07-07"),
        ("30 november-2 december", "2026-11-30", "2026-12-03"),
    ],
)
def test_stretches(text: str, start: str, end: str) -> None:
    found = only(text)
    assert found.start is not None
    assert found.end is not None
    assert (found.start.date().isoformat(), found.end.date().isoformat()) == (start, end)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("in the evening of the 24th", "2026-11-24T19:00"),
        ("this arvo", "2026-11-18T15:00"),
        ("thursday morning next week", "2026-11-26T09:00"),
        ("thursday at 3 next week", "2026-11-26T15:00"),
        ("friday night at 1", "2026-11-21T01:00"),
        ("saturday night at 12:30", "2026-11-22T00:30"),
        ("at 12:15am friday night", "2026-11-21T00:15"),
        ("tonight around 1am", "2026-11-19T01:00"),
        ("half past 12 tonight", "2026-11-19T00:30"),
        ("friday evening at 12", "2026-11-21T00:00"),
        ("tonight at 2", "2026-11-18T14:00"),
        ("last night at 11", "2026-11-17T23:00"),
        ("last night at 2am", "2026-11-18T02:00"),
        ("the night before last", "2026-11-16T20:00"),
        ("friday evening from 7", "2026-11-20T19:00"),
        ("twenty to nine pm", "2026-11-18T20:40"),
        ("lunch time tomorrow", "2026-11-19T12:00"),
        ("after school", "2026-11-18T15:00"),
        ("the night before christmas", "2026-12-24T20:00"),
        ("midnight tonight", "2026-11-19T00:00"),
        ("12:00 noon tomorrow", "2026-11-19T12:00"),
        ("friday pm", "2026-11-20T15:00"),
        ("monday a.m.", "2026-11-23T09:00"),
        ("from 6 onwards", "2026-11-18T18:00"),
        ("for the 8pm show", "2026-11-18T20:00"),
        ("10 dec 9am", "2026-12-10T09:00"),
        ("from 2027 on", "2027-01-01T00:00"),
        ("for the evening", "2026-11-18T19:00"),
        ("alarm at four hundred am", "2026-11-19T04:00"),
        ("six hundred and forty five am", "2026-11-19T06:45"),
    ],
)
def test_clock_times(text: str, start: str) -> None:
    assert wall(only(text).start) == start


def test_a_length_between_its_day_and_its_clock_time() -> None:
    found = only("tomorrow for 2 hours at 3pm")
    assert (wall(found.start), wall(found.end)) == ("2026-11-19T15:00", "2026-11-19T17:00")


def test_a_stretch_up_to_noon_is_no_time_before_noon() -> None:
    found = only("from 10 to noon on friday")
    assert (wall(found.start), wall(found.end)) == ("2026-11-20T10:00", "2026-11-20T12:00")


@pytest.mark.parametrize("text", ["friday am i free", "friday am going to the gym"])
def test_an_am_that_is_a_verb_is_no_morning(text: str) -> None:
    assert [(found.text, found.timed) for found in find_times(text, CLOCK)] == [("friday", False)]


def test_the_rest_of_the_day_begins_now() -> None:
    found = only("for the rest of the day")
    assert (wall(found.start), wall(found.end)) == ("2026-11-18T10:30", "2026-11-19T00:00")


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("tomorrow 10am and 2pm", ["2026-11-19T10:00", "2026-11-19T14:00"]),
        ("10am-11am and 2pm-3pm tomorrow", ["2026-11-19T10:00", "2026-11-19T14:00"]),
        ("friday at 3, 4pm or 5pm", ["2026-11-20T15:00", "2026-11-20T16:00", "2026-11-20T17:00"]),
        ("tomorrow at 3pm, then call ann at 4pm", ["2026-11-19T15:00", "2026-11-18T16:00"]),
    ],
)
def test_a_joined_clock_time_takes_the_day_of_the_other(text: str, starts: list[str]) -> None:
    assert [wall(found.start) for found in find_times(text, CLOCK)] == starts


def test_a_joined_clock_time_no_longer_says_that_it_has_passed() -> None:
    first, _ = find_times("9am and 2pm tomorrow", CLOCK)
    assert (wall(first.start), first.assumptions) == ("2026-11-19T09:00", ())


def test_a_by_that_belongs_to_its_verb_is_no_deadline() -> None:
    assert [(found.text, found.kind) for found in find_times("can you come by sometime next week", CLOCK)] == [
        ("sometime next week", "point")
    ]
    assert [found.kind for found in find_times("finish it by friday", CLOCK)] == ["open_before"]


def test_an_all_that_belongs_to_its_at_is_not_the_weeks() -> None:
    assert [found.text for found in find_times("will it rain at all this week", CLOCK)] == ["this week"]
