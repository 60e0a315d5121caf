"""A message is heard with what is known of its words; a part of it as it stands there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.reading.encoder import load_encoder
from agents.reading.flags import flag_words
from agents.reading.heard import hear
from agents.reading.labels import FLAGS
from agents.reading.rows import MOST_ASIDE, MOST_PIECES, MessageSurroundings, row_of
from agents.reading.words import plain, split_words, telling
from agents.time import clock_for, find_times

CLOCK = clock_for(datetime(2026, 3, 4, 9, tzinfo=UTC), "UTC")


def flags_of(text: str, **names: list[str]) -> dict[str, set[str]]:
    words = split_words(text)
    known = {flag: {word for name in some for word in telling(name)} for flag, some in names.items()}
    bits = flag_words(text, words, find_times(text, CLOCK), known)
    return {
        text[a:b]: {name for at, name in enumerate(FLAGS) if bit >> at & 1}
        for (a, b), bit in zip(words, bits, strict=True)
    }


def test_words_know_whether_they_are_a_time_and_in_whose_name_they_stand() -> None:
    found = flags_of("move the kilns to friday at 4", todo=["Fire the kiln"], event=["kiln tour"], line=["clay"])
    assert found == {
        "move": set(),
        "the": set(),
        "kilns": {"todo", "event"},
        "to": set(),
        "friday": {"time"},
        "at": {"time"},
        "4": {"time"},
    }


def test_common_words_tell_of_no_name() -> None:
    assert telling("call to the bank about it") == {"call", "bank"}
    assert not flags_of("for the", todo=["the call for the bank"])["the"]


@pytest.mark.parametrize(
    ("word", "same"), [("Mum's", "mum"), ("Mum’s", "mum"), ("kilns", "kiln"), ("bus", "bus"), ("glass", "glass")]
)
def test_words_are_compared_without_their_endings(word: str, same: str) -> None:
    assert plain(word) == same


def test_lines_and_signs_are_words_of_their_own() -> None:
    text = "don't\n\nmilk, 2x & #home"
    assert [text[a:b] for a, b in split_words(text)] == ["don't", "\n\n", "milk", ",", "2x", "&", "#", "home"]


def test_a_row_holds_what_fits_and_tells_what_came_before() -> None:
    text = "clay " * (MOST_PIECES + 50)
    row = row_of(
        text,
        split_words(text),
        [1] * (MOST_PIECES + 50),
        MessageSurroundings("did", ("event", "tour") * MOST_ASIDE),
        load_encoder(),
    )
    assert len(row.first) == MOST_PIECES - 2
    assert len(row.pieces) == len(row.segments) == len(row.flags) == MOST_PIECES + MOST_ASIDE + 1
    assert row.segments.count(1) == MOST_ASIDE + 1


def test_a_part_is_judged_where_it_stands() -> None:
    heard = hear(
        "the kiln tour is off, and remind me to order clay tomorrow",
        CLOCK,
        {"event": ["kiln tour"]},
        MessageSurroundings(),
        load_encoder(),
    )
    first, second = heard.chances("the kiln tour is off"), heard.chances("remind me to order clay tomorrow")
    assert first is not None
    assert second is not None
    assert (max(first, key=lambda act: first[act]), max(second, key=lambda act: second[act])) == ("drop", "remind")
    assert heard.chances("something else") is None
    assert [clause.act for clause in heard.reading.clauses] == ["drop", "remind"]


@pytest.mark.parametrize("text", ["", "   ", "!!!", "\n", "🎉", "ß" * 300, "\x00\x07", "a" * 5000, "אבג 漢字"])
def test_whatever_is_said_can_be_heard(text: str) -> None:
    heard = hear(text, CLOCK, {}, MessageSurroundings("yes", ("todo", "clay")), load_encoder())
    assert all(text[clause.start : clause.end] == clause.text for clause in heard.reading.clauses)
