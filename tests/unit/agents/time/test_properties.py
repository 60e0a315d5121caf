from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.time import FoundTime, clock_for, find_times
from agents.time.calendar import add
from agents.time.feasts import feasts, stretches
from agents.time.lexicon import CARDINALS, MONTHS, ORDINALS, PARTS_OF_DAY, UNITS, WEEKDAYS

ZONES = ("Europe/Lisbon", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "America/Sao_Paulo")
MOMENTS = st.datetimes(datetime.fromisoformat("2001-01-01"), datetime.fromisoformat("2090-01-01"))
DATES = st.dates(date(2001, 1, 1), date(2090, 1, 1))


def read(text: str, at: datetime, zone: str) -> FoundTime:
    found = find_times(text, clock_for(at.replace(tzinfo=UTC), zone))
    assert len(found) == 1, (text, [item.text for item in found])
    return found[0]


@given(MOMENTS, st.sampled_from(ZONES), st.integers(1, 300))
def test_hours_elapse_across_every_change_of_the_clocks(at: datetime, zone: str, hours: int) -> None:
    found = read(f"in {hours} hours", at, zone)
    assert found.start is not None
    assert found.start.astimezone(UTC) - at.replace(tzinfo=UTC) == timedelta(hours=hours)


@given(MOMENTS, st.sampled_from(ZONES), st.integers(0, 23), st.integers(0, 59))
def test_tomorrow_keeps_the_wall_clock_or_moves_on_by_the_gap(at: datetime, zone: str, hour: int, minute: int) -> None:
    found = read(f"tomorrow at {hour:02}:{minute:02}", at, zone)
    here = at.replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    wanted = datetime.combine(here.date() + timedelta(days=1), datetime.min.time()) + timedelta(
        hours=hour, minutes=minute
    )
    assert found.start is not None
    said = found.start.replace(tzinfo=None)
    exists = wanted.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert said == exists
    assert said == wanted or timedelta() < said - wanted <= timedelta(hours=1)


@given(MOMENTS, st.sampled_from(ZONES), st.sampled_from(ZONES), st.integers(1, 200), st.integers(0, 23))
def test_a_traveller_keeps_instants_and_changes_wall_clocks(
    at: datetime, home: str, away: str, hours: int, hour: int
) -> None:
    """The same words at the same instant: elapsed time ends at one instant, a clock time is that of where one is."""
    # In UTC: where an hour comes twice, Python holds equal instants of two zones for unequal.
    starts = {zone: read(f"in {hours} hours", at, zone).start for zone in (home, away)}
    ahead = {zone: start and start.astimezone(UTC) for zone, start in starts.items()}
    assert ahead[home] == ahead[away]
    for zone in (home, away):
        start, here = (
            read(f"tomorrow at {hour:02}:30", at, zone).start,
            at.replace(tzinfo=UTC).astimezone(ZoneInfo(zone)),
        )
        assert start is not None
        assert start.tzinfo == ZoneInfo(zone)
        assert start.date() == here.date() + timedelta(days=1)
        assert (start.hour, start.minute) == (hour, 30) or start.hour - hour in (0, 1)


@given(MOMENTS, st.sampled_from(ZONES), st.integers(0, 23))
def test_a_series_begins_at_its_wall_clock_whatever_the_clocks_do(at: datetime, zone: str, hour: int) -> None:
    start = read(f"every day at {hour:02}:30", at, zone).start
    assert start is not None
    assert start > at.replace(tzinfo=UTC) - timedelta(hours=1)
    assert start.hour - hour in (0, 1)


@given(DATES, st.integers(-60, 60))
def test_months_keep_the_day_or_take_the_last_one(day: date, count: int) -> None:
    moved = add(day, count, "month")
    assert moved.day == min(day.day, monthrange(moved.year, moved.month)[1])
    assert (moved.year * 12 + moved.month) - (day.year * 12 + day.month) == count


@given(MOMENTS, st.sampled_from(ZONES))
def test_the_29th_of_february_is_the_coming_one(at: datetime, zone: str) -> None:
    found = read("29 february", at, zone)
    assert found.start is not None
    assert (found.start.month, found.start.day) == (2, 29)
    assert found.start.date() >= at.replace(tzinfo=UTC).astimezone(ZoneInfo(zone)).date()


@given(MOMENTS, st.sampled_from(ZONES))
def test_the_end_of_a_month_is_its_last_day(at: datetime, zone: str) -> None:
    found = read("the end of next month", at, zone)
    assert found.start is not None
    assert found.end is not None
    assert found.start.day == monthrange(found.start.year, found.start.month)[1]
    assert found.end.day == 1


REPEATS = st.sampled_from(
    [
        "every day at 8",
        "every other friday",
        "weekdays except monday at 17:15",
        "the last friday of every month at noon",
        "on the 31st of every month",
        "on the 5th and last day of each month",
        "every year on february 29",
        "every day at 9, 13 and 18",
        "every 2 hours from 8 to 18",
        "the last working day of each month",
        "every christmas",
        "mondays and thursdays until june",
        "daily for 12 days",
        "every monday in week 53",
    ]
)


@given(MOMENTS, st.sampled_from(ZONES), REPEATS)
def test_a_recurrence_begins_with_its_first_occurrence_and_not_in_the_past(at: datetime, zone: str, text: str) -> None:
    if over_before_it_begins(at, zone, text):
        return
    found = read(text, at, zone)
    here = at.replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    assert found.rrule is not None
    assert found.start is not None
    first = found.start.replace(tzinfo=None)
    assert found.start.date() >= here.date()
    rule = rrulestr(found.rrule, dtstart=first, ignoretz=True)
    assert rule.after(first - timedelta(days=1), inc=True) == first or first.hour != (first - timedelta(hours=1)).hour


def over_before_it_begins(at: datetime, zone: str, text: str) -> bool:
    """Whether a series ends on the first of June and none of its days is left before; then it is no time at all."""
    here = at.replace(tzinfo=UTC).astimezone(ZoneInfo(zone)).date()
    days = [here + timedelta(days=step) for step in range((date(here.year, 6, 1) - here).days + 1)]
    over = (
        text.endswith("until june")
        and here < date(here.year, 6, 1)
        and not any(day.weekday() in (0, 3) for day in days)
    )
    assert not over or not find_times(text, clock_for(at.replace(tzinfo=UTC), zone))
    return over


def test_a_month_that_lacks_the_day_of_speaking_begins_with_its_first() -> None:
    assert read("each april", datetime.fromisoformat("1995-08-31T04:21"), "UTC").start == datetime(
        1996, 4, 1, tzinfo=UTC
    )


def test_every_feast_is_read_by_each_of_its_names_and_lies_ahead() -> None:
    clock = clock_for(datetime(2026, 3, 1, tzinfo=UTC), "Europe/Lisbon")
    for name in feasts():
        spoken = " ".join(word.split("|")[0].removesuffix("?").replace("~", "-") for word in name.split())
        found = find_times(f"on {spoken}", clock)
        assert [item.text for item in found] == [f"on {spoken}"]
        assert found[0].end is not None
        assert found[0].end > clock.at


@example(datetime.fromisoformat("2064-05-30"), "Europe/Lisbon")
@given(MOMENTS, st.sampled_from(ZONES))
def test_a_series_that_is_over_before_it_begins_is_no_time(at: datetime, zone: str) -> None:
    over_before_it_begins(at, zone, "mondays and thursdays until june")


WORDS = st.sampled_from(
    [
        *CARDINALS, *ORDINALS, *WEEKDAYS, *MONTHS, *UNITS, *PARTS_OF_DAY,
        *"every each on at in the of to from until by next last this for - , and / . 3 15 29 2027 12:30 5pm".split(),
        *"half quarter past after before ago now between starting ending except first week beginning end".split(),
        *"8.30 early late mid easter christmas q2 20-nov-2026 2026-11 am".split(),
        *"pm h gmt times other weekdays mondays twice daily".split(),
    ]
)  # fmt: skip


@settings(max_examples=400)
@given(st.lists(WORDS, min_size=1, max_size=12), st.sampled_from(ZONES))
def test_any_words_of_time_resolve_or_are_left_alone(words: list[str], zone: str) -> None:
    clock = clock_for(datetime(2026, 3, 28, 22, 30, tzinfo=UTC), zone)
    for found in find_times(" ".join(words), clock):
        assert found.start or found.end or found.seconds
        assert not (found.start and found.end and found.end < found.start)
        if found.rrule and found.start:
            first = found.start.replace(tzinfo=None)
            assert next(iter(rrulestr(found.rrule, dtstart=first, ignoretz=True)), None) == first


def test_every_feast_of_the_table_has_its_days() -> None:
    assert [name for name in feasts() if not any(stretches(name, year) for year in range(2024, 2031))] == []
