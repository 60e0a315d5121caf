"""How surely words ask for nothing, as the trained reader hears them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.asking import hear_request
from agents.ports import Ask, Exchange
from agents.risk import RATHER_SURE, SURE_ENOUGH

AT = datetime(2026, 11, 18, tzinfo=UTC)


def ask(words: str, replied: str = "", language: str = "en") -> Ask:
    recent = [Exchange(said="hm", replied=replied)] if replied else []
    return Ask(text=words, words=words, at=AT, timezone="UTC", recent=recent, language=language)


@pytest.mark.parametrize("words", ["what is on my list today?", "read me the note about the trip", "thanks a lot"])
def test_questions_and_talk_ask_for_nothing(words: str) -> None:
    assert hear_request(ask(words)).asks_nothing >= SURE_ENOUGH


@pytest.mark.parametrize("words", ["add buy milk", "we're out of milk", "I took the pills", "delete call mom"])
def test_wishes_ask_for_something(words: str) -> None:
    assert hear_request(ask(words)).asks_nothing < RATHER_SURE


def test_an_answer_to_a_question_and_other_languages_are_not_judged() -> None:
    assert hear_request(ask("the blue one, I think", "Which one do you mean?")).asks_nothing == 0
    assert hear_request(ask("was steht heute auf meiner Liste?", language="de")).asks_nothing == 0
    assert hear_request(ask("was steht heute auf meiner Liste da?")).asks_nothing == 0


@pytest.mark.parametrize("words", ["sure", "Yes!", "no", "go ahead", "fine by me"])
def test_an_answer_to_no_question_asks_for_nothing(words: str) -> None:
    assert hear_request(ask(words, "You have nothing on Friday.")).asks_nothing >= SURE_ENOUGH
    assert hear_request(ask(words, "Shall I book it? Friday is free.")).asks_nothing == 0


def test_a_short_answer_in_another_language_to_no_question_asks_for_nothing() -> None:
    assert hear_request(ask("claro", language="pt")).asks_nothing == 1
    assert hear_request(ask("claro", "Marco para sexta?", language="pt")).asks_nothing == 0


def test_taking_back_is_heard() -> None:
    assert hear_request(ask("undo what I did just now")).takes_back >= RATHER_SURE
