"""What calendars of elsewhere say, in all the ways in which they say it, and what hostile ones get."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.calendars.lines import Unreadable
from app.calendars.reading import Reading, read_calendar
from app.calendars.series import Window
from tests.support.calendars.ics import CUSTOM_ZONE, ics, meeting

LISBON = "Europe/Lisbon"
WINDOW = Window(datetime(2026, 11, 1, tzinfo=UTC), datetime(2027, 11, 1, tzinfo=UTC))


def read(body: bytes, zone: str = LISBON, **limits: Any) -> Reading:
    return read_calendar(body, WINDOW, zone, **{"most_events": 1000, "most_occurrences": 20_000, **limits})


def starts(reading: Reading) -> list[str]:
    return [
        one.start.astimezone(UTC).strftime("%m-%d %H:%M") for one in sorted(reading.busy, key=lambda one: one.start)
    ]


def spans(reading: Reading) -> list[tuple[str, str]]:
    return [
        (f"{one.start.astimezone(UTC):%m-%d %H:%M}", f"{one.end.astimezone(UTC):%m-%d %H:%M}") for one in reading.busy
    ]


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("DTSTART:20261120T100000Z", "11-20 10:00"),
        ("DTSTART:20261120T100000", "11-20 02:00"),
        ("DTSTART;TZID=Europe/Berlin:20261120T100000", "11-20 09:00"),
        ("DTSTART;TZID=W. Europe Standard Time:20261120T100000", "11-20 09:00"),
        ("DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20261120T100000", "11-20 09:00"),
        ("DTSTART;TZID=Customized Time Zone:20261120T100000", "11-20 09:00"),
        ('DTSTART;TZID="Europe/Berlin":20261120T100000', "11-20 09:00"),
    ],
)
@pytest.mark.filterwarnings("ignore::icalendar.error.GloballyUniqueTZIDGuessed")
def test_times_in_zones_by_many_names(start: str, expected: str) -> None:
    found = read(ics(f"UID:1\n{start}\nDURATION:PT1H", head=CUSTOM_ZONE), zone="Asia/Shanghai")
    assert (starts(found), found.warnings) == ([expected], [])


def test_a_zone_that_nobody_knows_is_said() -> None:
    found = read(ics("UID:1\nDTSTART;TZID=Middle/Earth:20261120T100000\nDURATION:PT1H"))
    assert starts(found) == ["11-20 10:00"]
    assert found.warnings == ["1 times name a zone that nobody knows; they are read in yours."]


def test_a_described_zone_keeps_its_hours_over_the_change_of_clocks() -> None:
    rule = "UID:1\nDTSTART;TZID=Customized Time Zone:20270327T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2"
    assert starts(read(ics(rule, head=CUSTOM_ZONE))) == ["03-27 09:00", "03-28 08:00"]


def test_a_zone_that_no_place_keeps_is_read_at_its_instants() -> None:
    peculiar = CUSTOM_ZONE.replace("+0100", "+0117").replace("Customized", "Peculiar")
    found = read(ics("UID:1\nDTSTART;TZID=Peculiar Time Zone:20261120T100000\nDURATION:PT1H", head=peculiar))
    assert starts(found) == ["11-20 08:43"]
    assert "repetitions may be off" in found.warnings[0]


def test_whole_days_are_days_where_the_user_is() -> None:
    days = ics("UID:1\nDTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227", "UID:2\nDTSTART;VALUE=DATE:20261120")
    found = read(days, zone="America/New_York")
    assert spans(found) == [("12-24 05:00", "12-27 05:00"), ("11-20 05:00", "11-21 05:00")]
    assert all(one.all_day for one in found.busy)


def test_changed_moved_and_cancelled_occurrences() -> None:
    found = read(
        ics(
            meeting("1", "standup", "20261120T100000Z", "RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20261121T100000Z"),
            meeting("1", "later", "20261122T150000Z", "RECURRENCE-ID:20261122T100000Z"),
            meeting("1", "gone", "20261123T100000Z", "RECURRENCE-ID:20261123T100000Z", "STATUS:CANCELLED"),
            meeting("2", "never", "20261123T100000Z", "STATUS:CANCELLED"),
        )
    )
    assert starts(found) == ["11-20 10:00", "11-22 15:00", "11-24 10:00"]
    assert found.events == 2


def test_an_occurrence_that_is_named_by_its_day_alone() -> None:
    found = read(
        ics(
            meeting("1", "standup", "20261120T100000Z", "RRULE:FREQ=DAILY;COUNT=2"),
            meeting("1", "later", "20261121T150000Z", "RECURRENCE-ID;VALUE=DATE:20261121"),
        )
    )
    assert starts(found) == ["11-20 10:00", "11-21 15:00"]


def test_dates_of_its_own_beside_a_rule() -> None:
    extra = "RDATE;VALUE=PERIOD:20261125T100000Z/PT2H,20261126T120000Z/PT1H"
    found = read(ics(meeting("1", "x", "20261120T100000Z", "RRULE:FREQ=DAILY;COUNT=1", extra)))
    assert starts(found) == ["11-20 10:00", "11-25 10:00", "11-26 12:00"]


def test_what_keeps_nobody_busy_is_marked_and_what_takes_no_time_is_left_out() -> None:
    free, point = meeting("1", "free", "20261120T100000Z", "TRANSP:TRANSPARENT"), "UID:2\nDTSTART:20261120T100000Z"
    found = read(ics(free, point))
    assert [(one.title, one.busy) for one in found.busy] == [("free", False)]
    assert found.warnings == []


def test_a_day_that_is_said_to_last_an_hour_is_that_day() -> None:
    [found] = read(ics("UID:1\nSUMMARY:x\nDTSTART;VALUE=DATE:20261120\nDURATION:PT1H")).busy
    assert found.end - found.start == timedelta(days=1)


def test_a_series_that_began_long_ago_and_one_that_ends_in_utc() -> None:
    old = meeting("1", "old", "19900101T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261116T100000Z")
    assert starts(read(ics(old))) == ["11-02 10:00", "11-09 10:00", "11-16 10:00"]


def test_name_and_refresh_interval() -> None:
    found = read(ics(meeting(), head="X-WR-CALNAME:Team\\, A\nREFRESH-INTERVAL;VALUE=DURATION:PT12H\n"))
    assert (found.name, found.refresh) == ("Team, A", timedelta(hours=12))
    assert read(ics(meeting(), head="X-PUBLISHED-TTL:PT30M\n")).refresh == timedelta(minutes=30)
    assert read(ics(meeting(), head="X-PUBLISHED-TTL:soon\n")).refresh is None


def test_one_event_that_cannot_be_read_leaves_the_others() -> None:
    found = read(
        ics(
            "UID:1\nDTSTART:tomorrow\nDURATION:PT1H",
            "UID:2\nDTSTART:20261120T100000Z\nDTEND:20261119T100000Z",
            meeting("3", "x", "20261120T100000Z", "RRULE:FREQ=NEVER"),
            meeting("4", "fine"),
        )
    )
    assert [one.title for one in found.busy] == ["fine"]
    assert sum(int(warning.split()[0]) for warning in found.warnings) == 3


@pytest.mark.parametrize(
    "rule",
    [
        "RRULE:FREQ=SECONDLY",
        "RRULE:FREQ=MINUTELY;COUNT=999999999",
        "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY",
        "RDATE:" + ",".join(f"20261120T1000{n % 60:02d}Z" for n in range(6000)),
    ],
)
def test_a_bomb_among_repetitions_is_left_out_and_said(rule: str) -> None:
    found = read(ics(meeting("1", "bomb", "20200101T100000Z", rule), meeting("2", "fine")))
    assert [one.title for one in found.busy] == ["fine"]
    (warning,) = found.warnings
    assert warning.startswith("1 left out: it ")


def test_a_count_or_an_end_that_lies_far_costs_nothing() -> None:
    many = meeting("1", "x", "20261120T100000Z", "RRULE:FREQ=DAILY;COUNT=2147483647")
    far = meeting("2", "y", "20261120T100000Z", "RRULE:FREQ=DAILY;UNTIL=99991231T000000Z")
    assert len(read(ics(many, far)).busy) == 2 * 346


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "begins with BEGIN:VCALENDAR"),
        (b"<html>sign in</html>", "begins with BEGIN:VCALENDAR"),
        (b"BEGIN:VCALENDAR\r\n\x00END:VCALENDAR", "NUL"),
        (b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR", "cut short"),
        (ics(meeting())[:-20], "cut short"),
        (ics(meeting(), head="no colon\n"), "breaks the rules"),
        (b"BEGIN:VCALENDAR\r\n" + b"BEGIN:VTIMEZONE\r\n" * 5000, "nested deeper"),
        (ics(*[meeting(str(n)) for n in range(1001)]), "1001 events; the limit is 1000"),
        (
            ics(meeting("1", "x", "20200101T100000Z", "RRULE:FREQ=HOURLY"), *[meeting("2")]),
            "more than 5000 appointments",
        ),
    ],
)
def test_what_is_no_calendar_or_too_large_is_refused_whole(body: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as refused:
        read(body, most_occurrences=5000)
    assert "sign in" not in str(refused.value)


def test_titles_are_stored_as_one_line() -> None:
    found = read(ics(meeting("1", "a\\nb\x07c \u202e" + "x" * 900)))
    assert found.busy[0].title.startswith("a b c")
    assert len(found.busy[0].title) == 500
    assert read(ics("UID:1\nDTSTART:20261120T100000Z\nDURATION:PT1H")).busy[0].title == "Busy"


PARTS = st.sampled_from(
    [
        "BEGIN:VEVENT",
        "END:VEVENT",
        "BEGIN:VTIMEZONE",
        "END:VTIMEZONE",
        "BEGIN:STANDARD",
        "END:STANDARD",
        "BEGIN:VALARM",
        "END:VALARM",
        "BEGIN:VCALENDAR",
        "END:VCALENDAR",
        "UID:1",
        "UID:2",
        "SUMMARY:x",
        "TZID:A",
        "DTSTART:20261120T100000Z",
        "DTSTART;TZID=A:20261120T100000",
        "DTSTART;VALUE=DATE:20261120",
        "DTSTART:",
        "DTSTART:00010101T000000",
        "DTEND:99991231T235959",
        "DTEND;VALUE=DATE:20261121",
        "DURATION:P9999999999D",
        "DURATION:-PT1H",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY",
        "RRULE:FREQ=YEARLY;INTERVAL=0",
        "RRULE:",
        "RRULE:FREQ=WEEKLY;BYDAY=99MO",
        "RRULE:FREQ=DAILY;UNTIL=x",
        "RRULE:FREQ=HOURLY;COUNT=-1",
        "RDATE:20261125T100000Z",
        "RDATE;VALUE=PERIOD:x/y",
        "EXDATE:20261120T100000Z",
        "EXDATE;VALUE=DATE:20261120",
        "RECURRENCE-ID:20261120T100000Z",
        "RECURRENCE-ID:x",
        "STATUS:CANCELLED",
        "TRANSP:TRANSPARENT",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+9999",
        "X-WR-CALNAME:z",
        "REFRESH-INTERVAL;VALUE=DURATION:-P1D",
        ";;;",
        ":",
        " folded",
        "\tfolded",
        "DTSTART;TZID=:20261120T100000",
    ]
)
LINES = st.one_of(PARTS, st.text(st.characters(exclude_categories=["Cs"]), max_size=40))


@settings(max_examples=400, deadline=timedelta(seconds=30))
@given(st.sampled_from([[], CUSTOM_ZONE.split("\n")[:-1]]), st.lists(LINES, max_size=30))
@pytest.mark.filterwarnings("ignore")
def test_no_file_does_more_than_be_read_or_refused(head: list[str], lines: list[str]) -> None:
    body = "\r\n".join(["BEGIN:VCALENDAR", *head, "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR", ""]).encode()
    try:
        found = read(body)
    except Unreadable:
        return
    assert all(one.start < one.end for one in found.busy)
    assert all(one.title.isprintable() for one in found.busy)
