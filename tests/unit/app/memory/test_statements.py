"""What of a message is stated, by its sentences."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations

import pytest

from app.memory.statements import request_spans
from app.memory.units import sentences_in, units_of
from app.ports.memory import Document

STATED = ["The ferry to Burano was late again.", "Ines cannot stand celery!", "We sold the red canoe."]
ORDERED = ["Remind me to call the mason tomorrow at 9.", "Add candles to my shopping list."]


def left(text: str, requests: list[str]) -> list[str]:
    away = request_spans(text, requests)
    return [text[slice(*span)] for span in sentences_in(text) if span not in away]


@pytest.mark.parametrize("order", list(permutations([*STATED, *ORDERED])))
def test_whatever_the_order_of_its_sentences_what_is_stated_stays_and_is_cut_out_letter_by_letter(
    order: tuple[str, ...],
) -> None:
    text = " ".join(order)
    requests = ["remind me to call the mason tomorrow at 9", "add candles to my shopping list"]
    assert left(text, requests) == [one for one in order if one in STATED]
    document = Document("message", "m", text, datetime(2026, 3, 2, tzinfo=UTC), left_out=request_spans(text, requests))
    units = units_of(document)
    assert " ".join(unit.text for unit in units) == " ".join(one for one in order if one in STATED)
    assert all(text[unit.start_char : unit.end_char] == unit.text for unit in units)


@pytest.mark.parametrize("words", ["yes", "No.", "the second one", "candles", "that one please", "ok!"])
def test_words_too_few_to_state_anything_are_left_out(words: str) -> None:
    assert left(words, []) == []


@pytest.mark.parametrize("words", [*STATED, "Ines called.", "Wir haben das rote Kanu verkauft."])
def test_a_short_statement_is_one(words: str) -> None:
    assert left(words, []) == [words]
