"""Everyday questions and rules: free and busy times, dates, what is due, every task at once, and moods."""

from __future__ import annotations

import pytest

from tests.support.asking import answers, decide, proposals

TASKS = [
    {"task": "Finish tax return", "kind": "todo", "status": "not started", "deadline": "2026-11-20"},
    {"task": "Renew passport", "kind": "todo", "status": "not started", "priority": "high"},
]
STANDUP = [{"title": "Team standup", "start": "2026-11-19T09:00", "end": "2026-11-19T09:15"}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("am I busy tomorrow at 3", "No, you are free"),
        ("am I busy tomorrow at 9", "Yes: "),
        ("when am I free tomorrow", "You are free tomorrow from 09:15 to 18:00."),
        ("is anything due this week", "Finish tax return"),
        ("what day is the 14th", "Monday 14 December 2026"),
        ("how many days until christmas", "37 days"),
        ("how long until the team standup", "22 hours 30 minutes"),
        ("who is my accountant", "have not told me"),
        ("did I renew the passport?", "still open"),
    ],
)
def test_an_everyday_question_is_answered(text: str, said: str) -> None:
    assert said in answers(text, todos=TASKS, events=STANDUP)
    assert proposals(text, todos=TASKS, events=STANDUP) == []


@pytest.mark.parametrize("text", ["mark everything done", "complete all my tasks", "archive everything"])
def test_every_task_at_once_is_asked_about_first(text: str) -> None:
    (question,) = decide(text, todos=TASKS).questions
    assert "2 tasks" in question.text
    assert proposals(text, todos=TASKS) == []


@pytest.mark.parametrize(
    "text", ["if something is urgent mark it high", "whenever I add a task, ask me for a deadline"]
)
def test_a_wish_about_every_case_is_a_rule(text: str) -> None:
    (made,) = proposals(text)
    assert (made.kind, made.fields) == ("instruction", {"text": text})


def test_what_was_said_about_something_is_forgotten() -> None:
    rules = [{"text": "never book anything on weekends"}]
    (made,) = proposals("forget what I said about weekends", instructions=rules)
    assert (made.op, made.kind) == ("delete", "instruction")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I'm stressed about the tax return", "Finish tax return"),
        ("I keep putting off the passport", "Renew passport"),
        ("I'm bored", "Finish tax return"),
        ("too many things to do today", "Finish tax return"),
    ],
)
def test_a_mood_is_met_with_one_next_action(text: str, title: str) -> None:
    (target,) = decide(text, todos=TASKS).targets
    assert target.proposed is not None
    assert target.proposed.suggestion is not None
    ids = {f"todo-{place}": task["task"] for place, task in enumerate(TASKS, start=1)}
    assert ids[str(target.proposed.suggestion.task_id)] == title


def test_a_rest_that_points_at_nothing_is_no_task() -> None:
    assert decide("actually make it 4").disposition == "clarify"


@pytest.mark.parametrize(
    ("text", "at"), [("wake up at 5 tomorrow", "2026-11-19T05:00"), ("get up at 6:30 on monday", "2026-11-23T06:30")]
)
def test_getting_up_is_a_reminder_in_the_morning(text: str, at: str) -> None:
    (made,) = proposals(text)
    assert (made.fields["kind"], made.fields["remind_at"][:16]) == ("reminder", at)


def test_a_missing_clock_time_is_asked_for_with_its_day() -> None:
    (question,) = decide("lunch with Tom on tuesday").questions
    assert question.text == "What time is lunch with Tom on Tuesday 24 November?"


@pytest.mark.parametrize("text", ["new list: camping - tent, stove, torch", "new list: camping: tent, stove, torch"])
def test_a_new_list_is_called_by_the_words_before_its_lines(text: str) -> None:
    (made,) = proposals(text)
    assert made.fields == {"category": "list", "summary": "camping list", "items": ["tent", "stove", "torch"]}
