"""What a message says of energy."""

from __future__ import annotations

import pytest

from agents.understanding.questions.coaching import energy_in
from agents.understanding.questions.vocabulary import words_in


@pytest.mark.parametrize(
    ("words", "energy"),
    [
        ("utterly wiped after the night shift", "low"),
        ("no energy at all", "low"),
        ("not feeling great", "low"),
        ("wide awake and raring to go", "high"),
        ("what should come next", "medium"),
    ],
)
def test_energy_is_what_the_words_say(words: str, energy: str) -> None:
    assert energy_in(words_in(words)) == energy
