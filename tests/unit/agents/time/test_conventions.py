"""The same words under other conventions: where weeks begin, when parts of the day are, what is worked on."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.conventions import Conventions
from agents.time import FoundTime, clock_for, find_times
from agents.time.working_days import is_worked, public_holidays, working_days_later
from agents.understanding import understand_line
from agents.understanding.message import understand
from tests.support.asking import ask
from tests.support.phrases import LISBON, wall

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=LISBON)


def said(text: str, at: datetime = NOW, **conventions: Any) -> FoundTime:
    found = find_times(text, clock_for(at, "Europe/Lisbon", Conventions(**conventions)))
    assert len(found) == 1, [item.text for item in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "setting", "clock", "start"),
    [
        ("tomorrow morning", "morning", "08:15", "2026-11-19T08:15"),
        ("in the afternoon tomorrow", "afternoon", "14:00", "2026-11-19T14:00"),
        ("friday evening", "evening", "18:30", "2026-11-20T18:30"),
        ("tonight", "tonight", "21:00", "2026-11-18T21:00"),
        ("tomorrow night", "tonight", "21:00", "2026-11-19T21:00"),
        ("tomorrow at noon", "noon", "12:30", "2026-11-19T12:30"),
        ("first thing monday", "morning", "07:00", "2026-11-23T07:00"),
        ("after work on friday", "working_end", "17:00", "2026-11-20T17:00"),
        ("every morning", "morning", "06:45", "2026-11-19T06:45"),
    ],
)
def test_parts_of_the_day_are_the_users(text: str, setting: str, clock: str, start: str) -> None:
    conventions: dict[str, Any] = {setting: clock}
    found = said(text, **conventions)
    assert wall(found.moment) == start
    assert any(line.endswith(f"is {clock}") for line in found.assumptions) or setting == "noon"


def test_three_times_a_day_follows_the_users_hours() -> None:
    found = said("three times a day", morning="08:00", afternoon="14:00", evening="20:00")
    assert found.rrule == "FREQ=DAILY;BYHOUR=8,14,20;BYMINUTE=0"


@pytest.mark.parametrize(("first", "hour"), [(7, "18:00"), (6, "06:00")])
def test_a_bare_hour_is_before_noon_from_the_users_first_one(first: int, hour: str) -> None:
    assert wall(said("tomorrow at 6", first_morning_hour=first).start) == f"2026-11-19T{hour}"


SUNDAY = datetime(2026, 11, 22, 9, 0, tzinfo=LISBON)


@pytest.mark.parametrize(
    ("text", "monday", "sunday"),
    [
        ("this week", "2026-11-16", "2026-11-22"),
        ("next week", "2026-11-23", "2026-11-29"),
        ("next friday", "2026-11-27", "2026-12-04"),
        ("this friday", "2026-11-27", "2026-11-27"),
        ("friday of next week", "2026-11-27", "2026-12-04"),
        ("the end of the week", "2026-11-27", "2026-11-27"),
        ("the middle of next week", "2026-11-25", "2026-12-02"),
        ("this time next week", "2026-11-29", "2026-11-29"),
    ],
)
def test_weeks_begin_where_the_user_says(text: str, monday: str, sunday: str) -> None:
    for start, day in (("monday", monday), ("sunday", sunday)):
        found = said(text, SUNDAY, week_start=start)
        assert wall(found.start) == f"{day}T{'09:00' if 'time' in text else '00:00'}", (text, start)


def test_where_weeks_begin_is_told_when_it_makes_a_difference() -> None:
    assert "weeks begin on sunday" in said("next week", SUNDAY, week_start="sunday").assumptions
    assert "weeks begin on monday" in said("next week", SUNDAY).assumptions
    assert said("next week").assumptions == ()


def test_every_other_week_skips_the_users_weeks() -> None:
    assert said("every other tuesday", week_start="sunday").rrule == "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU"
    assert said("every other tuesday").rrule == "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"


def test_business_days_skip_the_holidays_of_the_users_country() -> None:
    late = datetime(2026, 12, 23, 9, 0, tzinfo=LISBON)
    plain, kept = said("in 3 business days", late), said("in 3 business days", late, business_holidays="PT")
    assert (wall(plain.start), wall(kept.start)) == ("2026-12-28T00:00", "2026-12-29T00:00")
    assert kept.assumptions == (
        "business days are monday, tuesday, wednesday, thursday, friday, without the public holidays of PT",
    )
    assert wall(said("the last working day of december", late, business_holidays="JP").start) == "2026-12-31T00:00"
    assert wall(said("the first working day of january", late, business_holidays="PT").start) == "2027-01-04T00:00"


def test_working_days_are_the_users() -> None:
    days = ("sunday", "monday", "tuesday", "wednesday", "thursday")
    assert wall(said("in 2 business days", working_days=days).start) == "2026-11-22T00:00"
    assert said("every working day at 8", working_days=days).rrule == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,SU"
    assert said("every weekday at 8", working_days=days).rrule == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"


@given(st.dates(date(2000, 1, 1), date(2040, 1, 1)), st.integers(1, 40), st.sampled_from([None, "PT", "US", "IN"]))
def test_working_days_are_counted_one_by_one(day: date, count: int, country: str | None) -> None:
    end = working_days_later(day, count, (0, 1, 2, 3, 4), country)
    worked = [day + timedelta(days=step) for step in range(1, (end - day).days + 1)]
    assert len([each for each in worked if is_worked(each, (0, 1, 2, 3, 4), country)]) == count
    assert is_worked(end, (0, 1, 2, 3, 4), country)


def test_a_country_whose_holidays_are_not_known_has_none() -> None:
    assert public_holidays("XX", 2026) == frozenset()


def test_a_turn_is_understood_under_the_conventions_of_its_ask() -> None:
    asked = ask("call mom tomorrow morning").model_copy(update={"conventions": Conventions(morning="07:30")})
    proposed = [item for target in understand(asked).targets if target.proposed for item in target.proposed.proposals]
    assert proposed[0].fields["deadline"].startswith("2026-11-19T07:30")


def test_a_line_may_carry_conventions() -> None:
    line = {"text": "tomorrow morning", "now": "2026-11-18T10:30:00", "tz": "UTC", "conventions": {"morning": "07:30"}}
    assert understand_line(line)["time"][0]["start"] == "2026-11-19T07:30:00+00:00"


@pytest.mark.parametrize(
    ("text", "told", "on_twelve"),
    [
        ("tomorrow at 6", "I took 6 as 18:00", "I took 6 as 6:00 pm"),
        ("tomorrow at 6:30", "I took 6:30 as 18:30", "I took 6:30 as 6:30 pm"),
        ("later today", "I took later today as 13:30", "I took later today as 1:30 pm"),
        ("at 10:15", "10:15 has passed, so tomorrow", "10:15 am has passed, so tomorrow"),
        ("every tuesday at 6", "I took 6 as 18:00", "I took 6 as 6:00 pm"),
    ],
)
def test_what_was_assumed_is_told_on_the_users_clock(text: str, told: str, on_twelve: str) -> None:
    assert said(text).ambiguous == (told,)
    assert said(text, clock="12h").ambiguous == (on_twelve,)


@pytest.mark.parametrize("text", ["7-9pm", "tomorrow 6-8pm", "every tuesday 7-9pm", "from 8 to 10 pm"])
def test_an_end_that_tells_the_half_of_the_day_leaves_no_doubt(text: str) -> None:
    assert said(text).ambiguous == ()
    assert wall(said(text).start)[11:13] in ("18", "19", "20")  # type: ignore[index]
