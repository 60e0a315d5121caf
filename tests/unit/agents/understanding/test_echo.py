"""What is told about how a time was read: only where the words left it open, and once."""

from __future__ import annotations

import pytest

from agents.mind.message import understand
from agents.ports import Exchange
from tests.support.asking import ask


def assumed(words: str, *recent: Exchange) -> list[str]:
    decision = understand(ask(words).model_copy(update={"recent": list(recent)}))
    proposals = [item for target in decision.targets if target.proposed for item in target.proposed.proposals]
    assert proposals, decision
    return [clause for item in proposals for clause in item.assumed]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("call mom tomorrow at 5", ["I took 5 as 17:00"]),
        ("remind me tomorrow at 7 to stretch", ["I took 7 as 7 in the morning"]),
        ("finish the report by 5", ["I took 5 as 17:00"]),
        ("book the dentist on 4/12 at 3:15", ["I took 3:15 as 15:15", "I read 4/12 day first"]),
        ("remind me at 9 to stretch", ["09:00 has passed, so tomorrow"]),
        ("gym every tuesday at 6", ["I took 6 as 18:00"]),
        ("call mom tomorrow at 5 and book the barber for friday at 5", ["I took 5 as 17:00"] * 2),
    ],
)
def test_what_the_words_left_open_is_told(words: str, told: list[str]) -> None:
    assert assumed(words) == told


@pytest.mark.parametrize(
    "words",
    [
        "call mom tomorrow",
        "call mom tomorrow at 5pm",
        "book the dentist on friday at 17:00",
        "lunch with Ana tomorrow at 12",
        "remind me in 20 minutes to take the bread out",
        "remind me tomorrow evening at 8 to stretch",
        "buy 5 apples",
        "pay the rent on 25/11",
    ],
)
def test_what_is_clear_is_not(words: str) -> None:
    assert assumed(words) == []


def test_what_was_told_lately_is_not_told_again() -> None:
    before = Exchange(said="call dad at 5", replied="Added “call dad” to your tasks. (I took 5 as 17:00.)")
    assert assumed("call mom tomorrow at 5", before) == []
    assert assumed("call mom tomorrow at 4", before) == ["I took 4 as 16:00"]
