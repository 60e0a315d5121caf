"""Things told apart by their times, and what shares a time or a verb kept together."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from agents.time import clock_for
from agents.understanding.text.clauses import split
from agents.understanding.text.filler import trim

CLOCK = clock_for(datetime(2026, 11, 24, 8, tzinfo=ZoneInfo("Europe/Lisbon")), "Europe/Lisbon")


def pieces(text: str) -> list[str]:
    return [trim(clause.text) for clause in split(text, CLOCK)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "dentist on thursday at 3pm, and finish the tax report by friday",
            ["dentist on thursday at 3pm", "finish the tax report by friday"],
        ),
        (
            "swimming every monday and friday at 7am, barber thursday at 3pm, hand it in by friday, it's important",
            [
                "swimming every monday and friday at 7am",
                "barber thursday at 3pm",
                "hand it in by friday, it's important",
            ],
        ),
        (
            "plan my week: yoga tuesday 6pm, groceries saturday morning",
            ["yoga tuesday 6pm", "groceries saturday morning"],
        ),
        (
            "i have a checkup thursday at 3 and a haircut friday at 10",
            ["have a checkup thursday at 3", "a haircut friday at 10"],
        ),
    ],
)
def test_things_with_times_of_their_own_come_apart(text: str, parts: list[str]) -> None:
    assert pieces(text)[-1] == parts[-1]
    assert len(pieces(text)) == len(parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("call mom at 5 and dad at 6", ["call mom at 5", "call dad at 6"]),
        (
            "pay rent on the 1st, power on the 5th and water on the 9th",
            ["pay rent on the 1st", "pay power on the 5th", "pay water on the 9th"],
        ),
        ("remind me to call ana at 5 and bob at 6", ["remind me to call ana at 5", "remind me to call bob at 6"]),
    ],
)
def test_a_verb_said_once_holds_for_all(text: str, parts: list[str]) -> None:
    assert pieces(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "lunch with ana tomorrow at 1 and bob",
        "trip from friday at 5, back sunday at 9",
        "meet ana on friday at 3 or saturday at 4",
        "standup monday, tuesday and wednesday at 9",
        "the meeting moved from friday at 3 to monday at 4, and ana can't come on tuesday",
        "dinner friday at 8 with tom, sue and bo",
        "prepare the talk by friday, half an hour or so",
        "event: workshop thu 9h15, half hr. event notes: the link is in the chat",
    ],
)
def test_what_belongs_together_stays_together(text: str) -> None:
    assert len(pieces(text)) == 1
