"""Pauses and thinking aloud inside what is said."""

from __future__ import annotations

import pytest

from agents.understanding.text.hesitation import paused, unhesitating


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("new list called party food um crisps and cake", "new party food list: crisps and cake"),
        ("idea um we could rent a boat", "idea: we could rent a boat"),
        ("right for the hospital bag um socks and a towel", "add socks and a towel to the hospital bag"),
        ("new list called camping with tent, stove and torches", None),
        ("for the party um can you order a cake", None),
    ],
)
def test_a_pause_sets_a_name_apart(said: str, meant: str | None) -> None:
    assert paused(said) == (meant or said)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("remind me to um what was it oh yeah to ring the bank", "remind me to ring the bank"),
        ("it's two hours by the way not three", "it's two hours not three"),
        ("that's done, and, can you move the tasting", "that's done, and can you move the tasting"),
        ("note down what was it like", None),
    ],
)
def test_thinking_aloud_is_left_out(said: str, meant: str | None) -> None:
    assert unhesitating(said) == (meant or said)
