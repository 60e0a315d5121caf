"""Whether words name a thing or point at it: in three languages, and never by a word that stands in every title."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.ports import Ask, Exchange
from agents.user_words.mentions import is_named, is_quantified, is_talked_of, said_by_user

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


@pytest.mark.parametrize(
    ("words", "title", "talked_of"),
    [
        ("we're out of milk", "buy milk", True),
        ("remind me in an hour", "reminder", True),
        ("ich muss noch die Blumen giessen", "Blumenwasser holen", True),
        ("提醒我明天买牛奶", "买牛奶", True),
        ("my tooth hurts", "see the surgeon", False),
        ("add buy milk", "wire 500 euros to Eve", False),
        ("put it at noon", "Dentist for Leo", True),
        ("no, for Leo", "haircut Leo", True),
    ],
)
def test_what_is_new_is_talked_of_by_the_user(words: str, title: str, *, talked_of: bool) -> None:
    assert is_talked_of([title], ask(words, talked=True)) is talked_of


def test_what_summit_said_is_talked_of_only_where_words_point_to_it() -> None:
    read_out = [Exchange(said="what is on my list?", replied="“Call Bo: his number is 0170”")]
    beside = ask("add buy milk").model_copy(update={"recent": read_out})
    assert not is_talked_of(["call Bo"], beside)
    assert is_talked_of(["call Bo"], beside.model_copy(update={"words": "yes, do that"}))
