"""Messages and the proposals they come to."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Proposal
from agents.records import Note
from agents.understanding.requests.lists import lists
from agents.understanding.scene import scene_of
from agents.understanding.share import change
from tests.support.asking import answers, ask, decide, proposals

TODOS = [
    {"task": "Pay the water bill", "deadline": "2026-11-20", "priority": "high"},
    {"task": "Repot the fern"},
    {"task": "Ring the roofer"},
    {"task": "Ring the tailor", "time_to_complete": 10},
    {"task": "Sand the door", "status": "done"},
]
EVENTS = [
    {"title": "Optician", "start": "2026-11-20T15:00", "end": "2026-11-20T16:00", "location": "Rua Augusta"},
    {"title": "Band rehearsal", "start": "2026-11-19T19:00", "end": "2026-11-19T21:00"},
]
NOTES = [{"category": "list", "content": "Bakery", "items": ["rolls", "cake"]}]
GIVEN: dict[str, Any] = {"todos": TODOS, "events": EVENTS, "notes": NOTES}


@pytest.mark.parametrize(
    ("text", "kind", "fields"),
    [
        ("polish the boots", "todo", {"task": "polish the boots"}),
        ("add a task to polish the boots by sunday", "todo", {"task": "polish the boots", "deadline": "2026-11-22"}),
        ("ring granny tomorrow at 5", "todo", {"task": "ring granny", "deadline": "2026-11-19T17:00:00+00:00"}),
        (
            "I have to mend the net, it's urgent, about 2 hours",
            "todo",
            {"task": "mend the net", "priority": "high", "time_to_complete": 120},
        ),
        (
            "remind me in 20 minutes to stir the soup",
            "todo",
            {"task": "stir the soup", "kind": "reminder", "remind_at": "2026-11-18T10:50:00+00:00"},
        ),
        (
            "remind me to stretch every day at 8am",
            "todo",
            {"task": "stretch", "recurrence": "FREQ=DAILY", "remind_at": "2026-11-19T08:00:00+00:00"},
        ),
        (
            "put tea with Rui on my calendar next tuesday at 4",
            "event",
            {"title": "tea with Rui", "start": "2026-11-24T16:00:00+00:00"},
        ),
        (
            "optician checkup thu 9-10am",
            "event",
            {"start": "2026-11-19T09:00:00+00:00", "end": "2026-11-19T10:00:00+00:00"},
        ),
        (
            "schedule a holiday from december 3 to december 7",
            "event",
            {"title": "holiday", "start": "2026-12-03", "end": "2026-12-07", "all_day": True},
        ),
        ("book a massage at Zen Studio on friday at 6pm", "event", {"title": "massage", "location": "Zen Studio"}),
        ("idea: paint the stairs yellow", "note", {"category": "idea", "content": "paint the stairs yellow"}),
        ("make a camping list: tent, stove and rope", "note", {"category": "list", "items": ["tent", "stove", "rope"]}),
        ("my name is Ines and I live in Faro", "profile", {"name": "Ines", "location": "Faro"}),
        (
            "I study marine biology at Algarve University",
            "profile",
            {"course": "marine biology", "college": "Algarve University"},
        ),
        (
            "from now on never plan anything before 10",
            "instruction",
            {"text": "from now on never plan anything before 10"},
        ),
    ],
)
def test_new_things(text: str, kind: str, fields: dict[str, Any]) -> None:
    made = proposals(text)
    assert [(item.op, item.kind, item.record_id) for item in made] == [("create", kind, None)]
    assert {name: made[0].fields.get(name) for name in fields} == fields


@pytest.mark.parametrize(
    ("text", "op", "record_id", "fields"),
    [
        ("mark the fern as done", "complete", "todo-2", {}),
        ("I paid the water bill", "complete", "todo-1", {}),
        ("the fern is done", "complete", "todo-2", {}),
        ("archive the fern", "archive", "todo-2", {}),
        ("reopen sand the door", "update", "todo-5", {"status": "not started"}),
        ("make the fern urgent", "update", "todo-2", {"priority": "high"}),
        ("push the water bill to monday", "update", "todo-1", {"deadline": "2026-11-23"}),
        ("snooze the fern until saturday", "update", "todo-2", {"snooze_until": "2026-11-21"}),
        ("rename repot the fern to repot the cactus", "update", "todo-2", {"task": "repot the cactus"}),
        ("cancel the optician", "delete", "event-1", {}),
        (
            "move the optician to monday",
            "update",
            "event-1",
            {"start": "2026-11-23T15:00:00+00:00", "end": "2026-11-23T16:00:00+00:00"},
        ),
        (
            "push the rehearsal back by half an hour",
            "update",
            "event-2",
            {"start": "2026-11-19T19:30:00+00:00", "end": "2026-11-19T21:30:00+00:00"},
        ),
        (
            "the rehearsal moved to 8pm",
            "update",
            "event-2",
            {"start": "2026-11-19T20:00:00+00:00", "end": "2026-11-19T22:00:00+00:00"},
        ),
    ],
)
def test_changes_of_what_is_there(text: str, op: str, record_id: str, fields: dict[str, Any]) -> None:
    assert [(item.op, item.record_id, item.fields) for item in proposals(text, **GIVEN)] == [(op, record_id, fields)]


def test_a_named_time_is_a_move_and_not_a_new_name() -> None:
    made = proposals("change the optician to 5pm", **GIVEN)
    assert [item.fields["start"] for item in made] == ["2026-11-20T17:00:00+00:00"]


def test_all_overdue_tasks_move_together() -> None:
    todos = [
        {"task": "oil the gate", "deadline": "2026-11-10"},
        {"task": "wax the skis", "deadline": "2026-11-12"},
        {"task": "sew"},
    ]
    made = proposals("move all overdue tasks to friday", todos=todos)
    assert [(item.record_id, item.fields) for item in made] == [
        ("todo-1", {"deadline": "2026-11-20"}),
        ("todo-2", {"deadline": "2026-11-20"}),
    ]


def test_a_day_heads_what_follows_on_its_line() -> None:
    made = proposals("tomorrow: gym at 7, ring the bank, dinner 8pm")
    starts = sorted(item.fields.get("start") or item.fields["deadline"] for item in made)
    assert starts == ["2026-11-19", "2026-11-19T07:00:00+00:00", "2026-11-19T20:00:00+00:00"]


def test_several_requests_of_mixed_kinds_each_have_their_worker() -> None:
    decision = decide("ring granny tomorrow at 5 and book the vet for friday 3pm. idea: a blue roof", **GIVEN)
    assert decision.disposition == "dispatch"
    assert [target.worker for target in decision.targets] == ["update_todos", "update_events", "update_notes"]


def test_what_is_not_understood_is_named_and_blocks_nothing() -> None:
    decision = decide("add glue. flurb the wozzle", **GIVEN)
    assert decision.disposition == "dispatch"
    assert decision.unclear == ["flurb the wozzle"]


def test_list_lines_are_added_and_taken_off() -> None:
    added = proposals("add bread and jam to the bakery list", **GIVEN)
    assert [line["text"] for line in added[0].fields["items"]] == ["rolls", "cake", "bread", "jam"]
    assert [line["text"] for line in proposals("take cake off my bakery list", **GIVEN)[0].fields["items"]] == ["rolls"]


def test_no_candidate_is_said_and_changes_nothing() -> None:
    decision = decide("delete the trombone task", **GIVEN)
    assert (decision.disposition, [target.worker for target in decision.targets]) == ("reply", ["recall"])
    assert "trombone" in answers("delete the trombone task", **GIVEN)


def test_several_candidates_are_asked_about() -> None:
    decision = decide("I'm done with the ring", **GIVEN)
    question = decision.questions[0]
    assert (decision.disposition, decision.targets) == ("clarify", [])
    assert question.options == ["Ring the roofer", "Ring the tailor"]
    assert (question.pending.missing, question.pending.proposals[0].op, question.pending.proposals[0].record_id) == (
        "which",
        "complete",
        None,
    )


@pytest.mark.parametrize("text", ["put a meeting with Eva on my calendar", "schedule yoga on friday"])
def test_an_appointment_without_a_clock_time_is_asked_about(text: str) -> None:
    decision = decide(text)
    assert decision.disposition == "clarify"
    assert decision.questions[0].pending.missing == "when"


def test_deleting_everything_is_confirmed_first() -> None:
    decision = decide("delete all my tasks", **GIVEN)
    assert decision.disposition == "clarify"
    pending = decision.questions[0].pending
    assert (pending.missing, len(pending.proposals)) == ("proceed", 4)


def test_deleting_all_of_a_day_means_that_day_alone() -> None:
    pending = decide("cancel everything on friday", **GIVEN).questions[0].pending
    assert [item.record_id for item in pending.proposals] == ["event-1"]


@pytest.mark.parametrize(
    "text",
    [
        "will it rain tomorrow?",
        "tell me a joke",
        "we had such a nice walk yesterday",
        "don't delete the fern",
        "Rui texted me 'cancel all your meetings'",
        "hello",
        "thanks!",
        "meet me on 31 april",
        "turn the lights off",
        "😀",
        "買い物",
    ],
)
def test_what_asks_for_no_change_proposes_none(text: str) -> None:
    assert proposals(text, **GIVEN) == []


def test_steps_come_with_tasks_of_more_than_one_action() -> None:
    steps = proposals("renew my passport")[0].fields["solutions"]
    assert 3 <= len(steps) <= 6
    assert any("passport" in step for step in steps)
    assert "solutions" not in proposals("buy milk")[0].fields


@pytest.mark.parametrize(
    ("instruction", "text", "priority"),
    [
        ("any new task for Atlas gets high priority", "fix the menu for atlas", "high"),
        ("anything about the garden is low priority", "weed the garden", "low"),
        ("anything about the garden is low priority", "wash the car", None),
        ("anything about the garden is low priority", "weed the garden, urgent", "high"),
    ],
)
def test_priority_rules_are_obeyed(instruction: str, text: str, priority: str | None) -> None:
    assert proposals(text, instructions=[instruction])[0].fields.get("priority") == priority


def test_asking_first_is_obeyed() -> None:
    (held,) = proposals("add glue", instructions=["always ask me before adding tasks"])
    assert (held.fields["task"], held.hold) == ("glue", "you want to be asked first")


def test_interests_join_the_known_ones() -> None:
    made = proposals("I'm into fencing and jazz", profile={"name": "Rui", "interests": ["Jazz", "tea"]})
    assert (made[0].op, made[0].record_id) == ("update", "profile")
    assert made[0].fields == {"interests": ["Jazz", "tea", "fencing"]}


@pytest.mark.parametrize(
    "said", ["no notifications after 10pm", "please no pings before 8am", "no notifications between 10pm and 7am"]
)
def test_no_notifications_at_some_hours_is_a_rule_and_no_task(said: str) -> None:
    [kept] = proposals(said)
    assert (kept.op, kept.kind) == ("create", "instruction")


def test_a_line_that_is_too_long_is_for_the_ledger_to_refuse() -> None:
    lines = [{"text": "tea", "done": True}, "x" * 501]
    scene = scene_of(ask("and eggs", notes=[{"summary": "pantry list", "category": "list", "items": ["tea"]}]))
    scene.before = [change("", Proposal(op="update", kind="note", record_id="note-1", fields={"items": lines}))]
    record = lists(scene)[0].record
    assert isinstance(record, Note)
    assert [(line.text, line.done) for line in record.items] == [("tea", True), ("x" * 501, False)]
