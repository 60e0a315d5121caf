"""What speakers take back while they speak."""

from __future__ import annotations

import pytest

from agents.understanding.text.repairs import repaired


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("book it for tuesday at two no wait wednesday", "book it for wednesday at two"),
        ("on Tuesday. No, wait, Wednesday at ten", "on Wednesday at ten"),
        ("add milk no not milk oat milk and bread", "add oat milk and bread"),
        ("buy milk no sorry oat milk", "buy oat milk"),
        ("call no text anna about saturday", "text anna about saturday"),
        ("the tyre place friday at two actually make that three", "the tyre place friday at three"),
        ("the twenty third no the twenty fourth", "the twenty fourth"),
        ("half past three no half past four", "half past four"),
        ("move it to four thirty i mean five thirty", "move it to five thirty"),
        ("invite Tom no wait Tim to the party", "invite Tim to the party"),
    ],
)
def test_words_taken_back_are_left_out(said: str, meant: str) -> None:
    assert repaired(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "oh no no no put that back",
        "no wait undo that",
        "i'm sorry i can't",
        "the dentist on monday actually can you cancel that",
        "tea with no milk no sugar",
        "water it once a week can you make that a repeating task",
    ],
)
def test_other_words_stay_as_they_are(said: str) -> None:
    assert repaired(said) == said
