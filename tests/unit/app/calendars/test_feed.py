"""The feed says in iCalendar what the records say: read back by a reader of the format, nothing differs."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from agents.records import Event, ToDo
from app.calendars.feed import write_feed
from app.calendars.model.calendars import FeedItems, TodosAs
from app.calendars.plain import CONTROLS

LISBON = "Europe/Lisbon"
NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
BIRTH: dict[str, Any] = {"id": "7e3c", "version": 3, "created_at": NOW, "updated_at": NOW}
REFRESH = timedelta(minutes=15)
STORABLE = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=300)
TITLES = STORABLE.map(lambda text: f"a{text}"[:300])
ZONES = st.sampled_from([LISBON, "America/New_York", "Asia/Kolkata", "UTC", "Australia/Lord_Howe", "Africa/Casablanca"])
FIRST, LAST = datetime(1990, 1, 1), datetime(2100, 1, 1)  # noqa: DTZ001 - what clocks show
STARTS = st.datetimes(FIRST, LAST).map(lambda wall: wall.replace(microsecond=0))
RULES = st.sampled_from(
    [
        "FREQ=DAILY",
        "FREQ=WEEKLY;BYDAY=MO,WE",
        "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=MONTHLY;BYDAY=-1FR;COUNT=7",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=DAILY;INTERVAL=3;UNTIL=21050101",
        "FREQ=WEEKLY;UNTIL=21050101T120000",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
    ]
)


def event(**fields: Any) -> Event:
    return Event.model_validate({**BIRTH, "title": "dentist", **fields})


def todo(**fields: Any) -> ToDo:
    return ToDo.model_validate({**BIRTH, "task": "pay rent", **fields})


def written(*events: Event, todos: list[ToDo] | None = None, todos_as: TodosAs = "task") -> bytes:
    return write_feed(FeedItems(list(events), todos or [], todos_as, LISBON), REFRESH)


def read(body: bytes, kind: str = "VEVENT") -> Any:
    calendar = Calendar.from_ical(body)
    (found,) = calendar.walk(kind)
    assert found.errors == []
    return found


@settings(max_examples=200, deadline=None)
@given(TITLES, STORABLE, st.none() | STORABLE, STARTS, ZONES, st.integers(1, 60 * 72))
def test_a_timed_event_is_read_back_as_it_was(
    title: str, notes: str, location: str | None, wall: datetime, zone: str, minutes: int
) -> None:
    start = wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    end = start + timedelta(minutes=minutes)
    given_event = event(title=title, notes=notes, location=location, start=start, end=end, zone=zone)
    body = written(given_event)
    found = read(body)
    assert found.start.astimezone(UTC) == start
    assert found.end.astimezone(UTC) == end
    assert str(found["SUMMARY"]) == _cleaned(title)
    assert str(found["DESCRIPTION"]) == _cleaned(notes)
    assert str(found.get("LOCATION", "")) == _cleaned(location or "")
    assert all(len(line) <= 75 for line in body.split(b"\r\n"))
    assert body == written(given_event)


@settings(max_examples=100, deadline=None)
@given(STARTS, ZONES, RULES)
def test_a_series_is_read_back_with_the_same_days(wall: datetime, zone: str, rule: str) -> None:
    start = wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    local = start.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    ours: Any = rrulestr(rule, dtstart=local, ignoretz=True)
    expected = list(ours[:8])
    body = written(event(start=start, end=start + timedelta(hours=1), zone=zone, recurrence=rule))
    found = read(body)
    assert _times(found, 8) == expected
    assert found["DTSTART"].dt.replace(tzinfo=None) == expected[0]


def _times(found: Any, most: int) -> list[datetime]:
    """The walls of a series as a reader of RFC 5545 counts them."""
    start = found["DTSTART"].dt
    rule = found["RRULE"].to_ical().decode()
    skipped = {moment.dt.replace(tzinfo=None) for moment in found["EXDATE"].dts} if "EXDATE" in found else set()
    series: Any = rrulestr(rule, dtstart=start.astimezone(UTC) if "UNTIL" in rule and start.tzinfo is UTC else start)
    walls = [moment.replace(tzinfo=None) for moment in series[: most + len(skipped)]]
    return [wall for wall in walls if wall not in skipped][:most]


def test_whole_days_end_on_the_day_after() -> None:
    found = read(written(event(start="2026-12-24", end="2026-12-26")))
    assert (found["DTSTART"].dt, found["DTEND"].dt) == (date(2026, 12, 24), date(2026, 12, 27))
    assert found["DTSTART"].params["VALUE"] == "DATE"
    one = read(written(event(start="2026-12-24", end="2026-12-24")))
    assert one["DTEND"].dt == date(2026, 12, 25)


def test_skipped_days_of_a_series() -> None:
    timed = event(
        start="2026-11-20T15:00:00Z", zone="America/New_York", recurrence="FREQ=DAILY", exdates=["2026-11-21"]
    )
    assert b"EXDATE;TZID=America/New_York:20261121T100000" in written(timed)
    whole = event(start="2026-11-20", recurrence="FREQ=WEEKLY;UNTIL=20270101", exdates=["2026-11-27"])
    body = written(whole)
    assert b"EXDATE;VALUE=DATE:20261127" in body
    assert b"UNTIL=20270101;" in body or b"UNTIL=20270101\r" in body


def test_a_series_until_a_day_has_that_day() -> None:
    until = event(start="2026-11-20T15:00:00Z", zone=LISBON, recurrence="FREQ=DAILY;UNTIL=20261122")
    assert len(_times(read(written(until)), 9)) == 3


def test_a_skipped_time_of_several_a_day() -> None:
    often = {"start": "2026-11-20T09:00:00Z", "zone": "UTC", "recurrence": "FREQ=DAILY;BYHOUR=9,15;COUNT=6"}
    one = _times(read(written(event(**often, exdates=["2026-11-21T15:00:00Z"]))), 9)
    assert [f"{moment:%d %H}" for moment in one] == ["20 09", "20 15", "21 09", "22 09", "22 15"]
    day = _times(read(written(event(**often, exdates=["2026-11-21"]))), 9)
    assert [f"{moment:%d %H}" for moment in day] == ["20 09", "20 15", "22 09", "22 15"]


def test_a_series_begins_with_its_first_time_and_keeps_its_length() -> None:
    found = read(written(event(start="2026-11-18T10:00:00Z", zone="UTC", recurrence="FREQ=WEEKLY;BYDAY=MO")))
    assert found.start == datetime(2026, 11, 23, 10, tzinfo=UTC)
    assert found.end == datetime(2026, 11, 23, 11, tzinfo=UTC)


@pytest.mark.parametrize("hour", [0, 1])
def test_an_hour_that_comes_twice_is_told_in_utc(hour: int) -> None:
    start = datetime(2026, 10, 25, hour, 30, tzinfo=UTC)  # both are 01:30 on Lisbon's clocks
    assert read(written(event(start=start, zone=LISBON))).start.astimezone(UTC) == start


def test_the_zone_of_a_series_is_described_as_far_as_it_goes() -> None:
    body = written(event(start="2026-11-20T15:00:00Z", zone=LISBON, recurrence="FREQ=DAILY"))
    zone: Any = Calendar.from_ical(body).walk("VTIMEZONE")[0]
    described = zone.to_tz(lookup_tzid=False)
    for year in (2026, 2030, 2035):
        for month in range(1, 13):
            noon = datetime.combine(date(year, month, 15), time(12))
            assert noon.replace(tzinfo=described).utcoffset() == noon.replace(tzinfo=ZoneInfo(LISBON)).utcoffset()


@pytest.mark.parametrize(("todos_as", "kind"), [("task", "VTODO"), ("event", "VEVENT")])
def test_a_repeating_task_says_its_rhythm_by_the_clock_of_its_zone(todos_as: TodosAs, kind: str) -> None:
    """A rule in UTC would be an hour early in summer; one on days has days at both ends."""
    at = todo(deadline="2026-11-30T17:00:00Z", recurrence="FREQ=WEEKLY;UNTIL=20270630", zone="America/New_York")
    found = read(written(todos=[at], todos_as=todos_as), kind)
    assert found["DTSTART"].dt == datetime(2026, 11, 30, 12, tzinfo=ZoneInfo("America/New_York"))
    assert found["RRULE"].to_ical() == b"FREQ=WEEKLY;UNTIL=20270701T035959Z"
    days = read(
        written(todos=[todo(deadline="2026-11-30", recurrence="FREQ=MONTHLY;COUNT=3")], todos_as=todos_as), kind
    )
    assert days["DTSTART"].dt == date(2026, 11, 30)
    assert days["RRULE"].to_ical() == b"FREQ=MONTHLY;COUNT=3"
    assert found.get("DUE", found["DTSTART"]).dt == found["DTSTART"].dt


def test_a_task_without_a_zone_repeats_in_that_of_its_user() -> None:
    found = read(written(todos=[todo(deadline="2026-11-30T17:00:00Z", recurrence="FREQ=DAILY")]), "VTODO")
    assert found["DUE"].params["TZID"] == LISBON


def test_tasks_are_tasks_or_appointments_or_left_out() -> None:
    due = todo(deadline="2026-11-30", priority="high", status="in progress")
    found = read(written(todos=[due]), "VTODO")
    assert (found["DUE"].dt, found["PRIORITY"], found["STATUS"]) == (date(2026, 11, 30), 1, "IN-PROCESS")
    at = todo(deadline="2026-11-30T17:00:00+01:00")
    assert read(written(todos=[at]), "VTODO")["DUE"].dt == datetime(2026, 11, 30, 16, tzinfo=UTC)
    shown = read(written(todos=[at], todos_as="event"))
    assert (shown["DTSTART"].dt, shown["TRANSP"]) == (datetime(2026, 11, 30, 16, tzinfo=UTC), "TRANSPARENT")
    assert b"pay rent" not in written(todos=[at], todos_as="none")


def test_readers_are_told_when_to_look_again() -> None:
    body = written()
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n" in body
    assert b"X-PUBLISHED-TTL:PT15M\r\n" in body


def test_a_free_event_keeps_nobody_busy_and_versions_count_up() -> None:
    found = read(written(event(start="2026-12-24", busy=False)))
    assert (found["TRANSP"], found["SEQUENCE"], found["UID"]) == ("TRANSPARENT", 2, "7e3c@summit")
    assert found["LAST-MODIFIED"].dt == NOW


def _cleaned(words: str) -> str:
    return CONTROLS.sub("", words.replace("\r\n", "\n").replace("\r", "\n"))
