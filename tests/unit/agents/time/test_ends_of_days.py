"""The end of a day, later on a day, and the hours that a part of a day has."""

from __future__ import annotations

from datetime import datetime

import pytest

from agents.conventions import Conventions
from agents.time import FoundTime, clock_for, find_times, merge_phrases
from tests.support.phrases import CLOCK, LISBON, only, wall


def at(clock: str, text: str, **conventions: str) -> FoundTime:
    moment = datetime.fromisoformat(f"2026-11-18T{clock}").replace(tzinfo=LISBON)
    found = find_times(text, clock_for(moment, "Europe/Lisbon", Conventions.model_validate(conventions)))
    assert len(found) == 1, [item.text for item in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("at the end of the day", "2026-11-18T18:00"),
        ("end of the day", "2026-11-18T18:00"),
        ("at end of day", "2026-11-18T18:00"),
        ("end of the day tomorrow", "2026-11-19T18:00"),
        ("at the end of the day on monday", "2026-11-23T18:00"),
        ("monday at the end of the day", "2026-11-23T18:00"),
        ("monday, end of day", "2026-11-23T18:00"),
        ("at the end of the day on the 3rd of december", "2026-12-03T18:00"),
        ("at the end of the working day tomorrow", "2026-11-19T18:00"),
        ("at the end of tomorrow", "2026-11-19T18:00"),
        ("at the end of monday", "2026-11-23T18:00"),
        ("at close of business tomorrow", "2026-11-19T18:00"),
    ],
)
def test_the_end_of_a_day_is_that_of_the_working_day(text: str, start: str) -> None:
    found = only(text)
    assert (found.kind, wall(found.start), found.timed) == ("point", start, True)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("by the end of the day", "2026-11-19T00:00"),
        ("by the end of the day tomorrow", "2026-11-20T00:00"),
        ("by end of day monday", "2026-11-24T00:00"),
        ("by monday end of day", "2026-11-24T00:00"),
        ("by the end of the working day", "2026-11-19T00:00"),
        ("before the end of the day on monday", "2026-11-24T00:00"),
        ("due end of day tomorrow", "2026-11-20T00:00"),
        ("by eod", "2026-11-19T00:00"),
        ("by eod monday", "2026-11-24T00:00"),
        ("by the end of monday", "2026-11-24T00:00"),
    ],
)
def test_a_deadline_at_the_end_of_a_day_is_that_day(text: str, end: str) -> None:
    found = only(text)
    assert (found.kind, found.role, wall(found.end), found.timed) == ("open_before", "deadline", end, False)


@pytest.mark.parametrize(
    ("text", "day"),
    [("eod", "18"), ("eod tomorrow", "19"), ("eod on friday", "20"), ("close of business tomorrow", "19")],
)
def test_in_letters_and_without_at_it_is_the_day(text: str, day: str) -> None:
    assert (wall(only(text).start), only(text).timed) == (f"2026-11-{day}T00:00", False)


def test_the_end_of_the_day_is_the_users_and_told() -> None:
    found = at("10:30", "at the end of the day tomorrow", working_end="16:30")
    assert wall(found.start) == "2026-11-19T16:30"
    assert found.assumptions == ("end of day is 16:30",)
    assert wall(at("18:20", "at the end of the day").start) == "2026-11-19T18:00"
    assert at("18:20", "at the end of the day").ambiguous == ("18:00 has passed, so tomorrow",)


def test_a_series_may_be_at_the_end_of_its_days() -> None:
    found = only("every friday at the end of the day")
    assert (found.rrule, wall(found.start)) == ("FREQ=WEEKLY;BYDAY=FR", "2026-11-20T18:00")
    assert wall(only("at the end of every day").start) == "2026-11-18T18:00"


@pytest.mark.parametrize(
    ("now", "start"),
    [
        ("10:30", "13:30"),
        ("10:20", "13:15"),
        ("10:23", "13:30"),
        ("19:00", "22:00"),
        ("19:10", "20:15"),
        ("22:40", "23:45"),
    ],
)
@pytest.mark.parametrize("text", ["later today", "sometime later today", "later on today", "a bit later today"])
def test_later_today_is_in_three_hours_or_late_in_the_evening_in_one(text: str, now: str, start: str) -> None:
    found = at(now, text)
    assert (found.kind, wall(found.start), found.timed, found.day_said) == ("point", f"2026-11-18T{start}", True, True)
    assert found.ambiguous == (f"I took later today as {start}",)
    assert found.stretch is not None
    assert [wall(end) for end in found.stretch] == [f"2026-11-18T{now}", "2026-11-19T00:00"]


def test_just_before_midnight_later_today_is_only_the_day() -> None:
    found = at("23:40", "later today")
    assert (wall(found.start), found.timed, found.ambiguous) == ("2026-11-18T00:00", False, ())


@pytest.mark.parametrize(
    "text", ["later today at 5", "at 5 later today", "later today, around 5", "end of day today, at 5"]
)
def test_an_hour_that_is_said_counts(text: str) -> None:
    assert wall(only(text).start) == "2026-11-18T17:00"


def test_an_hour_that_stands_apart_counts_too() -> None:
    found = merge_phrases(find_times("later today call Ida about the boat at 5", CLOCK), CLOCK)
    assert [(wall(item.start), item.text) for item in found] == [("2026-11-18T17:00", "at 5")]


@pytest.mark.parametrize(
    ("text", "day"),
    [("later tomorrow", "2026-11-19T00:00"), ("later tonight", "2026-11-18T20:00"), ("later this week", None)],
)
def test_later_on_other_days_stays_as_it_was(text: str, day: str | None) -> None:
    assert wall(only(text).start) == (day or "2026-11-18T00:00")


@pytest.mark.parametrize(
    ("text", "start", "stretch"),
    [
        ("friday afternoon", "2026-11-20T15:00", ("2026-11-20T12:00", "2026-11-20T18:00")),
        ("tomorrow morning", "2026-11-19T09:00", ("2026-11-19T06:00", "2026-11-19T12:00")),
        ("in the evening on 5 december", "2026-12-05T19:00", ("2026-12-05T18:00", "2026-12-05T23:00")),
        ("tonight", "2026-11-18T20:00", ("2026-11-18T18:00", "2026-11-18T23:00")),
        ("friday afternoons", "2026-11-20T15:00", ("2026-11-20T12:00", "2026-11-20T18:00")),
        ("every morning", "2026-11-19T09:00", ("2026-11-19T06:00", "2026-11-19T12:00")),
    ],
)
def test_a_part_of_a_day_has_a_stretch_beside_its_hour(text: str, start: str, stretch: tuple[str, str]) -> None:
    found = only(text)
    assert (wall(found.start), found.end) == (start, None)
    assert found.stretch is not None
    assert (wall(found.stretch[0]), wall(found.stretch[1])) == stretch


@pytest.mark.parametrize(
    "text", ["friday at 3", "friday afternoon at 3", "friday", "at noon tomorrow", "friday from 2 to 4"]
)
def test_other_times_have_none(text: str) -> None:
    assert only(text).stretch is None


def test_a_stretch_moves_with_its_day() -> None:
    found = merge_phrases(find_times("on friday I paint the shed in the afternoon", CLOCK), CLOCK)
    assert [wall(end) for item in found for end in item.stretch or ()] == ["2026-11-20T12:00", "2026-11-20T18:00"]
