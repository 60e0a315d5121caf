"""A document cut into units: nothing is lost, nothing is too long, and each stands where it says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.model.memory import Document, Passage
from app.memory.units import MOST_PIECES, pieces, sentences_in, units_of

AT = datetime(2026, 3, 2, tzinfo=UTC)


@given(st.text(max_size=3000))
def test_every_letter_of_a_document_is_in_one_unit_and_each_unit_stands_in_it(text: str) -> None:
    units = units_of(Document("memo", "1", text, AT))
    covered = [place for unit in units for place in range(unit.start_char, unit.end_char)]
    assert len(covered) == len(set(covered))
    assert [place for place, letter in enumerate(text) if not letter.isspace() and place not in set(covered)] == []
    assert [unit.place for unit in units] == list(range(len(units)))
    for unit in units:
        assert text[unit.start_char : unit.end_char] == unit.text
        assert pieces(unit.text) <= MOST_PIECES


def test_a_unit_has_one_speaker_and_its_share_of_the_sound() -> None:
    text = "We met. It rained.\nDid it?"
    passages = [Passage(0, 18, "Ada", 1000, 5000), Passage(19, 26, "Ben", 5000, 6000)]
    ada, ben = units_of(Document("memo", "1", text, AT, "", passages))
    assert (ada.text, ada.speaker, ada.start_ms, ada.end_ms) == ("We met. It rained.", "Ada", 1000, 5000)
    assert (ben.text, ben.speaker, ben.start_ms, ben.end_ms) == ("Did it?", "Ben", 5000, 6000)


def test_within_one_passage_time_passes_evenly() -> None:
    text = " ".join(["word"] * 100)
    first, second = units_of(Document("memo", "1", text, AT, "", [Passage(0, len(text), "", 0, 100_000)]))
    assert first.start_ms == 0
    assert second.end_ms == 100_000
    assert abs((first.end_ms or 0) - 60_000) < 1000


def test_nothing_said_is_no_unit() -> None:
    assert units_of(Document("memo", "1", " \n ", AT)) == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Ask Dr. Holm. He knows.", ["Ask Dr. Holm.", "He knows."]),
        ("We went to St. Ives with Mr. and Mrs. Pike.", ["We went to St. Ives with Mr. and Mrs. Pike."]),
        ("It is by J. S. Bach. I like it.", ["It is by J. S. Bach.", "I like it."]),
        ("Come at 9 a.m. on Tuesday.", ["Come at 9 a.m. on Tuesday."]),
        ("He came at 9 a.m. Then it rained.", ["He came at 9 a.m.", "Then it rained."]),
        ("Did he? No. So did I. Good.", ["Did he?", "No.", "So did I.", "Good."]),
        ("We saw the Dr.\nHe was late.", ["We saw the Dr.", "He was late."]),
    ],
)
def test_a_shortened_word_ends_no_sentence(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentences_in(text)] == sentences
