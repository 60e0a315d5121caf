"""Sentences that speech runs together."""

from __future__ import annotations

import pytest

from agents.understanding.text.run_on import parted, unreasoned


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "the roofers have just rung they can't do seven tomorrow they're coming at nine instead",
            ["the roofers have just rung", "they can't do seven tomorrow", "they're coming at nine instead"],
        ),
        ("the barber's been paid the lamp is working again", ["the barber's been paid", "the lamp is working again"]),
        ("post the parcel and the rent is paid", ["post the parcel", "the rent is paid"]),
        ("no choir on friday the hall is flooded", ["no choir on friday", "the hall is flooded"]),
    ],
)
def test_told_sentences_are_parted(said: str, parts: list[str]) -> None:
    assert parted(said).split(". ") == parts


@pytest.mark.parametrize(
    "said",
    [
        "i think they're coming at nine",
        "remind me to check that the door is locked and the gate is paid",
        "the man who said he's away rang",
        "i don't know what they've decided",
    ],
)
def test_what_belongs_together_stays_whole(said: str) -> None:
    assert parted(said) == said


def test_a_reason_for_moving_something_is_no_request() -> None:
    assert unreasoned("move the choir to monday cause the hall is flooded") == "move the choir to monday"
    assert unreasoned("cancel the choir because i'm ill and add buy lemons") == "cancel the choir and add buy lemons"
