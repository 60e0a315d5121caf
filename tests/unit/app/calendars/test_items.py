"""Files of events that are kept in step: what they say in unusual ways, and what a change makes of them."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.calendars.items import MASTER, PendingWrite, Target, read_item, write_item
from tests.support.calendars.ics import ics, meeting

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
DAYS = "UID:1\nSUMMARY:shift\nDTSTART;VALUE=DATE:20270301\nRRULE:FREQ=WEEKLY;COUNT=4"
TIMES = meeting("1", "shift", ";TZID=Europe/Berlin:20270301T090000", "RRULE:FREQ=WEEKLY;COUNT=4").replace(
    "START:", "START"
)


def said(*events: str, home: ZoneInfo = BERLIN, head: str = "") -> dict[str, Any]:
    found = read_item(ics(*events, head=head).decode(), home)
    assert found.problem is None
    return dict(found.parts[MASTER])


@pytest.mark.parametrize("home", [BERLIN, NEW_YORK])
@pytest.mark.parametrize(
    "at", [";VALUE=DATE:20270308", ";TZID=W. Europe Standard Time:20270308T000000", ":20270308T000000Z"]
)
def test_a_day_that_is_left_out_is_left_out_however_it_is_written(at: str, home: ZoneInfo) -> None:
    assert said(f"{DAYS}\nEXDATE{at}", home=home)["exdates"] == ["2027-03-08"]
    moved = f"UID:1\nSUMMARY:late\nDTSTART;VALUE=DATE:20270310\nRECURRENCE-ID{at}"
    assert said(DAYS, moved, home=home)["exdates"] == ["2027-03-08"]


def test_a_day_that_a_series_of_times_leaves_out_is_left_out() -> None:
    assert said(f"{TIMES}\nEXDATE;VALUE=DATE:20270308")["exdates"] == ["2027-03-08"]
    moved = meeting("1", "late", "20270310T090000Z", "RECURRENCE-ID;VALUE=DATE:20270308")
    assert said(TIMES, moved)["exdates"] == ["2027-03-08"]


@pytest.mark.parametrize("until", ["20270228", "20270301T075959Z"])
def test_a_series_that_ends_before_it_starts_takes_place_once(until: str) -> None:
    found = said(TIMES.replace("COUNT=4", f"UNTIL={until}"))
    assert (found["start"], found["recurrence"]) == ("2027-03-01T09:00:00+01:00", None)


def test_a_series_that_ends_with_its_start_keeps_its_rule() -> None:
    assert (
        said(TIMES.replace("COUNT=4", "UNTIL=20270301T080000Z"))["recurrence"] == "FREQ=WEEKLY;UNTIL=20270301T080000Z"
    )


def test_a_start_beside_its_rule_is_named_and_left_alone() -> None:
    found = read_item(ics(TIMES.replace("COUNT=4", "BYDAY=FR;COUNT=4")).decode(), BERLIN)
    assert (found.parts, found.problem) == ({}, "It starts on a date of its own, beside those of its rule.")


def test_a_broken_line_outside_the_event_stands_in_nobodys_way_and_stays() -> None:
    text = ics(TIMES, head="REFRESH-INTERVAL:VALUE=DURATION:PT3H\n").decode()
    fields = dict(read_item(text, BERLIN).parts[MASTER])
    written = write_item(PendingWrite("1", text, {MASTER: Target({**fields, "title": "early"}, ("title",))}), BERLIN)
    assert "SUMMARY:early\r\n" in (written.text or "")
    assert "REFRESH-INTERVAL:VALUE=DURATION:PT3H\r\n" in (written.text or "")


def test_an_occurrence_is_taken_out_of_a_series_that_leaves_out_days_in_several_forms() -> None:
    moved = (
        "UID:1\nSUMMARY:late\nDTSTART;VALUE=DATE:20270310\nRECURRENCE-ID;TZID=W. Europe Standard Time:20270308T000000"
    )
    text = ics(f"{DAYS}\nEXDATE;VALUE=DATE:20270315", moved).decode()
    [instance] = [key for key in read_item(text, BERLIN).parts if key != MASTER]
    written = write_item(PendingWrite("1", text, {instance: Target(None)}), BERLIN)
    assert "EXDATE;VALUE=DATE:20270308,20270315\r\n" in (written.text or "")
    assert written.reading.parts[MASTER]["exdates"] == ["2027-03-08", "2027-03-15"]


def test_a_time_is_taken_out_of_a_series_that_leaves_out_a_day() -> None:
    moved = meeting("1", "late", "20270322T120000Z", "RECURRENCE-ID;TZID=Europe/Berlin:20270322T090000")
    text = ics(f"{TIMES}\nEXDATE;VALUE=DATE:20270308", moved).decode()
    [instance] = [key for key in read_item(text, BERLIN).parts if key != MASTER]
    written = write_item(PendingWrite("1", text, {instance: Target(None)}), BERLIN)
    assert "EXDATE;TZID=Europe/Berlin:20270322T090000\r\nEXDATE;VALUE=DATE:20270308\r\n" in (written.text or "")


def test_a_series_that_is_moved_keeps_the_occurrences_that_were_changed() -> None:
    """Left out as well, other programs would not show them any more."""
    moved = meeting("1", "late", "20270310T090000Z", "RECURRENCE-ID;VALUE=DATE:20270308")
    text = ics(TIMES, moved).decode()
    fields = dict(read_item(text, BERLIN).parts[MASTER]) | {"end": "2027-03-01T11:00:00+01:00"}
    written = write_item(PendingWrite("1", text, {MASTER: Target(fields, ("time",))}), BERLIN)
    assert "RECURRENCE-ID" in (written.text or "")
    assert "EXDATE" not in (written.text or "")
