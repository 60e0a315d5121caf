"""Timers, steps, bookings made elsewhere, codes, and what is run out of."""

from __future__ import annotations

from typing import Any

import pytest

from agents.mind.message import understand
from tests.support.asking import answers, ask, decide, proposals

DENTIST = {"title": "Dentist", "start": "2026-11-19T15:00", "end": "2026-11-19T16:00"}


@pytest.mark.parametrize(
    ("said", "task", "at"),
    [
        ("set a timer for 10 minutes", "timer", "10:40"),
        ("20 minute timer", "timer", "10:50"),
        ("pasta timer 11 min", "pasta", "10:41"),
        ("set a timer for half an hour for the bread", "the bread", "11:00"),
    ],
)
def test_a_timer_is_a_reminder_so_long_from_now(said: str, task: str, at: str) -> None:
    [made] = proposals(said)
    assert (made.fields["task"], made.fields["kind"], made.fields["remind_at"][11:16]) == (task, "reminder", at)


@pytest.mark.parametrize(
    "said", ["set a timer for 10 minutes", "pasta timer 11 min", "set an alarm for 7", "wake me up at 6"]
)
def test_what_only_rings_says_so(said: str) -> None:
    [made] = proposals(said)
    assert made.fields["tags"] == ["timer"]


@pytest.mark.parametrize("said", ["remind me to call mom at 5", "set an alarm for 7 to take the pills"])
def test_what_is_to_be_done_when_it_rings_is_no_timer(said: str) -> None:
    [made] = proposals(said)
    assert "tags" not in made.fields


def test_a_timer_that_rang_can_be_snoozed_by_words() -> None:
    rang = {"task": "pasta", "kind": "reminder", "tags": ["timer"], "status": "archived"}
    [made] = proposals("snooze the pasta for 5 minutes", todos=[rang])
    assert (made.op, made.record_id) == ("update", "todo-1")
    assert made.fields["snooze_until"][11:16] == "10:35"


@pytest.mark.parametrize("said", ["buy a timer", "fix the oven timer"])
def test_a_timer_without_a_length_is_a_thing(said: str) -> None:
    [made] = proposals(said)
    assert made.fields.get("kind", "todo") == "todo"


def test_a_reminder_may_name_its_event_first() -> None:
    [made] = proposals("remind me about the dentist an hour before", events=[DENTIST])
    assert made.fields["remind_at"][:16] == "2026-11-19T14:00"


def test_steps_are_kept_with_the_task_and_told_the_next_time() -> None:
    [made] = proposals("break down the present", todos=[{"task": "buy a present for Sam"}])
    assert (made.op, made.record_id) == ("update", "todo-1")
    assert len(made.fields["solutions"]) >= 3
    given: Any = [{"task": "buy a present for Sam", "solutions": ["ask Ana", "order it"]}]
    assert (
        answers("what are the steps for the present", todos=given)
        == "“buy a present for Sam”: 1. ask Ana; 2. order it."
    )


def test_steps_that_nobody_knows_are_asked_for() -> None:
    assert "I know no steps for “frobnicate the quux”" in answers(
        "break down frobnicate the quux", todos=[{"task": "frobnicate the quux"}]
    )


@pytest.mark.parametrize("said", ["break the ice with Bob", "split the bill with Tom"])
def test_what_names_no_task_gets_no_steps(said: str) -> None:
    assert [item for item in proposals(said, todos=[{"task": "call the bank"}]) if not item.hold] == []


@pytest.mark.parametrize("said", ["book flights for the trip", "book the train tickets by friday"])
def test_what_others_sell_is_a_thing_to_book(said: str) -> None:
    [made] = proposals(said)
    assert (made.op, made.kind) == ("create", "todo")


def test_a_room_at_a_time_is_on_the_calendar() -> None:
    assert proposals("book a room for monday at 3")[0].kind == "event"


def test_a_code_is_known_by_what_it_opens() -> None:
    [made] = proposals("the code for the gate is 8841")
    assert made.fields == {"facts": {"gate code": "8841"}}


def test_what_is_run_out_of_goes_on_the_list() -> None:
    [made] = proposals(
        "we've run out of eggs and flour", notes=[{"category": "list", "summary": "shopping list", "items": ["milk"]}]
    )
    assert [line["text"] for line in made.fields["items"]] == ["milk", "eggs", "flour"]


def test_a_day_is_cleared_only_after_a_yes() -> None:
    asked = decide("clear tomorrow", events=[DENTIST]).questions[0]
    assert asked.text == "Shall I really delete 1 event: “Dentist”?"
    assert understand(ask("clear tomorrow", events=[DENTIST])).targets == []


def test_the_next_of_a_series_is_found_by_its_name() -> None:
    yoga = {
        "title": "Yoga",
        "start": "2026-11-16T18:00",
        "end": "2026-11-16T19:00",
        "recurrence": "FREQ=WEEKLY;BYDAY=MO",
    }
    assert answers("when's my next yoga", events=[yoga]) == "Yoga: Monday 23 November from 18:00 to 19:00."


def test_one_thing_is_overdue_in_the_singular() -> None:
    told = answers("anything overdue", todos=[{"task": "renew the card", "deadline": "2026-11-10"}])
    assert told.startswith("You have 1 open task that is overdue: renew the card")


def test_a_task_without_a_name_is_asked_for_it() -> None:
    asked = decide("create a new todo for tomorrow").questions[0]
    assert asked.text == "What is the task?"
    [made] = proposals("sweep the yard, high priority", pending=asked.pending)
    assert (made.fields["task"], made.fields["deadline"], made.fields["priority"]) == (
        "sweep the yard",
        "2026-11-19",
        "high",
    )


def test_each_name_in_quotes_is_a_task() -> None:
    made = proposals("add 'buy stamps' and 'mail letters' to my tasks for tomorrow")
    assert [(item.fields["task"], item.fields["deadline"]) for item in made] == [
        ("buy stamps", "2026-11-19"),
        ("mail letters", "2026-11-19"),
    ]


@pytest.mark.parametrize(
    ("said", "task"),
    [
        ("remind me when I get home to water the plants", "water the plants"),
        ("remind me to check in when I get to the airport", "check in"),
    ],
)
def test_a_place_is_no_time_for_a_reminder(said: str, task: str) -> None:
    asked = decide(said).questions[0]
    assert asked.text == f"I can't tell where you are. When shall I remind you to {task}?"
    [made] = proposals("at 6", pending=asked.pending)
    assert (made.fields["task"], made.fields["remind_at"][11:16]) == (task, "18:00")


def test_a_list_is_called_what_it_is_for() -> None:
    [made] = proposals("new list for camping: tent, stove, gas")
    assert (made.fields["summary"], made.fields["items"]) == ("camping list", ["tent", "stove", "gas"])


def test_priorities_are_the_tasks_of_high_priority() -> None:
    given: Any = [{"task": "write the report", "priority": "high"}, {"task": "buy milk"}]
    assert answers("what are my top priorities", todos=given) == "You have 1 high-priority open task: write the report."


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("put the report off until friday", {"deadline": "2026-11-20"}),
        ("pause the report until friday", {"snooze_until": "2026-11-20"}),
        ("prioritise the report", {"priority": "high"}),
        ("deprioritize the report", {"priority": "low"}),
    ],
)
def test_what_is_put_off_is_not_done(said: str, fields: dict[str, str]) -> None:
    [made] = proposals(said, todos=[{"task": "write the report", "deadline": "2026-11-18"}])
    assert (made.op, made.fields) == ("update", fields)
