"""What a turn notes of its message: which words order, ask or answer, and which are stated."""

from __future__ import annotations

import pytest

from tests.unit.graph.test_waiting import Talk

ORDERS = [
    "add candles to my shopping list",
    "remind me to feed the cat tomorrow at 7",
    "choir every wednesday at 8pm",
    "note that the mason is called Urs",
    "never book anything before 10",
    "remind me to feed the cat",
    "what is on this weekend?",
    "what should I do next?",
]
STATED = [
    "The ferry to Burano was late again.",
    "My niece cannot stand celery.",
    "My job is glazier",
    "The mason came on foot and looked at the chimney.",
]


@pytest.mark.parametrize("said", ORDERS)
async def test_an_order_or_a_question_is_noted_whole(said: str) -> None:
    assert _letters(" ".join((await Talk().say(said)).requests or [])) == _letters(said)


@pytest.mark.parametrize("said", STATED)
async def test_of_what_is_merely_stated_nothing_is_an_order(said: str) -> None:
    assert (await Talk().say(said)).requests == []


@pytest.mark.parametrize(
    ("first", "answer"),
    [
        ("remind me to feed the cat", "no"),
        ("remind me to feed the cat", "tomorrow at 6"),
        ("lunch with Carla tomorrow at noon or so", "yes"),
    ],
)
async def test_an_answer_is_no_statement(first: str, answer: str) -> None:
    talk = Talk()
    assert (await talk.say(first)).question
    assert (await talk.say(answer)).requests == [answer]


async def test_beside_an_order_what_is_stated_stays() -> None:
    said = await Talk().say("The ferry to Burano was late again. Remind me to call the mason tomorrow at 9.")
    assert _letters(" ".join(said.requests or [])) == _letters("Remind me to call the mason tomorrow at 9")


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
