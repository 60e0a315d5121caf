"""How sure the built-in understanding is: the gate before any model."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.contract import Change, Pending, Proposal
from agents.mind.message import understand
from agents.ports import Ask
from agents.understanding.confidence import sureness

AT = datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo("Europe/Lisbon"))
LIMIT = 0.75


def sure(text: str, **values: Any) -> float:
    ask = Ask(text=text, at=AT, timezone="Europe/Lisbon", **values)
    return sureness(ask, understand(ask))


@pytest.mark.parametrize(
    "text", ["remind me to call mom tomorrow at 5", "what's on today?", "add task: buy milk", "hello"]
)
def test_plain_requests_need_no_model(text: str) -> None:
    assert sure(text) >= LIMIT


@pytest.mark.parametrize(
    "text",
    ["the usual with the thing we said", "delete the xylophone", "", "Leider verstehe ich das nicht", "milk " * 80],
)
def test_what_is_not_understood_is_left_to_a_model(text: str) -> None:
    assert sure(text) < LIMIT


def test_an_answer_to_a_waiting_question_is_for_code_alone() -> None:
    draft = Proposal(op="create", kind="event", fields={"title": "dentist"})
    waiting = Pending(missing="when", text="dentist", at=AT, proposals=[draft])
    assert sure("friday at 3pm", pending=waiting) == 1.0


def test_an_undo_is_for_code_alone() -> None:
    change = Change(
        id="c1", cursor=1, turn_id="t1", agent="update_todos", seq=0, op="create", kind="todo", record_id="r1",
        title="call mom", fields={"task": "call mom"}, before=None, after={"task": "call mom"}, status="applied",
        created_at=AT,
    )  # fmt: skip
    assert sure("undo that", recent_changes=[change]) == 1.0
