"""What is meant without being named: by its place, by what was just said, by what comes next."""

from __future__ import annotations

from typing import Any

import pytest

from agents.mind.message import understand
from agents.ports import Exchange
from tests.support.asking import answers, ask, changed, proposals

TODOS = [
    {"task": "paint the fence"},
    {"task": "buy paint"},
    {"task": "wash the brushes"},
    {"task": "call Lee", "status": "done"},
]
EVENTS = [
    {"title": "Stand-up", "start": "2026-11-19T10:00", "end": "2026-11-19T10:30"},
    {"title": "Optician", "start": "2026-11-20T15:00", "end": "2026-11-20T16:00"},
    {"title": "Choir", "start": "2026-11-10T19:00", "end": "2026-11-10T20:00"},
]
LATELY = [changed("paint the fence"), changed("buy paint", record_id="todo-2", place=1)]


def after_reply(text: str, replied: str) -> list[str | None]:
    made = understand(
        ask(text, todos=TODOS, events=EVENTS).model_copy(update={"recent": [Exchange(said="?", replied=replied)]})
    )
    return [item.record_id for target in made.targets if target.proposed for item in target.proposed.proposals]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("delete the second one", ["todo-2"]),
        ("delete both", ["todo-1", "todo-2"]),
        ("complete the first two", ["todo-1", "todo-2"]),
        ("move both to friday", ["todo-1", "todo-2"]),
        ("mark the last one as high priority", ["todo-2"]),
        ("delete the third one", []),
    ],
)
def test_places_count_in_what_was_just_changed(text: str, ids: list[str]) -> None:
    assert [item.record_id for item in proposals(text, todos=TODOS, changes=LATELY)] == ids


def test_places_count_in_what_was_just_listed() -> None:
    listed = "You have 3 open tasks: wash the brushes; paint the fence; buy paint."
    assert after_reply("delete the first one", listed) == ["todo-3"]
    assert after_reply("tick off the last two", listed) == ["todo-1", "todo-2"]


def test_it_is_the_one_thing_just_answered_about() -> None:
    assert after_reply("move it to monday", "Optician: Friday 20 November from 15:00 to 16:00.") == ["event-2"]


def test_the_next_appointment_is_the_earliest_one_ahead() -> None:
    assert [item.record_id for item in proposals("cancel my next appointment", events=EVENTS)] == ["event-1"]


@pytest.mark.parametrize(
    ("text", "record_id", "end"),
    [
        ("make the optician 90 minutes long", "event-2", "2026-11-20T16:30:00+00:00"),
        ("extend the stand-up by 15 minutes", "event-1", "2026-11-19T10:45:00+00:00"),
        ("shorten the optician to half an hour", "event-2", "2026-11-20T15:30:00+00:00"),
    ],
)
def test_an_event_gets_another_length(text: str, record_id: str, end: str) -> None:
    made = proposals(text, events=EVENTS)
    assert [(item.op, item.record_id, item.fields) for item in made] == [("update", record_id, {"end": end})]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("make the optician an hour earlier", "2026-11-20T14:00:00+00:00"),
        ("push the optician two hours later", "2026-11-20T17:00:00+00:00"),
    ],
)
def test_earlier_and_later_shift_an_event(text: str, start: str) -> None:
    assert [item.fields["start"] for item in proposals(text, events=EVENTS)] == [start]


NOTES = [{"category": "idea", "content": "a kite museum"}]


@pytest.mark.parametrize(
    ("text", "given", "created", "old"),
    [
        ("make that idea a task", {"notes": NOTES}, ("todo", "task", "a kite museum"), ("archive", "note-1")),
        ("turn buy paint into a note", {"todos": TODOS}, ("note", "content", "buy paint"), ("archive", "todo-2")),
        ("convert the optician to a task", {"events": EVENTS}, ("todo", "task", "Optician"), ("delete", "event-2")),
    ],
)
def test_one_kind_becomes_another(
    text: str, given: dict[str, Any], created: tuple[str, str, str], old: tuple[str, str]
) -> None:
    new, gone = proposals(text, **given)
    assert (new.op, new.kind, new.fields[created[1]]) == ("create", created[0], created[2])
    assert (gone.op, gone.record_id) == old


DUE = {"deadline": "2026-11-20T15:00:00Z", "zone": "Europe/Lisbon", "priority": "high", "tags": ["home"]}


@pytest.mark.parametrize(
    ("text", "given", "kept"),
    [
        ("turn paint the shed into a note", {"todos": [{"task": "paint the shed", **DUE}]}, DUE),
        ("make the kite museum a task", {"notes": [{**NOTES[0], **DUE}]}, DUE),
        (
            "make paint the shed an event",
            {"todos": [{"task": "paint the shed", "notes": "two coats", "recurrence": "FREQ=WEEKLY", **DUE}]},
            {"start": "2026-11-20T15:00:00Z", "recurrence": "FREQ=WEEKLY", "notes": "two coats"},
        ),
        (
            "convert the swim to a task",
            {"events": [{"title": "swim", "start": "2026-11-20", "recurrence": "FREQ=WEEKLY", "notes": "towel"}]},
            {"deadline": "2026-11-20", "recurrence": "FREQ=WEEKLY", "notes": "towel"},
        ),
    ],
)
def test_what_both_kinds_can_say_is_kept(text: str, given: dict[str, Any], kept: dict[str, Any]) -> None:
    new, _ = proposals(text, **given)
    assert {name: new.fields.get(name) for name in kept} == kept


def test_a_task_due_on_a_day_is_asked_for_its_time_as_an_event() -> None:
    assert proposals("make paint the shed an event", todos=[{"task": "paint the shed", "deadline": "2026-11-20"}]) == []


def test_a_task_becomes_a_habit_in_place() -> None:
    made = proposals("make wash the brushes a habit", todos=TODOS)
    assert [(item.op, item.record_id, item.fields) for item in made] == [("update", "todo-3", {"kind": "habit"})]


def test_reopening_an_open_task_changes_nothing() -> None:
    assert proposals("reopen buy paint", todos=TODOS) == []
    assert "still open" in answers("reopen buy paint", todos=TODOS)


@pytest.mark.parametrize("text", ["fence painted", "painted the fence", "I've finally washed the brushes"])
def test_a_deed_told_in_the_words_of_its_task_is_done(text: str) -> None:
    assert [item.op for item in proposals(text, todos=TODOS)] == ["complete"]


def test_a_deed_not_done_is_not() -> None:
    assert proposals("the fence isn't painted yet", todos=TODOS) == []


LISTS = [{"category": "list", "content": "Groceries", "items": ["milk", "rice"]}]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("add eggs to groceries", ["milk", "rice", "eggs"]),
        ("take rice off groceries", ["milk"]),
        ("we're out of soap", ["milk", "rice", "soap"]),
        ("add milk and figs to my groceries", ["milk", "rice", "figs"]),
    ],
)
def test_a_list_is_meant_by_its_bare_name(text: str, items: list[str]) -> None:
    made = proposals(text, notes=LISTS)
    assert [line["text"] for line in made[0].fields["items"]] == items


def test_what_is_needed_without_a_list_becomes_a_task() -> None:
    assert [item.fields["task"] for item in proposals("I need milk")] == ["get milk"]


def test_a_clock_time_that_names_a_thing_stays_in_the_title() -> None:
    made = proposals("buy 2 tickets for the 8pm show")
    assert made[0].fields == {"task": "buy 2 tickets for the 8pm show"}


def test_late_in_the_week_this_week_ends_tomorrow() -> None:
    assert "until tomorrow" in answers("what's on this week", events=EVENTS, now="2026-11-21T09:00:00")
