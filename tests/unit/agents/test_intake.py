from __future__ import annotations

import re
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.intake import normalize_whitespace
from agents.ports import Ask, Exchange
from tests.fuzz.hostile import INVISIBLE, SPACES

WIDTHLESS = "\u200b\u2060\ufeff"
NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("add milk", "add milk"),
        ("add" + " " * 4000 + "milk", "add milk"),
        ("add\tmilk", "add milk"),
        ("add" + "\t \u00a0\u2003\u3000" * 500 + "milk", "add milk"),
        ("list:\n- tent\n- rope", "list:\n- tent\n- rope"),
        ("list:\r\n- tent\r\n- rope", "list:\n- tent\n- rope"),
        ("one  \n  two", "one\ntwo"),
        ("one\n\ntwo", "one\n\ntwo"),
        ("one" + "\n \t" * 900 + "two", "one\n\ntwo"),
        ("one\u2028two", "one\ntwo"),
        ("fri\u200bday", "fri\u200bday"),
        ("fri" + "\u200b" * 900 + "day", "fri\u200bday"),
        ("well......", "well..."),
        ("2026 1000000", "2026 1000000"),
    ],
)
def test_a_run_says_what_a_short_one_says(text: str, left: str) -> None:
    assert normalize_whitespace(text) == left


def words_of(text: str) -> list[str]:
    return text.translate(dict.fromkeys(map(ord, WIDTHLESS))).split()


@given(st.text(alphabet=SPACES + WIDTHLESS + "a1", max_size=80))
def test_every_word_stays_and_no_run_is_left(text: str) -> None:
    assert words_of(normalize_whitespace(text)) == words_of(text)
    assert normalize_whitespace(normalize_whitespace(text)) == normalize_whitespace(text)
    assert not re.search(r"[\s\u200b]{3,}|\s[^\S\n]|[^\S \n]", normalize_whitespace(text))


@pytest.mark.parametrize("unit", [*SPACES, *INVISIBLE, "\u200b ", "\n\u200b", ".", "\u0301", ". "])
def test_it_takes_as_long_as_the_text_is(unit: str) -> None:
    begun = time.thread_time()
    normalize_whitespace(unit * (200_000 // len(unit)))
    assert time.thread_time() - begun < 10  # a quadratic one takes an hour


def test_what_is_asked_and_what_was_said_before_is_collapsed() -> None:
    words = "add" + "\t" * 4000 + "milk"
    ask = Ask(text=words, words=words, at=NOW, timezone="UTC", recent=[Exchange(said=words, replied=words)])
    assert {ask.text, ask.words, ask.recent[0].said, ask.recent[0].replied} == {"add milk"}
