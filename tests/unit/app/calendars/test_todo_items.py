"""Files of tasks: what they say, and what a change makes of them."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from app.calendars.items import MASTER, PendingWrite, Target
from app.calendars.todo_items import SETTERS, read_item, write_item
from tests.support.calendars.ics import ics, meeting
from tests.support.peers.radicale import task

HOME = ZoneInfo("Europe/Lisbon")
DUE, BERLIN = "DUE:20270305T160000Z", "DUE;TZID=Europe/Berlin:20270305T170000"
PLAIN = {"title": "mow", "notes": "", "due": None, "zone": None, "recurrence": None, "done": False}


def said(*lines: str, title: str = "mow") -> dict[str, Any]:
    found = read_item(task("1", title, *lines), HOME)
    assert found.problem is None
    return dict(found.parts[MASTER])


def problem(*lines: str) -> str:
    found = read_item(task("1", "mow", *lines), HOME)
    assert found.parts == {}
    return found.problem or ""


def changed(text: str, **fields: Any) -> str:
    """The lines of a file after some fields were changed."""
    known = read_item(text, HOME).parts[MASTER]
    groups = [group for group in SETTERS if {"due": {"due", "zone", "recurrence"}}.get(group, {group}) & fields.keys()]
    made = write_item(PendingWrite("1", text, {MASTER: Target({**known, **fields}, groups)}), HOME)
    assert made.text is not None
    assert made.reading.parts[MASTER] == {**known, **fields}
    assert Calendar.from_ical(made.text) is not None
    return made.text.replace("\r\n ", "")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), {}),
        (("DUE;VALUE=DATE:20270305",), {"due": "2027-03-05"}),
        ((DUE,), {"due": "2027-03-05T16:00:00+00:00"}),
        ((BERLIN,), {"due": "2027-03-05T16:00:00+00:00"}),
        (("DUE:20270305T160000",), {"due": "2027-03-05T16:00:00+00:00"}),
        (("DTSTART:20270305T140000Z", "DURATION:PT2H"), {"due": "2027-03-05T16:00:00+00:00"}),
        (("DTSTART;VALUE=DATE:20270305",), {}),
        (("DESCRIPTION:the lawn\\nand the verge",), {"notes": "the lawn\nand the verge"}),
        (("STATUS:COMPLETED",), {"done": True}),
        (("STATUS:CANCELLED",), {"done": True}),
        (("COMPLETED:20270301T100000Z",), {"done": True}),
        (("STATUS:IN-PROCESS", "PERCENT-COMPLETE:40"), {}),
        (("DUE;VALUE=DATE:20270305", "RRULE:FREQ=WEEKLY"), {"due": "2027-03-05", "recurrence": "FREQ=WEEKLY"}),
        (
            (BERLIN, "DTSTART;TZID=Europe/Berlin:20270305T090000", "RRULE:FREQ=WEEKLY;BYDAY=FR"),
            {"due": "2027-03-05T16:00:00+00:00", "zone": "Europe/Berlin", "recurrence": "FREQ=WEEKLY;BYDAY=FR"},
        ),
    ],
)
def test_what_a_task_says(lines: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert said(*lines) == {**PLAIN, **expected}


def test_a_task_without_a_title_has_none_and_a_file_without_tasks_says_nothing() -> None:
    assert said(title="")["title"] == "(no title)"
    found = read_item(ics(meeting()).decode(), HOME)
    assert (found.parts, found.problem) == ({}, None)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((DUE, "RRULE:FREQ=DAILY", "EXDATE:20270306T160000Z"), "dates of its own"),
        (("DTSTART;VALUE=DATE:20270305", "RRULE:FREQ=DAILY"), "never due"),
        ((DUE, "DTSTART:20270301T160000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO"), "repeats by its start"),
        ((DUE, "RECURRENCE-ID:20270305T160000Z"), "Single times of this task were changed"),
        ((DUE, "RRULE:FREQ=SECONDLY"), "every minute or second"),
        (("DUE:at noon",), "breaks the rules of iCalendar"),
        (("DUE;VALUE=DATE:19010101",), "must lie between"),
    ],
)
def test_what_cannot_be_kept_whole_is_named(lines: tuple[str, ...], why: str) -> None:
    assert why in problem(*lines)


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({"title": "mow; rake"}, ["SUMMARY:mow\\; rake", "STATUS:NEEDS-ACTION", "UID:1"]),
        ({"due": "2027-03-05"}, ["DUE;VALUE=DATE:20270305"]),
        ({"due": "2027-03-05T16:00:00+00:00"}, ["DUE:20270305T160000Z"]),
        (
            {"due": "2027-07-05T16:00:00+00:00", "zone": "Europe/Berlin", "recurrence": "FREQ=DAILY;UNTIL=20270708"},
            [
                "DTSTART;TZID=Europe/Berlin:20270705T180000",
                "DUE;TZID=Europe/Berlin:20270705T180000",
                "RRULE:FREQ=DAILY;UNTIL=20270708T215959Z",
                "TZID:Europe/Berlin",
            ],
        ),
        ({"done": True}, ["STATUS:COMPLETED", "PERCENT-COMPLETE:100"]),
    ],
)
def test_a_new_task_is_written(fields: dict[str, Any], lines: list[str]) -> None:
    made = write_item(PendingWrite("1", None, {MASTER: Target({**PLAIN, **fields}, tuple(SETTERS))}), HOME)
    found = (made.text or "").split("\r\n")
    assert [line for line in lines if line not in found] == []


def test_what_only_the_other_program_knows_stays() -> None:
    alarm = ("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:x", "END:VALARM")
    text = changed(task("1", "mow", "PRIORITY:1", "CATEGORIES:garden", "STATUS:IN-PROCESS", *alarm), title="rake")
    for line in ("SUMMARY:rake", "PRIORITY:1", "CATEGORIES:garden", "STATUS:IN-PROCESS", "TRIGGER:-PT15M"):
        assert f"\r\n{line}\r\n" in text


def test_another_time_is_told_by_the_clock_of_before_and_the_start_keeps_its_distance() -> None:
    start = "DTSTART;TZID=Europe/Berlin:20270304T090000"
    text = changed(task("1", "mow", BERLIN, start), due="2027-03-08T17:30:00+00:00")
    assert "DUE;TZID=Europe/Berlin:20270308T183000" in text
    assert "DTSTART;TZID=Europe/Berlin:20270307T103000" in text


def test_a_day_instead_of_a_time_lets_the_start_go_and_no_day_keeps_it() -> None:
    both = task("1", "mow", BERLIN, "DTSTART;TZID=Europe/Berlin:20270304T090000")
    assert "DTSTART;TZID" not in changed(both, due="2027-03-08")
    assert "DTSTART;TZID=Europe/Berlin:20270304T090000" in changed(both, due=None)


def test_a_task_that_is_opened_again_is_not_done_in_any_way() -> None:
    text = changed(
        task("1", "mow", "STATUS:COMPLETED", "COMPLETED:20270301T100000Z", "PERCENT-COMPLETE:100"), done=False
    )
    assert "STATUS:NEEDS-ACTION" in text
    assert "COMPLETED:2027" not in text
    assert "PERCENT-COMPLETE" not in text


def test_a_task_that_goes_is_no_file_any_more() -> None:
    assert write_item(PendingWrite("1", task("1", "mow"), {MASTER: Target(None)}), HOME).text is None
