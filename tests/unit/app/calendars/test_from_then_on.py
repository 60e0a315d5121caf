"""A series that a calendar of elsewhere changes from one occurrence on (RANGE=THISANDFUTURE)."""

from __future__ import annotations

from tests.support.calendars.ics import ics, meeting
from tests.unit.app.calendars.test_reading import read, spans, starts

FROM = "RECURRENCE-ID;RANGE=THISANDFUTURE:20261122T100000Z"
DAILY = meeting("1", "standup", "20261120T100000Z", "RRULE:FREQ=DAILY;COUNT=5")


def test_it_is_later_and_longer_from_then_on() -> None:
    found = read(ics(DAILY, "UID:1\nSUMMARY:long standup\nDTSTART:20261122T150000Z\nDURATION:PT2H\n" + FROM))
    assert spans(found) == [
        ("11-20 10:00", "11-20 11:00"),
        ("11-21 10:00", "11-21 11:00"),
        ("11-22 15:00", "11-22 17:00"),
        ("11-23 15:00", "11-23 17:00"),
        ("11-24 15:00", "11-24 17:00"),
    ]
    assert [one.title for one in found.busy] == ["standup"] * 2 + ["long standup"] * 3
    assert (found.events, found.warnings) == (1, [])


def test_it_ends_there_or_goes_on_by_a_rule_of_its_own() -> None:
    assert starts(read(ics(DAILY, meeting("1", "x", "20261122T100000Z", FROM, "STATUS:CANCELLED")))) == [
        "11-20 10:00",
        "11-21 10:00",
    ]
    weekly = meeting("1", "x", "20261122T120000Z", FROM, "RRULE:FREQ=WEEKLY;COUNT=2")
    assert starts(read(ics(DAILY, weekly))) == ["11-20 10:00", "11-21 10:00", "11-22 12:00", "11-29 12:00"]


def test_two_turns_and_a_single_change_between_them() -> None:
    second = "RECURRENCE-ID;RANGE=THISANDFUTURE:20261124T100000Z"
    found = read(
        ics(
            DAILY,
            meeting("1", "b", "20261124T080000Z", second),
            meeting("1", "a", "20261122T150000Z", FROM),
            meeting("1", "once", "20261123T190000Z", "RECURRENCE-ID:20261123T100000Z"),
        )
    )
    assert starts(found) == ["11-20 10:00", "11-21 10:00", "11-22 15:00", "11-23 19:00", "11-24 08:00"]


def test_the_clock_of_the_series_counts_over_the_change_of_clocks() -> None:
    series = "UID:1\nSUMMARY:x\nDTSTART;TZID=Europe/Berlin:20270320T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3"
    later = "UID:1\nSUMMARY:x\nDTSTART;TZID=Europe/Berlin:20270320T120000\nDURATION:PT1H\n"
    found = read(ics(series, later + "RECURRENCE-ID;RANGE=THISANDFUTURE:20270320T090000Z"))
    assert starts(found) == ["03-20 11:00", "03-27 11:00", "04-03 10:00"]


def test_whole_days_move_as_days() -> None:
    days = "UID:1\nSUMMARY:x\nDTSTART;VALUE=DATE:20261120\nRRULE:FREQ=DAILY;COUNT=3"
    moved = "UID:1\nSUMMARY:x\nDTSTART;VALUE=DATE:20261203\nRECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261121"
    assert starts(read(ics(days, moved), "UTC")) == ["11-20 00:00", "12-03 00:00", "12-04 00:00"]


def test_what_moves_beyond_all_reason_is_left_out_and_said() -> None:
    found = read(ics(DAILY, meeting("1", "x", "20991122T100000Z", FROM)))
    assert (found.busy, found.warnings) == ([], ["1 left out: it moves too far from a day on."])
