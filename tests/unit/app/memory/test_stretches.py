"""Questions about a stretch of time, and what is told of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from agents.contract import Citation
from app.memory.model.memory import Asked
from app.memory.stretches import Stretch, stretch_in, tell_days
from tests.support.ledgers import LISBON

ZONE = ZoneInfo(LISBON)
NOW = datetime(2026, 11, 28, 10, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("What did I say last week?", (2026, 11, 16), (2026, 11, 23)),
        ("what happened in October", (2026, 10, 1), (2026, 11, 1)),
        ("What happened on 12 October?", (2026, 10, 12), (2026, 10, 13)),
        ("what did I note between the 3rd and the 5th of October?", (2026, 10, 3), (2026, 10, 6)),
        ("summarise October", (2026, 10, 1), (2026, 11, 1)),
        ("What happened since Monday?", (2026, 11, 23), None),
    ],
)
def test_a_stretch_of_time_that_is_asked_for(
    question: str, since: tuple[int, int, int], until: tuple[int, int, int] | None
) -> None:
    end = datetime(*until, tzinfo=ZONE) if until else NOW
    assert stretch_in(Asked(question, NOW, LISBON)) == Stretch(datetime(*since, tzinfo=ZONE), end)


@pytest.mark.parametrize(
    "question",
    [
        "What did I say about the boiler last week?",
        "what happened to the boiler in October",
        "who came on Monday?",
        "what did I say?",
        "how was the march?",
    ],
)
def test_a_question_about_something_is_none_of_a_stretch(question: str) -> None:
    assert stretch_in(Asked(question, NOW, LISBON)) is None


def test_a_range_that_is_given_limits_the_stretch() -> None:
    asked = Asked("what did I say last week?", NOW, LISBON, until=datetime(2026, 11, 18, tzinfo=ZONE))
    assert stretch_in(asked) == Stretch(datetime(2026, 11, 16, tzinfo=ZONE), datetime(2026, 11, 18, tzinfo=ZONE))


def test_what_was_said_is_told_day_by_day() -> None:
    days = [NOW, NOW + timedelta(hours=2), NOW + timedelta(days=1)]
    said = [
        Citation(source="memo", id=f"m{number}", start_char=0, end_char=2, quote=f"Q{number}", captured_at=day)
        for number, day in enumerate(days)
    ]
    assert tell_days(said, LISBON) == "On 28 November 2026: “Q0”; “Q1” On 29 November 2026: “Q2”"
