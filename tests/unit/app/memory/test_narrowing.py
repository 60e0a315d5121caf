"""A quote is as short as it can be, and no shorter."""

from __future__ import annotations

from datetime import UTC, datetime

from agents.contract import Citation
from app.memory.narrowing import narrow, parts_of

TEXT = "Mum rang. She moves in May. The rent is 900."


def quote(text: str) -> Citation:
    """A quote that begins at the third character of its document."""
    said = datetime(2026, 11, 2, 10, tzinfo=UTC)
    return Citation(source="memo", id="m", start_char=3, end_char=3 + len(text), quote=text, captured_at=said)


def quote_by(**scores: float) -> str:
    """What is quoted of the text by the scores of parts, each named by the first letter of its sentences."""
    spans = parts_of(TEXT)
    by_letters = dict.fromkeys((TEXT[slice(*span)] for span in spans), -9.0) | {TEXT: 1.0}
    named = {"M": (0, 9), "S": (10, 27), "T": (28, 44), "MS": (0, 27), "ST": (10, 44), "all": (0, 44)}
    given = {TEXT[slice(*named[name])]: score for name, score in scores.items()}
    return narrow(quote(TEXT), spans, by_letters | given).quote


def test_parts_are_single_sentences_and_neighbours() -> None:
    assert [TEXT[slice(*span)] for span in parts_of(TEXT)] == [
        "Mum rang.",
        "She moves in May.",
        "The rent is 900.",
        "Mum rang. She moves in May.",
        "She moves in May. The rent is 900.",
    ]
    assert parts_of("Mum rang.") == []
    assert parts_of("Mum rang. She moves.") == [(0, 9), (10, 20)]


def test_the_sentence_that_answers_as_well_is_quoted() -> None:
    assert quote_by(T=1.2, S=1.1, ST=3.0) == "The rent is 900."


def test_two_sentences_where_one_answers_less_well() -> None:
    assert quote_by(T=0.9, ST=1.1) == "She moves in May. The rent is 900."


def test_all_of_it_where_no_part_answers_as_well_or_likely() -> None:
    assert quote_by(T=0.9, ST=0.5) == TEXT
    assert quote_by(all=-3.0, T=-0.1) == TEXT


def test_the_place_is_that_of_the_part() -> None:
    spans = parts_of(TEXT)
    scores = dict.fromkeys([TEXT, *(TEXT[slice(*span)] for span in spans)], 0.0) | {"The rent is 900.": 2.0}
    found = narrow(quote(TEXT), spans, scores)
    assert (found.start_char, found.end_char) == (31, 47)
