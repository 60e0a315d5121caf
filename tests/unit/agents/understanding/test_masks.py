"""Words that differ only in a day, a number or an occasion share features under their masks."""

from __future__ import annotations

import pytest

from agents.understanding.model.features import features, words
from agents.understanding.model.masks import gathered, masked


@pytest.mark.parametrize(
    ("text", "gathers"),
    [
        ("what is on november twenty first", "what is on @when"),
        ("gym at 6 pm on friday", "@event at @when on @when"),
        ("polish the boots", "polish the boots"),
    ],
)
def test_runs_of_time_words_are_one(text: str, gathers: str) -> None:
    assert " ".join(gathered(masked(words(text)))) == gathers


def test_masks_bring_phrases_closer() -> None:
    one, other, plain = (set(features(text)) for text in ("is may 3 free", "is july 9 free", "is granny free"))
    assert len(one & other) > len(one & plain)
