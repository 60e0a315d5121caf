"""What of a message is stated, by its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import permutations

import pytest

from agents.time import clock_for
from app.memory.model.memory import Document
from app.memory.statements import LEAST_CHANCE, unstated_spans
from app.memory.units import sentences_in, units_of

CLOCK = clock_for(datetime(2026, 3, 2, 10, tzinfo=UTC), "Europe/Lisbon")
STATED = ["The ferry to Burano was late again.", "Ines never eats celery!", "We sold the red canoe."]
ORDERED = ["Remind me to call the mason tomorrow at 9.", "Add candles to my shopping list."]
REQUESTS = ["remind me to call the mason tomorrow at 9", "add candles to my shopping list"]


def left(text: str, requests: Sequence[str] | None, least: float = LEAST_CHANCE) -> list[str]:
    away = unstated_spans(text, requests, CLOCK, least)
    return [text[slice(*span)] for span in sentences_in(text) if span not in away]


@pytest.mark.parametrize("requests", [REQUESTS, None])
@pytest.mark.parametrize("order", list(permutations([*STATED, *ORDERED]))[::7])
def test_whatever_the_order_of_its_sentences_what_is_stated_stays_and_is_cut_out_letter_by_letter(
    order: tuple[str, ...], requests: list[str] | None
) -> None:
    text = " ".join(order)
    assert left(text, requests) == [one for one in order if one in STATED]
    left_out = unstated_spans(text, requests, CLOCK)
    document = Document("message", "m", text, datetime(2026, 3, 2, tzinfo=UTC), left_out=left_out)
    units = units_of(document)
    assert " ".join(unit.text for unit in units) == " ".join(one for one in order if one in STATED)
    assert all(text[unit.start_char : unit.end_char] == unit.text for unit in units)


@pytest.mark.parametrize(
    "words",
    [
        "yes",
        "yes, go ahead please",
        "the second one",
        "ok!",
        "Thank you very much.",
        "hey there, good morning",
        "no, I meant Thursday",
        "undo that",
        "who works at Siemens?",
        "who works at Siemens",
        "what is on my list?",
        "what did Anna say and when did she say it?",
        "what should I do next",
        "Summarize all my thoughts on the bees",
        "email Ana that I am late",
        "did I pay the rent? And what is the code of the garage?",
    ],
)
def test_what_asks_or_answers_or_only_talks_is_no_statement_though_no_agent_was_given_it(words: str) -> None:
    assert left(words, []) == []


@pytest.mark.parametrize("words", ["do the laundry", "Feed the heron tomorrow.", "move the dentist to Friday"])
def test_an_order_from_before_requests_were_noted_is_known_by_itself(words: str) -> None:
    assert left(words, None) == []


@pytest.mark.parametrize(
    "words",
    [
        *STATED,
        "Ines called.",
        "Wir haben das rote Kanu verkauft.",
        "Anna works at Siemens",
        "my brother asked what time it is",
        "The recital of Lotte is on the 30th.",
    ],
)
def test_what_states_something_is_a_statement(words: str) -> None:
    assert left(words, []) == [words]


def test_a_question_beside_a_statement_is_left_out() -> None:
    assert left("I met Anna at the market. Do you know her?", []) == ["I met Anna at the market."]


def test_small_talk_stays_beside_a_statement() -> None:
    told = "I passed the exam in statistics. I am so happy!"
    assert " ".join(left(told, [])) == told
    assert left("I am so happy!", []) == []


def test_how_sure_it_must_be_is_given() -> None:
    text = "The ferry to Burano was late again."
    assert left(text, [], least=0.0001) == []
