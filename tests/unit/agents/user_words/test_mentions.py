"""Whether words name a thing or point at it: in three languages, and never by a word that stands in every title."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.ports import Ask, Exchange
from agents.user_words.mentions import is_named, is_quantified, said_by_user

AT = datetime(2026, 11, 18, tzinfo=UTC)
RECENT = [Exchange(said="move the dentist", replied="Which one: “Dentist” or “Dentist for Leo”?")]


def ask(words: str, *, talked: bool = False) -> Ask:
    return Ask(text=words, words=words, at=AT, timezone="UTC", recent=RECENT if talked else [])


@pytest.mark.parametrize(
    ("words", "title", "named"),
    [
        ("cancel the dentist", "Dentist for Leo", True),
        ("lösch den Zahnarzt", "Zahnarzt", True),
        ("cancel the plumber", "Dentist for Leo", False),
        ("thanks for the help", "A note for the help desk", True),
        ("thanks", "the one", False),
    ],
)
def test_a_word_that_tells_names(words: str, title: str, *, named: bool) -> None:
    assert is_named(title, ask(words)) is named


@pytest.mark.parametrize(
    ("words", "title", "named"),
    [
        ("bitte Friseurtermin streichen", "Friseur", True),
        ("Kinderzahnarzt bitte absagen", "Zahnarzt Mia", True),
        ("Kinoabend fällt aus", "Kino mit Sarah", True),
        ("Zahnarzt bitte absagen", "Zahnarzttermin", True),
        ("Termin bitte absagen", "Zahnarzttermin", False),
        ("über Mittag keine Zeit", "Beitrag überweisen", False),
        ("Mitternacht passt", "Kino mit Sarah", False),
    ],
)
def test_a_word_within_a_longer_one_names_where_words_are_joined(words: str, title: str, *, named: bool) -> None:
    said = ask(words)
    assert is_named(title, said.model_copy(update={"language": "de"})) is named
    assert not is_named(title, said)


@pytest.mark.parametrize("words", ["cancel it", "the second one", "lösch das", "apaga isso", "yes", "no. 2"])
def test_a_pointer_names_what_the_dialogue_is_about(words: str) -> None:
    assert is_named("Dentist for Leo", ask(words, talked=True))
    assert not is_named("Dentist for Leo", ask(words))
    assert is_named("Dentist for Leo", ask(words), talked_of=True)


def test_words_without_a_pointer_name_nothing_that_was_talked_of() -> None:
    assert not is_named("Dentist for Leo", ask("add buy milk", talked=True))


@pytest.mark.parametrize(("words", "several"), [("delete both", True), ("alle weg", True), ("delete the gym", False)])
def test_some_words_mean_several(words: str, *, several: bool) -> None:
    assert is_quantified(words) is several


def test_what_the_user_said_is_theirs_and_what_was_replied_is_not() -> None:
    said = ask("my dog is Rex", talked=True)
    assert said_by_user(["Rex"], said)
    assert said_by_user(["the dentist"], said)
    assert not said_by_user(["Leo"], said)
