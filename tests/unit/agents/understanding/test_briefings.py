from __future__ import annotations

import pytest

from agents.contract import Proposal
from tests.support.asking import decide, proposals

DAILY, WEEKDAYS = "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
STORED = {"todos": [{"id": "b1", "task": "daily briefing", "kind": "reminder", "tags": ["briefing"]}]}


def one(text: str) -> Proposal:
    (proposal,) = proposals(text)
    return proposal


@pytest.mark.parametrize(
    ("text", "rule", "at"),
    [
        ("every morning at 7 tell me my day", DAILY, "2026-11-19T07:00:00+00:00"),
        ("every morning at 7, tell me my day", DAILY, "2026-11-19T07:00:00+00:00"),
        ("tell me my day every morning at 7", DAILY, "2026-11-19T07:00:00+00:00"),
        ("brief me every weekday at 7:30", WEEKDAYS, "2026-11-19T07:30:00+00:00"),
        ("give me a daily briefing at 8am", DAILY, "2026-11-19T08:00:00+00:00"),
        ("set up a daily briefing at 7", DAILY, "2026-11-19T07:00:00+00:00"),
        ("each morning give me a rundown of my day", DAILY, "2026-11-19T09:00:00+00:00"),
        ("tell me what is on my schedule at 7am every day", DAILY, "2026-11-19T07:00:00+00:00"),
        ("tell me my agenda every monday at 9", "FREQ=WEEKLY;BYDAY=MO", "2026-11-23T09:00:00+00:00"),
    ],
)
def test_a_day_to_be_told_again_and_again_is_a_briefing(text: str, rule: str, at: str) -> None:
    found = one(text)
    expected = {"task": "daily briefing", "kind": "reminder", "tags": ["briefing"], "recurrence": rule, "remind_at": at}
    assert (found.op, found.kind, found.fields) == ("create", "todo", expected)


def test_a_briefing_without_a_time_is_asked_for_one() -> None:
    decision = decide("send me a morning briefing")
    questions = [*decision.questions, *(q for one in decision.targets if one.proposed for q in one.proposed.questions)]
    assert [question.text for question in questions] == ["When shall I tell you your day?"]


@pytest.mark.parametrize(
    "text",
    [
        "what's my day like",
        "tell me what's on tomorrow",
        "show me my calendar",
        "schedule a briefing with Bob on Friday at 3",
        "remind me every day at 8 to check my calendar",
        "every day at 8 remind me to plan my day",
        "add a task: prepare the morning briefing",
    ],
)
def test_one_day_or_another_briefing_is_none(text: str) -> None:
    assert [found.fields for found in proposals(text) if "briefing" in found.fields.get("tags", [])] == []


@pytest.mark.parametrize("text", ["stop the daily briefing", "no more briefings", "stop briefing me"])
def test_it_can_be_stopped(text: str) -> None:
    (found,) = proposals(text, **STORED)
    assert (found.op, found.record_id) == ("delete", "b1")


@pytest.mark.parametrize("text", ["tomorrow at 5, remind me to call mom", "every morning at 7, remind me to call mom"])
def test_a_time_before_a_comma_belongs_to_what_follows(text: str) -> None:
    found = one(text)
    assert (found.fields["task"], "remind_at" in found.fields) == ("call mom", True)
