from __future__ import annotations

import pytest

from app.voice.engines.confidence import from_logprob, is_invented, overall
from app.voice.model import Segment


def test_confidence_is_the_mean_token_probability_unless_it_may_be_silence() -> None:
    assert from_logprob(0.0, 0.0) == 1.0
    assert from_logprob(-0.5, 0.5) == pytest.approx(0.607, abs=0.001)
    assert from_logprob(-0.5, 0.9) == pytest.approx(0.061, abs=0.001)
    assert from_logprob(0.1, 0.0) == 1.0


def test_a_long_segment_weighs_more_than_a_short_one() -> None:
    long, short = Segment(0, 3000, "a", 1.0), Segment(3000, 4000, "b", 0.2)
    assert overall([long, short]) == pytest.approx(0.8)
    assert overall([long, Segment(3000, 4000, "b", None)]) is None
    assert overall([]) is None


@pytest.mark.parametrize(
    ("text", "avg_logprob", "no_speech_prob", "invented"),
    [
        ("Yes.", -0.3, 0.1, False),
        ("Yes.", -0.82, 0.94, False),
        ("Yes.", -1.2, 0.9, True),
        ("Yes.", -1.2, 0.1, False),
        (" Thank you.", -0.82, 0.94, True),
        (" Thank you.", -0.3, 0.1, False),
    ],
    ids=["clear", "short", "nobody speaks", "mumbled", "said of music", "said by somebody"],
)
def test_what_whisper_makes_up_is_left_out(
    text: str, avg_logprob: float, no_speech_prob: float, *, invented: bool
) -> None:
    assert is_invented(text, avg_logprob, no_speech_prob) is invented


def test_words_that_go_in_circles_are_doubted_but_kept() -> None:
    assert from_logprob(-0.1, 0.0, 4.8) == pytest.approx(0.226, abs=0.001)
    assert from_logprob(-0.1, 0.0, 2.4) == from_logprob(-0.1, 0.0, 0.3)
