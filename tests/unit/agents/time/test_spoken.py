"""Time as it is said aloud and in short: clocks, closings, margins, timetables, halves, meals."""

from __future__ import annotations

import pytest

from agents.time import find_times
from tests.support.phrases import CLOCK, only, wall


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("oh five hundred", "2026-11-19T05:00"),
        ("oh five thirty", "2026-11-19T05:30"),
        ("fifteen hundred hours", "2026-11-18T15:00"),
        ("1500 hours", "2026-11-18T15:00"),
        ("at 0900", "2026-11-19T09:00"),
        ("noon thirty", "2026-11-18T12:30"),
        ("half past noon", "2026-11-18T12:30"),
        ("12 noon", "2026-11-18T12:00"),
        ("fiveish", "2026-11-18T17:00"),
        ("9 sharp", "2026-11-19T09:00"),
        ("at twenty to six in the morning", "2026-11-19T05:40"),
        ("twenty to six tomorrow morning", "2026-11-19T05:40"),
        ("at ten to nine on friday morning", "2026-11-20T08:50"),
        ("on friday at twenty to nine in the morning", "2026-11-20T08:40"),
        ("at five to seven in the morning", "2026-11-19T06:55"),
        ("ten to six in the evening", "2026-11-18T17:50"),
        ("twenty five to seven this evening", "2026-11-18T18:35"),
        ("twenty to eight tonight", "2026-11-18T19:40"),
        ("tomorrow at 20 to 10", "2026-11-19T09:40"),
        ("at 25 to 4", "2026-11-18T15:35"),
        ("9 tonight", "2026-11-18T21:00"),
        ("7 tomorrow morning", "2026-11-19T07:00"),
        ("first thing tomorrow", "2026-11-19T09:00"),
        ("first thing next week", "2026-11-23T09:00"),
        ("early tomorrow morning", "2026-11-19T09:00"),
        ("mid-afternoon on friday", "2026-11-20T15:00"),
        ("new year's eve at 11pm", "2026-12-31T23:00"),
        ("tomorrow at lunch", "2026-11-19T12:00"),
        ("around dinner time", "2026-11-18T19:00"),
        ("tomorrow uh at five", "2026-11-19T17:00"),
        ("on friday um at like three", "2026-11-20T15:00"),
        ("at roughly 4", "2026-11-18T16:00"),
        ("3 o clock", "2026-11-18T15:00"),
        ("at eighteen forty two", "2026-11-18T18:42"),
        ("at 7 05", "2026-11-19T07:05"),
        ("8am tomorrow est", "2026-11-19T13:00"),
        ("2026-11-23T17:00+02:00", "2026-11-23T15:00"),
        ("this time next month", "2026-12-18T10:30"),
        ("the same time next week", "2026-11-25T10:30"),
        ("in 3 days at 1", "2026-11-21T13:00"),
    ],
)
def test_clock_times(text: str, start: str) -> None:
    found = only(text)
    assert (wall(found.start), found.timed, found.text) == (start, True, text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("the twenty third", "2026-11-23"),
        ("two weeks from friday", "2026-12-04"),
        ("end of play friday", "2026-11-20"),
        ("midweek", "2026-11-18"),
        ("in three sleeps", "2026-11-21"),
        ("three weeks on saturday", "2026-12-12"),
        ("in two weeks on monday", "2026-11-30"),
        ("monday in two weeks", "2026-12-07"),
        ("in two months on tuesday", "2027-01-19"),
        ("the last friday before christmas", "2026-12-18"),
        ("around the 20th", "2026-11-20"),
        ("on the eve of christmas", "2026-12-24"),
        ("the closest monday to december 5", "2026-12-07"),
        ("the second closest monday to december 5", "2026-11-30"),
        ("first weekday of the month", "2026-12-01"),
        ("super tuesday 2028", "2028-03-07"),
        ("mid next week", "2026-11-25"),
        ("monday next", "2026-11-23"),
        ("the following monday", "2026-11-23"),
        ("20th july '27", "2027-07-20"),
        ("late on friday", "2026-11-20"),
        ("next tuesday week", "2026-12-01"),
        ("at month end", "2026-11-30"),
    ],
)
def test_days(text: str, day: str) -> None:
    found = only(text)
    assert (wall(found.start), found.timed, found.text) == (f"{day}T00:00", False, text)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the week after next", "2026-11-30", "2026-12-07"),
        ("week ending 11 december", "2026-12-07", "2026-12-14"),
        ("weekend of the 5th", "2026-12-05", "2026-12-07"),
        ("the second half of 2027", "2027-07-01", "2028-01-01"),
        ("first half of june", "2027-06-01", "2027-06-16"),
        ("h1 2027", "2027-01-01", "2027-07-01"),
        ("the 5th and 6th", "2026-12-05", "2026-12-07"),
        ("12/24 - 1/2", "2026-12-24", "2027-01-03"),
        ("this coming weekend", "2026-11-21", "2026-11-23"),
        ("christmas week", "2026-12-21", "2026-12-28"),
        ("the next fortnight", "2026-11-23", "2026-12-07"),
        ("1st half of 2027", "2027-01-01", "2027-07-01"),
        ("december 5 and 6", "2026-12-05", "2026-12-07"),
        ("in two or three days", "2026-11-20", "2026-11-22"),
    ],
)
def test_stretches_of_days(text: str, start: str, end: str) -> None:
    found = only(text)
    assert (wall(found.start), wall(found.end), found.text) == (f"{start}T00:00", f"{end}T00:00", text)


@pytest.mark.parametrize(
    ("text", "kind", "moment"),
    [
        ("by end of play tomorrow", "open_before", "2026-11-20T00:00"),
        ("by cop friday", "open_before", "2026-11-21T00:00"),
        ("friday latest", "open_before", "2026-11-21T00:00"),
        ("by friday at the latest", "open_before", "2026-11-21T00:00"),
        ("before lunch tomorrow", "open_before", "2026-11-19T12:00"),
        ("after work on friday", "open_after", "2026-11-20T18:00"),
        ("not until friday", "open_after", "2026-11-20T00:00"),
        ("by the end of the day", "open_before", "2026-11-19T00:00"),
        ("on or before friday", "open_before", "2026-11-21T00:00"),
        ("up to and including the 5th", "open_before", "2026-12-06T00:00"),
        ("in less than 2 hours", "open_before", "2026-11-18T12:30"),
        ("in at least 3 days", "open_after", "2026-11-21T00:00"),
        ("since monday", "open_after", "2026-11-16T00:00"),
        ("since monday at 8", "open_after", "2026-11-16T08:00"),
        ("since the 3rd", "open_after", "2026-11-03T00:00"),
        ("since the 20th", "open_after", "2026-10-20T00:00"),
        ("since march", "open_after", "2026-03-01T00:00"),
        ("since christmas", "open_after", "2025-12-25T00:00"),
        ("since 29 february", "open_after", "2024-02-29T00:00"),
        ("4pm at the earliest", "open_after", "2026-11-18T16:00"),
        ("more than two weeks after easter", "open_after", "2027-04-11T00:00"),
        ("tomorrow sometime after lunch", "open_after", "2026-11-19T13:00"),
        ("by twenty to six", "open_before", "2026-11-18T17:40"),
    ],
)
def test_open_ends(text: str, kind: str, moment: str) -> None:
    found = only(text)
    assert (found.kind, wall(found.moment), found.text) == (kind, moment, text)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1h30", 90),
        ("an hour and a quarter", 75),
        ("a good two hours", 120),
        ("a full hour", 60),
        ("1h 30", 90),
        ("1h30m", 90),
        ("an hour thirty", 90),
        ("hour and a half", 90),
        ("one hour thirty", 90),
        ("5 to 10 minutes", 10),
        ("two or three hours", 180),
        ("an hour or two", 120),
        ("20 minutes or so", 20),
    ],
)
def test_lengths(text: str, minutes: int) -> None:
    assert [(found.text, found.seconds) for found in find_times(f"for {text}", CLOCK)] == [(text, minutes * 60)]


def test_a_clock_with_an_h_is_a_time_where_a_day_or_an_at_says_so() -> None:
    assert wall(only("at 1h30").start) == "2026-11-18T13:30"
    assert wall(only("2h15 tomorrow").start) == "2026-11-19T14:15"
    assert wall(only("18h30").start) == "2026-11-18T18:30"


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        ("twice a week", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-11-19T00:00"),
        ("twice a week on tuesdays and fridays", "FREQ=WEEKLY;BYDAY=TU,FR", "2026-11-20T00:00"),
        ("twice a week, tuesday and friday", "FREQ=WEEKLY;BYDAY=TU,FR", "2026-11-20T00:00"),
        ("three times a day", "FREQ=DAILY;BYHOUR=9,15,19;BYMINUTE=0", "2026-11-18T15:00"),
        ("twice a month", "FREQ=MONTHLY;BYMONTHDAY=1,15", "2026-12-01T00:00"),
        ("four times a year", "FREQ=MONTHLY;INTERVAL=3", "2026-11-18T00:00"),
        ("once per week", "FREQ=WEEKLY", "2026-11-18T00:00"),
        ("mon wed fri at 7", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "2026-11-20T07:00"),
        ("mon/wed", "FREQ=WEEKLY;BYDAY=MO,WE", "2026-11-18T00:00"),
        ("mon, tue, thu and fri", "FREQ=WEEKLY;BYDAY=MO,TU,TH,FR", "2026-11-19T00:00"),
        ("mwf at 7", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "2026-11-20T07:00"),
        ("mon-fri 9-5", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-19T09:00"),
        ("every day next week", "FREQ=DAILY;UNTIL=20261129", "2026-11-23T00:00"),
        ("every monday in january", "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270131", "2027-01-04T00:00"),
        ("every monday from january to march", "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270331", "2027-01-04T00:00"),
        ("every 1st and 15th", "FREQ=MONTHLY;BYMONTHDAY=1,15", "2026-12-01T00:00"),
        ("semi-annually", "FREQ=MONTHLY;INTERVAL=6", "2026-11-18T00:00"),
        ("twice monthly", "FREQ=MONTHLY;BYMONTHDAY=1,15", "2026-12-01T00:00"),
        ("every half year", "FREQ=MONTHLY;INTERVAL=6", "2026-11-18T00:00"),
        ("nightly at 10", "FREQ=DAILY", "2026-11-18T22:00"),
        ("every other friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-11-20T00:00"),
        ("every other monday at 9", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-11-23T09:00"),
        ("monday to thursday at 9", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", "2026-11-19T09:00"),
        ("5 days a week", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-18T00:00"),
        ("three times weekly", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "2026-11-18T00:00"),
        ("once in two weeks", "FREQ=WEEKLY;INTERVAL=2", "2026-11-18T00:00"),
        ("every june", "FREQ=YEARLY;BYMONTH=6", "2027-06-01T00:00"),
        ("on day 5 of every month", "FREQ=MONTHLY;BYMONTHDAY=5", "2026-12-05T00:00"),
        ("every day at noon and midnight", "FREQ=DAILY;BYHOUR=0,12;BYMINUTE=0", "2026-11-18T12:00"),
        ("at 9 and 5 every day", "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0", "2026-11-18T17:00"),
        ("every first and third friday", "FREQ=MONTHLY;BYDAY=1FR,3FR", "2026-11-20T00:00"),
        ("every month end", "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-11-30T00:00"),
        ("on a weekly basis", "FREQ=WEEKLY", "2026-11-18T00:00"),
        ("mornings and evenings", "FREQ=DAILY;BYHOUR=9,19;BYMINUTE=0", "2026-11-18T19:00"),
        ("nine to five monday through thursday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", "2026-11-19T09:00"),
        ("weekdays 9 to 5", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-19T09:00"),
    ],
)
def test_how_often(text: str, rule: str, first: str) -> None:
    found = only(text)
    assert (found.rrule, wall(found.start), found.text) == (rule, first, text)


@pytest.mark.parametrize(
    ("text", "assumption"),
    [
        ("twice a week", "how often is said, not when: monday and thursday is assumed"),
        ("twice a month", "how often is said, not when: day 1, day 15 is assumed"),
        ("mon wed fri", "monday and wednesday and friday is read as every week"),
        ("for 5 to 10 minutes", "5 to 10 minutes is counted as 10"),
    ],
)
def test_what_is_not_said_is_told_as_assumed(text: str, assumption: str) -> None:
    assert assumption in only(text).assumptions


def test_hours_of_a_series_belong_to_the_same_half_of_the_day() -> None:
    found = only("tuesdays and thursdays from 6 to 7")
    assert (wall(found.start), wall(found.end)) == ("2026-11-19T18:00", "2026-11-19T19:00")


def test_two_open_ends_are_a_stretch() -> None:
    found = only("later than 9:30 but before 11:00 on thursday")
    assert (found.kind, wall(found.start), wall(found.end)) == ("interval", "2026-11-19T09:30", "2026-11-19T11:00")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("8 to 10 tomorrow night", "2026-11-19T20:00", "2026-11-19T22:00"),
        ("during business hours tomorrow", "2026-11-19T09:00", "2026-11-19T18:00"),
        ("between 3 & 4pm", "2026-11-18T15:00", "2026-11-18T16:00"),
        ("friday night from 1 to 3", "2026-11-21T01:00", "2026-11-21T03:00"),
        ("friday night from 11 to 2", "2026-11-20T23:00", "2026-11-21T02:00"),
        ("9 till 5 on monday", "2026-11-23T09:00", "2026-11-23T17:00"),
        ("11-1 on thursday", "2026-11-19T11:00", "2026-11-19T13:00"),
        ("9am 'til noon tomorrow", "2026-11-19T09:00", "2026-11-19T12:00"),
        ("from 10pm until 2am on saturday", "2026-11-21T22:00", "2026-11-22T02:00"),
        ("from ten to five", "2026-11-19T10:00", "2026-11-19T17:00"),
        ("from ten to six in the evening", "2026-11-19T10:00", "2026-11-19T18:00"),
        ("five to seven this evening", "2026-11-18T17:00", "2026-11-18T19:00"),
        ("eight to ten in the morning", "2026-11-19T08:00", "2026-11-19T10:00"),
        ("10 to 6pm", "2026-11-19T10:00", "2026-11-19T18:00"),
        ("20 to 22 in the evening on saturday", "2026-11-21T20:00", "2026-11-21T22:00"),
    ],
)
def test_hours(text: str, start: str, end: str) -> None:
    found = only(text)
    assert (found.kind, wall(found.start), wall(found.end), found.text) == ("interval", start, end, text)


def test_days_in_letters_before_hours_are_part_of_the_length() -> None:
    assert only("2d 3h").seconds == 51 * 3600


def test_a_next_that_belongs_to_a_month_is_not_the_weekdays() -> None:
    assert [found.text for found in find_times("wednesday next month", CLOCK)] == ["wednesday", "next month"]


@pytest.mark.parametrize("text", ["- 2 days at the beach", "rooms 3-2 days", "for 2-3 days"])
def test_a_dash_that_begins_an_item_or_joins_does_not_look_back(text: str) -> None:
    assert only(text).kind == "duration"


def test_hours_before_a_number_of_things_stay_whole_hours() -> None:
    assert [found.text for found in find_times("in 2 hours 15 people come", CLOCK)] == ["in 2 hours"]
