"""How alike words are in meaning, by the shipped table of their vectors."""

from __future__ import annotations

import pytest

from app.memory.likeness import likenesses


@pytest.mark.parametrize(
    ("word", "akin", "other"),
    [
        ("hide", "hidden", "kitchen"),
        ("washer", "washing", "letter"),
        ("father", "dad", "roof"),
        ("buy", "bought", "rain"),
    ],
)
def test_words_that_mean_nearly_the_same_are_more_alike_than_others(word: str, akin: str, other: str) -> None:
    [[near], [far]] = likenesses([word], [akin]), likenesses([word], [other])
    assert 0 <= far < 0.5 < near < 1


def test_each_word_is_compared_with_the_one_that_is_likest() -> None:
    alike = likenesses(["dad", "lettuce"], ["the", "father", "slept"])
    assert alike[0] > 0.5 > alike[1]


def test_the_same_word_in_another_form_is_the_same() -> None:
    assert likenesses(["repaired", "Boilers"], ["repairs", "the", "boiler"]) == [1.0, 1.0]


def test_a_word_that_no_vocabulary_has_is_like_none_and_no_words_are_like_nothing() -> None:
    assert likenesses(["boiler"], []) == [0.0]
    assert likenesses([], ["boiler"]) == []
    assert likenesses(["\U0001f600"], ["boiler"])[0] < 0.5
