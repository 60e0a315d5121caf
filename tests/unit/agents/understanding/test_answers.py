from __future__ import annotations

from typing import Any

import pytest

from tests.support.asking import answers, decide

GIVEN: dict[str, Any] = {
    "todos": [
        {"task": "Pay the water bill", "deadline": "2026-11-20", "priority": "high"},
        {"task": "Repot the fern"},
        {"task": "Ring the tailor", "time_to_complete": 10, "difficulty": "easy"},
        {"task": "Sand the door", "status": "done"},
    ],
    "events": [
        {"title": "Optician", "start": "2026-11-20T15:00", "end": "2026-11-20T16:00", "location": "Rua Augusta"},
        {
            "title": "Chess club",
            "start": "2026-11-11T18:00",
            "end": "2026-11-11T20:00",
            "recurrence": "FREQ=WEEKLY;BYDAY=WE",
        },
    ],
    "notes": [
        {"category": "list", "content": "Bakery", "items": ["rolls", "cake"]},
        {"category": "idea", "content": "a kite museum"},
    ],
    "profile": {"name": "Rui", "job": "baker"},
    "instructions": ["keep replies short"],
}


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("which tasks are due this week?", ["1 open task", "Pay the water bill", "Friday 20 November"]),
        ("how many open tasks do I have", ["3 open tasks"]),
        ("which tasks are overdue?", ["no open tasks"]),
        ("show my finished tasks", ["1 finished task", "Sand the door"]),
        ("what's on today?", ["Chess club", "18:00 to 20:00"]),
        ("what do I have on friday", ["1 event", "Optician", "Rua Augusta"]),
        ("what do I have on saturday", ["nothing"]),
        ("am I free friday at 3pm?", ["Not quite", "Optician"]),
        ("am I free friday at 5pm?", ["Yes, you are free"]),
        ("when is the optician", ["Friday 20 November", "15:00", "Rua Augusta"]),
        ("what's my next appointment", ["Chess club", "7 hours 30 minutes"]),
        ("what's on the bakery list", ["rolls and cake"]),
        ("what is my job?", ["baker"]),
        ("where do I live", ["not told me"]),
        ("what are my rules", ["1 standing instruction", "keep replies short"]),
        ("what did I say about the museum", ["a kite museum"]),
        ("did I pay the water bill?", ["still open"]),
    ],
)
def test_answers_say_what_is_stored(text: str, has: list[str]) -> None:
    decision = decide(text, **GIVEN)
    assert (decision.disposition, [target.worker for target in decision.targets]) == ("reply", ["recall"])
    said = answers(text, **GIVEN)
    assert [words for words in has if words not in said] == []


def suggestion(text: str) -> Any:
    targets = decide(text, **GIVEN).targets
    assert [target.worker for target in targets] == ["focus_coach"]
    return targets[0].proposed and targets[0].proposed.suggestion


def test_focus_prefers_what_is_due_and_important() -> None:
    assert suggestion("what should I work on?").task_id == "todo-1"


def test_low_energy_gets_a_small_easy_task() -> None:
    assert suggestion("I'm exhausted").task_id == "todo-3"


def test_focus_fits_the_minutes_at_hand() -> None:
    assert suggestion("I have 15 minutes, what can I do?").task_id == "todo-3"
    assert suggestion("I have 15 minutes").task_id == "todo-3"
    assert suggestion("got about 15 mins to spare").task_id == "todo-3"


def test_focus_without_tasks_says_so() -> None:
    assert "no open tasks" in answers("what should I do now?")


@pytest.mark.parametrize(
    ("text", "has"),
    [("hi there", "Good morning, Rui"), ("who are you?", "Summit"), ("what's the weather", "can't help")],
)
def test_small_talk_and_limits_are_said(text: str, has: str) -> None:
    decision = decide(text, **GIVEN)
    assert (decision.disposition, decision.targets) == ("reply", [])
    assert has in decision.acknowledgement


@pytest.mark.parametrize("text", ["yes", "Yes please!", "do it"])
def test_a_yes_to_nothing_does_not_sound_like_consent(text: str) -> None:
    assert "nothing is changed" in decide(text).acknowledgement
