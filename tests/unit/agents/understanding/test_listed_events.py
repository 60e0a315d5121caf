"""How questions list what is on the calendar: series once, whole days as days, and nothing left out unsaid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.asking import answers

STANDUP: dict[str, Any] = {
    "title": "Standup",
    "start": "2026-11-02T09:30",
    "end": "2026-11-02T09:45",
    "recurrence": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270630",
}
YOGA: dict[str, Any] = {
    "title": "Yoga",
    "start": "2026-11-05T18:00",
    "end": "2026-11-05T19:00",
    "recurrence": "FREQ=WEEKLY;BYDAY=TH",
    "location": "Studio 3",
}
DENTIST: dict[str, Any] = {"title": "Dentist", "start": "2026-12-03T15:00", "end": "2026-12-03T16:00"}
TRIP: dict[str, Any] = {"title": "Trip", "start": "2026-11-21", "end": "2026-11-22"}
PARTY: dict[str, Any] = {"title": "Party", "start": "2026-11-21", "end": "2026-11-21"}


def test_a_series_of_many_times_is_listed_once_with_its_rhythm() -> None:
    assert answers("what's on in december", events=[STANDUP, YOGA, DENTIST]) == (
        "You have 29 events from Tuesday 1 December to Thursday 31 December: "
        "Standup (every weekday at 09:30, 23 times); "
        "Dentist (Thursday 3 December from 15:00 to 16:00); "
        "Yoga (every Thursday at 18:00, 5 times, Studio 3)."
    )


def test_what_is_left_out_of_a_series_is_not_counted() -> None:
    event = {**STANDUP, "exdates": ["2026-12-24", "2026-12-25"]}
    assert "Standup (every weekday at 09:30, 21 times)" in answers("what's on in december", events=[event])


def test_a_series_without_plain_words_says_when_it_begins() -> None:
    event = {**STANDUP, "recurrence": "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,2,3,-1"}
    said = answers("what's on in december", events=[event])
    assert said.endswith("Standup (repeating, 4 times, first Tuesday 1 December from 09:30 to 09:45).")


def test_two_times_are_listed_one_by_one() -> None:
    event = {**YOGA, "recurrence": "FREQ=WEEKLY;BYDAY=TU,TH"}
    said = answers("what's on next week", events=[event])
    assert "Yoga (Tuesday 24 November from 18:00 to 19:00, Studio 3); Yoga (Thursday 26 November" in said


def test_a_series_of_whole_days_has_no_clock_time() -> None:
    event = {"title": "Bins", "start": "2026-11-03", "end": "2026-11-03", "recurrence": "FREQ=WEEKLY;BYDAY=TU"}
    assert "Bins (every Tuesday, 5 times)" in answers("what's on in december", events=[event])


def test_what_comes_next_lists_a_series_once_too() -> None:
    said = answers("what's coming up", events=[STANDUP, DENTIST])
    assert said == (
        "Coming up: Standup (every weekday at 09:30, 22 times); Dentist (Thursday 3 December from 15:00 to 16:00)."
    )


def test_more_than_fit_are_counted() -> None:
    many = [{**DENTIST, "title": f"Talk {number}"} for number in range(17)]
    assert answers("what's on in december", events=many).endswith("; and 2 more.")


@pytest.mark.parametrize("text", ["what clashes this week", "any conflicts on saturday"])
def test_clashes_of_whole_days_name_the_days(text: str) -> None:
    said = answers(text, events=[TRIP, PARTY])
    assert "“Trip” (Saturday 21 November to Sunday 22 November, all day)" in said
    assert "“Party” (Saturday 21 November, all day)" in said
    assert "00:00" not in said


def test_several_whole_days_are_told_from_the_first_to_the_last() -> None:
    said = answers("am i free on sunday", events=[TRIP])
    assert "Trip (Saturday 21 November to Sunday 22 November, all day)" in said
