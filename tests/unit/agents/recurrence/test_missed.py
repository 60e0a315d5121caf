"""Rounds of a recurring task that passed, counted from its open one; on Wednesday 18 November 2026, 10:30 in Lisbon."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.records import ToDo
from agents.recurrence.missed import rounds_missed, say_missed
from tests.support.asking import answers

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo("Europe/Lisbon"))


def todo(**fields: Any) -> ToDo:
    return ToDo.model_validate({"id": "t", "task": "stretch", "created_at": NOW, "updated_at": NOW, **fields})


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"deadline": "2026-11-15", "recurrence": "FREQ=DAILY"}, 3),
        ({"deadline": "2026-11-17", "recurrence": "FREQ=DAILY"}, 1),
        ({"deadline": "2026-11-18", "recurrence": "FREQ=DAILY"}, 0),
        ({"deadline": "2026-11-15T08:00:00+00:00", "recurrence": "FREQ=DAILY"}, 4),
        ({"deadline": "2026-11-15T20:00:00+00:00", "recurrence": "FREQ=DAILY"}, 3),
        ({"deadline": "2026-10-28", "recurrence": "FREQ=WEEKLY"}, 3),
        ({"deadline": "2026-11-15"}, 0),
        ({"deadline": "2026-11-15", "recurrence": "FREQ=DAILY", "status": "done"}, 0),
        ({"recurrence": "FREQ=DAILY"}, 0),
    ],
)
def test_the_rounds_that_are_over(fields: dict[str, Any], count: int) -> None:
    assert rounds_missed(todo(**fields), NOW) == count


def test_one_round_is_told_by_its_date_alone() -> None:
    assert say_missed(todo(deadline="2026-11-17", recurrence="FREQ=DAILY"), NOW) == ""
    assert say_missed(todo(deadline="2026-11-16", recurrence="FREQ=DAILY"), NOW) == ", 2 rounds missed"


@pytest.mark.parametrize(
    "words", ["what is overdue?", "what are my tasks?", "when is stretch due?", "what about stretch?"]
)
def test_answers_tell_them(words: str) -> None:
    told = answers(words, todos=[{"task": "stretch", "deadline": "2026-11-15", "recurrence": "FREQ=DAILY"}])
    assert "Sunday 15 November, 3 rounds missed" in told
