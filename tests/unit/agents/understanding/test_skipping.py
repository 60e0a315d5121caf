"""A suggestion that is skipped is followed by another one, and nothing is deleted."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agents.mind.message import understand
from agents.ports import Ask, Exchange, Records
from agents.records import Source, ToDo

AT = datetime(2026, 11, 24, 8, tzinfo=UTC)
FIRST = "Next: pay the bill (about 30 minutes). “pay the bill”: it has high priority. One thing at a time."
SECOND = "Next: call Ana (about 30 minutes). “call Ana”: it is a good one to get moving with. One thing at a time."


def todo(task: str, **fields: Any) -> ToDo:
    return ToDo(id=task, task=task, version=1, created_at=AT, updated_at=AT, source=Source(), **fields)


TASKS = [todo("pay the bill", priority="high"), todo("call Ana", priority="medium"), todo("sort the shed")]


def told(text: str, *replies: str, said: str = "what should i do?") -> list[str]:
    recent = [Exchange(said=said, replied=reply) for reply in replies]
    ask = Ask(text=text, at=AT, timezone="UTC", records=Records(todos=TASKS), recent=recent)
    parts = [target.proposed for target in understand(ask).targets if target.proposed]
    assert [proposal for part in parts for proposal in part.proposals] == []
    return [part.suggestion.action for part in parts if part.suggestion] + [
        line for part in parts for line in part.answers
    ]


@pytest.mark.parametrize(
    "text", ["skip that, something else", "not that one", "something else please", "nah, another one"]
)
def test_what_is_skipped_is_followed_by_the_next_best(text: str) -> None:
    assert told(text, FIRST) == ["call Ana"]


def test_what_was_skipped_before_is_spared_as_well() -> None:
    assert told("something else", FIRST, SECOND, said="something else") == ["sort the shed"]
