"""When events take place: against every day and hour tried one by one, and by name where clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.records import EventFields
from agents.recurrence.expand import OccurrenceSpan, occurrences

ZONES = ("Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
LISBON = ZoneInfo("Europe/Lisbon")
FIRST, LAST, LONG_AFTER = (datetime.fromisoformat(day) for day in ("2025-01-01", "2026-12-31", "2032-01-01"))


def event(start: str, end: str | None = None, rule: str | None = None, **fields: Any) -> EventFields:
    values = {"title": "x", "start": start, "end": end, "recurrence": rule, "zone": "Europe/Lisbon", **fields}
    return EventFields.model_validate(values)


def begins(found: EventFields, since: str, until: str) -> list[str]:
    zone = ZoneInfo(found.zone or "UTC")
    spans = occurrences(found, _at(since, zone), _at(until, zone))
    return [f"{span.start.astimezone(zone):%Y-%m-%d %H:%M}" for span in spans]


def _at(day: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=zone)


@st.composite
def series(draw: st.DrawFn) -> EventFields:
    """A daily, weekly or monthly series of some length anywhere, with some days left out."""
    zone = draw(st.sampled_from(ZONES))
    start = draw(st.datetimes(FIRST, LAST))
    start = start.replace(second=0, microsecond=0)
    rule = draw(
        st.sampled_from(
            ("FREQ=DAILY", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR")
        )
    )
    rule += draw(st.sampled_from(("", ";INTERVAL=2", ";INTERVAL=3")))
    rule += draw(st.sampled_from(("", ";COUNT=9", ";UNTIL=20270301T120000", ";UNTIL=20270301")))
    minutes = draw(st.integers(5, 3 * 24 * 60))
    began = start.replace(tzinfo=ZoneInfo(zone))
    out = [start.date() + timedelta(days=draw(st.integers(0, 60))) for _ in range(draw(st.integers(0, 3)))]
    return EventFields(
        title="x",
        start=began,
        end=began.astimezone(UTC) + timedelta(minutes=minutes),
        recurrence=rule,
        zone=zone,
        exdates=out,
    )


@settings(max_examples=300)
@given(series(), st.integers(-30, 900), st.integers(1, 60))
def test_a_window_shows_what_counting_through_the_whole_series_shows(found: EventFields, off: int, days: int) -> None:
    assert isinstance(found.start, datetime)
    assert isinstance(found.end, datetime)
    zone = ZoneInfo(found.zone or "")
    length = found.end.astimezone(UTC) - found.start.astimezone(UTC)
    since = found.start.astimezone(UTC) + timedelta(days=off)
    until = since + timedelta(days=days)
    rule = (found.recurrence or "").replace("UNTIL=20270301;", "UNTIL=20270301T235959;")
    rule = rule + "T235959" if rule.endswith("UNTIL=20270301") else rule
    walls = rrulestr(rule, dtstart=found.start.astimezone(zone).replace(tzinfo=None)).between(
        FIRST, LONG_AFTER, inc=True
    )
    kept = [wall.replace(tzinfo=zone).astimezone(UTC) for wall in walls if wall.date() not in found.exdates]
    expected = [OccurrenceSpan(begin, begin + length) for begin in kept if begin < until and begin + length > since]
    assert list(occurrences(found, since, until)) == expected


@settings(max_examples=200)
@given(series())
def test_occurrences_keep_their_clock_time_unless_the_clocks_skip_it(found: EventFields) -> None:
    assert isinstance(found.start, datetime)
    zone = ZoneInfo(found.zone or "")
    clock = found.start.astimezone(zone).time()
    for span in occurrences(found, found.start, found.start + timedelta(days=400)):
        local = span.start.astimezone(zone)
        skipped = datetime.combine(local.date(), clock, zone).astimezone(UTC).astimezone(zone).time() != clock
        assert local.time() == clock or skipped


@settings(max_examples=200)
@given(st.dates(date(2025, 1, 1), date(2027, 1, 1)), st.integers(0, 9), st.sampled_from(ZONES), st.integers(0, 300))
def test_whole_days_last_from_midnight_to_midnight(start: date, more: int, zone: str, off: int) -> None:
    last = start + timedelta(days=more)
    found = EventFields(title="x", start=start, end=last, recurrence="FREQ=WEEKLY;INTERVAL=2", zone=zone)
    since = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=off)
    for span in occurrences(found, since, since + timedelta(days=60)):
        first, end = span.start.astimezone(ZoneInfo(zone)), span.end.astimezone(ZoneInfo(zone))
        assert f"{first:%H:%M} {end:%H:%M}" == "00:00 00:00"
        assert (end.date() - first.date()).days == more + 1
        assert (first.date() - start).days % 14 == 0


@pytest.mark.parametrize("rule", [None, "FREQ=DAILY;COUNT=1", "FREQ=WEEKLY;UNTIL=20261118"])
def test_whole_days_are_days_of_the_zone_that_is_asked_for(rule: str | None) -> None:
    found = event("2026-11-18", "2026-11-19", rule)
    since = datetime(2026, 11, 16, tzinfo=UTC)
    spans = list(occurrences(found, since, since + timedelta(days=9), ZoneInfo("Asia/Kathmandu")))
    begins, ends = (datetime(2026, 11, day, 18, 15, tzinfo=UTC) for day in (17, 19))
    assert spans == [OccurrenceSpan(begins, ends)]


def test_a_standing_meeting_keeps_its_hour_over_both_changes_of_the_clocks() -> None:
    found = event("2026-10-20T09:00:00+01:00", rule="FREQ=WEEKLY")
    assert begins(found, "2026-10-19", "2026-11-05") == ["2026-10-20 09:00", "2026-10-27 09:00", "2026-11-03 09:00"]
    assert begins(found, "2027-03-20", "2027-04-01") == ["2027-03-23 09:00", "2027-03-30 09:00"]


def test_an_hour_that_is_skipped_moves_on_by_the_gap() -> None:
    found = event("2027-03-27T01:30:00+00:00", rule="FREQ=DAILY")
    assert begins(found, "2027-03-27", "2027-03-30") == ["2027-03-27 01:30", "2027-03-28 02:30", "2027-03-29 01:30"]


def test_a_round_that_began_days_before_the_window_and_lasts_into_it_is_shown() -> None:
    found = event("2026-11-02T09:00:00+00:00", "2026-11-05T09:00:00+00:00", "FREQ=WEEKLY")
    since = datetime(2026, 11, 19, 8, tzinfo=UTC)
    spans = list(occurrences(found, since, since + timedelta(hours=9)))
    assert spans == [OccurrenceSpan(datetime(2026, 11, 16, 9, tzinfo=UTC), datetime(2026, 11, 19, 9, tzinfo=UTC))]


def test_an_hour_that_is_skipped_is_found_where_it_takes_place() -> None:
    found = event("2026-03-27T01:30:00+00:00", "2026-03-27T02:00:00+00:00", "FREQ=DAILY")
    since = datetime(2026, 3, 29, 1, 20, tzinfo=UTC)  # 02:20 on the clock, later than 01:30 and half an hour
    begin = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert list(occurrences(found, since, since + timedelta(hours=1))) == [
        OccurrenceSpan(begin, begin + timedelta(minutes=30))
    ]


def test_a_day_left_out_is_left_out_and_an_instant_leaves_out_its_day() -> None:
    found = event(
        "2026-11-16T09:00:00+00:00", rule="FREQ=DAILY;COUNT=4", exdates=["2026-11-17", "2026-11-18T09:00:00Z"]
    )
    assert begins(found, "2026-11-16", "2026-12-01") == ["2026-11-16 09:00", "2026-11-19 09:00"]


def test_of_several_a_day_only_the_one_named_is_left_out() -> None:
    rule = "FREQ=DAILY;BYHOUR=9,14;COUNT=4"
    found = event("2026-11-16T09:00:00+00:00", rule=rule, exdates=["2026-11-16T14:00:00Z"])
    assert begins(found, "2026-11-16", "2026-12-01") == ["2026-11-16 09:00", "2026-11-17 09:00", "2026-11-17 14:00"]


def test_a_series_that_ends_on_a_day_takes_place_on_that_day() -> None:
    found = event("2026-11-16T09:00:00+00:00", rule="FREQ=DAILY;UNTIL=20261118")
    assert begins(found, "2026-11-16", "2026-12-01") == ["2026-11-16 09:00", "2026-11-17 09:00", "2026-11-18 09:00"]


def test_an_end_in_utc_is_read_in_the_zone_of_the_series() -> None:
    found = event("2026-07-01T00:30:00+01:00", rule="FREQ=DAILY;UNTIL=20260702T233000Z")
    assert begins(found, "2026-07-01", "2026-08-01") == ["2026-07-01 00:30", "2026-07-02 00:30", "2026-07-03 00:30"]


def test_what_began_before_the_window_and_lasts_into_it_is_shown() -> None:
    night = event("2026-11-16T22:00:00Z", "2026-11-17T06:00:00Z", "FREQ=DAILY")
    assert begins(night, "2026-11-20", "2026-11-20T12:00") == ["2026-11-19 22:00"]
    trip = event("2026-11-16", "2026-11-20")
    assert begins(trip, "2026-11-20", "2026-11-21") == ["2026-11-16 00:00"]
    assert begins(trip, "2026-11-21", "2026-11-22") == []


@pytest.mark.parametrize("rule", ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=MINUTELY;INTERVAL=30"])
def test_a_series_that_began_decades_ago_is_not_counted_through(rule: str) -> None:
    found = event("1971-01-04T09:00:00+01:00", "1971-01-04T09:15:00+01:00", rule)
    spans = list(occurrences(found, datetime(2026, 11, 16, tzinfo=LISBON), datetime(2026, 11, 17, tzinfo=LISBON)))
    assert len(spans) == (48 if "MINUTELY" in rule else 1)
