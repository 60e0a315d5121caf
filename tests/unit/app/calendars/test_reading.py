"""What calendars of elsewhere say, in all the ways in which they say it, and what hostile ones get."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.calendars.lines import Unreadable
from app.calendars.reading import FileReading, read_calendar
from app.calendars.series import ReadWindow
from tests.support.calendars.ics import CUSTOM_ZONE, ics, meeting

LISBON = "Europe/Lisbon"
WINDOW = ReadWindow(datetime(2026, 11, 1, tzinfo=UTC), datetime(2027, 11, 1, tzinfo=UTC))


def read(body: bytes, zone: str = LISBON, **limits: Any) -> FileReading:
    return read_calendar(body, WINDOW, zone, **{"most_events": 1000, "most_occurrences": 20_000, **limits})


def starts(reading: FileReading) -> list[str]:
    return [
        one.start.astimezone(UTC).strftime("%m-%d %H:%M") for one in sorted(reading.busy, key=lambda one: one.start)
    ]


def spans(reading: FileReading) -> list[tuple[str, str]]:
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


def test_what_keeps_nobody_busy_is_marked() -> None:
    found = read(ics(meeting("1", "free", "20261120T100000Z", "TRANSP:TRANSPARENT")))
    assert ([(one.title, one.busy) for one in found.busy], found.warnings) == ([("free", False)], [])


@pytest.mark.parametrize("end", ["", "DTEND;TZID=Europe/Berlin:20270125T180000", "DURATION:PT0S"])
@pytest.mark.parametrize(("rule", "days"), [("", 1), ("RRULE:FREQ=DAILY;COUNT=3", 3)])
def test_what_ends_when_it_starts_takes_place_and_keeps_nobody_busy(end: str, rule: str, days: int) -> None:
    found = read(ics(f"UID:1\nSUMMARY:bins out\nDTSTART;TZID=Europe/Berlin:20270125T180000\n{end}\n{rule}"))
    moments = [datetime(2027, 1, 25 + day, 17, tzinfo=UTC) for day in range(days)]
    assert [(one.start, one.end, one.busy) for one in found.busy] == [(at, at, False) for at in moments]
    assert (found.events, found.warnings) == (1, [])


def test_a_point_that_is_longer_from_a_day_on_takes_time_from_then_on() -> None:
    longer = "UID:1\nDTSTART:20270126T180000Z\nDURATION:PT2H\nRECURRENCE-ID;RANGE=THISANDFUTURE:20270126T180000Z"
    found = read(ics("UID:1\nDTSTART:20270125T180000Z\nRRULE:FREQ=DAILY;COUNT=3", longer))
    assert spans(found) == [
        ("01-25 18:00", "01-25 18:00"),
        ("01-26 18:00", "01-26 20:00"),
        ("01-27 18:00", "01-27 20:00"),
    ]


# What it says of its repetition, and when it takes place: by RFC 5545 the start is the first time, whatever the rule.
FIRST_TIMES = [
    ("RRULE:FREQ=DAILY;UNTIL=20270301T000000Z", ["03-03 09:30"]),
    ("RRULE:FREQ=WEEKLY;UNTIL=20270303T092959Z", ["03-03 09:30"]),
    ("RRULE:FREQ=WEEKLY;UNTIL=20270303T093000Z", ["03-03 09:30"]),
    ("RRULE:FREQ=MONTHLY;BYMONTHDAY=1;UNTIL=20270401T093000Z", ["03-03 09:30", "04-01 09:30"]),
    ("RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=3", ["03-03 09:30", "03-05 09:30", "03-12 09:30"]),
    ("RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=1", ["03-03 09:30"]),
    ("RRULE:FREQ=WEEKLY;BYDAY=WE,FR;COUNT=3", ["03-03 09:30", "03-05 09:30", "03-10 09:30"]),
    ("RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=2\nEXDATE:20270303T093000Z", ["03-05 09:30"]),
    ("RRULE:FREQ=DAILY;UNTIL=20270301\nRDATE:20270309T093000Z", ["03-03 09:30", "03-09 09:30"]),
    ("EXDATE:20270303T093000Z\nRDATE:20270309T093000Z", ["03-09 09:30"]),
    ("RRULE:FREQ=DAILY;COUNT=2\nRDATE;VALUE=DATE:20270309", ["03-03 09:30", "03-04 09:30", "03-09 09:30"]),
]


@pytest.mark.parametrize(("repeats", "expected"), FIRST_TIMES)
def test_a_series_takes_place_at_its_start(repeats: str, expected: list[str]) -> None:
    found = read(ics(meeting("1", "review", "20270303T093000Z", repeats)))
    assert (starts(found), found.warnings) == (expected, [])


@pytest.mark.parametrize("home", ["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
@pytest.mark.parametrize(
    "said",
    [
        "EXDATE;VALUE=DATE:20270308",
        "EXDATE;TZID=W. Europe Standard Time:20270308T000000",
        "EXDATE;TZID=Pacific Standard Time:20270308T000000",
        "EXDATE:20270308T000000",
        "EXDATE:20270308T000000Z",
        "EXDATE;TZID=Europe/Berlin:20270308T000000\nEXDATE;TZID=Europe/Berlin:20270308T000000",
    ],
)
def test_a_day_that_a_series_of_days_leaves_out_is_left_out_however_it_is_written(said: str, home: str) -> None:
    found = read(ics(f"UID:1\nDTSTART;VALUE=DATE:20270301\nRRULE:FREQ=WEEKLY;COUNT=3\n{said}"), zone=home)
    days = [f"{one.start.astimezone(ZoneInfo(home)):%m-%d}" for one in found.busy]
    assert (days, found.warnings) == (["03-01", "03-15"], [])


def test_a_midnight_of_the_user_that_is_written_in_utc_is_that_day() -> None:
    days = "UID:1\nDTSTART;VALUE=DATE:20270301\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE:20270307T230000Z"
    assert starts(read(ics(days), zone="Europe/Berlin")) == ["02-28 23:00", "03-14 23:00"]


def test_a_day_that_was_moved_is_moved_however_it_is_named() -> None:
    days = "UID:1\nDTSTART;VALUE=DATE:20270301\nRRULE:FREQ=WEEKLY;COUNT=3"
    moved = "UID:1\nDTSTART;VALUE=DATE:20270310\nRECURRENCE-ID;TZID=W. Europe Standard Time:20270308T000000"
    assert starts(read(ics(days, moved), zone="UTC")) == ["03-01 00:00", "03-10 00:00", "03-15 00:00"]
    later = moved.replace("RECURRENCE-ID;", "RECURRENCE-ID;RANGE=THISANDFUTURE;")
    assert starts(read(ics(days, later), zone="UTC")) == ["03-01 00:00", "03-10 00:00", "03-17 00:00"]


ODD_ZONE = (
    "BEGIN:VTIMEZONE\nTZID:Odd\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETTO:{}\nEND:STANDARD\nEND:VTIMEZONE\n"
)
BROKEN_LINES = [
    ("X-WR-CALNAME:Pool\nREFRESH-INTERVAL:VALUE=DURATION:P1W\n", "Line 5 (REFRESH-INTERVAL)"),
    ("LAST-MODIFIED:yesterday\n", "Line 4 (LAST-MODIFIED)"),
    ("these are words\n", "Line 4 (these)"),
    ("X-LONG:one\n  two\n  three\n;;;\n", "Line 7 (without a name)"),
    (ODD_ZONE.format("an hour"), "Line 8 (TZOFFSETTO)"),
]


@pytest.mark.parametrize(("head", "named"), BROKEN_LINES)
def test_a_line_that_breaks_the_rules_outside_events_is_named_and_the_rest_is_read(head: str, named: str) -> None:
    found = read(ics(meeting("1", "swim"), head=head))
    assert [one.title for one in found.busy] == ["swim"]
    assert f"{named} breaks the rules of iCalendar; it is left out." in found.warnings


def test_a_line_after_the_calendar_is_named_too() -> None:
    found = read(ics(meeting("1", "swim")) + b"SUMMARY:x\r\nthe end\r\n")
    assert [one.title for one in found.busy] == ["swim"]
    assert [warning.partition(" breaks")[0] for warning in found.warnings] == ["Line 11 (SUMMARY)", "Line 12 (the)"]


def test_a_zone_that_cannot_be_followed_is_one_that_nobody_knows() -> None:
    found = read(ics("UID:1\nDTSTART;TZID=Odd:20261120T100000\nDURATION:PT1H", head=ODD_ZONE.format("an hour")))
    assert starts(found) == ["11-20 10:00"]
    assert found.warnings[0] == "1 times name a zone that nobody knows; they are read in yours."


def test_lines_that_say_nothing_of_when_are_left_out_without_a_word_within_events() -> None:
    alarm = "BEGIN:VALARM\nTRIGGER:soon\nDURATION:soon\nwords\nEND:VALARM"
    found = read(ics(meeting("1", "swim", "20261120T100000Z", "CREATED:00001231T000000Z", "PRIORITY:high", alarm)))
    assert ([one.title for one in found.busy], found.warnings) == (["swim"], [])


def test_of_many_broken_lines_the_first_are_named() -> None:
    found = read(ics(meeting(), head="broken\n" * 50))
    assert len(found.warnings) == 21
    assert found.warnings[-1] == "So do 30 more lines."


def test_events_without_a_name_of_their_own_are_told_apart() -> None:
    at = "DTSTART:20261207T100000Z\nDURATION:PT1H"
    found = read(ics(f"SUMMARY:a\n{at}", f"UID:\nSUMMARY:b\n{at}", f"UID:1\nSUMMARY:c\n{at}"))
    assert (found.events, len({one.uid for one in found.busy}), found.warnings) == (3, 3, [])


def test_tasks_in_a_file_are_said_to_be_left_out() -> None:
    task = "BEGIN:VTODO\nUID:t\nSUMMARY:paint the fence\nEND:VTODO\n"
    found = read(ics(meeting("1", "swim"), head=task * 2))
    assert (found.events, found.warnings) == (1, ["2 left out: tasks, as only events take time."])


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
    left_out = [warning for warning in found.warnings if "left out: " in warning]
    assert sum(int(warning.split()[0]) for warning in left_out) == 3
    named = [warning.split()[2] for warning in found.warnings if warning not in left_out]
    assert named == ["(DTSTART)", "(RRULE)"]


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
    assert all(one.start < one.end or (one.start == one.end and not one.busy) for one in found.busy)
    assert all(one.title.isprintable() for one in found.busy)
