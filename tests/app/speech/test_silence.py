from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from app.speech.silence import has_speech
from tests.app.speech.conftest import RATE, silence

SECONDS = np.arange(3 * RATE) / RATE
HISS = np.random.default_rng(7).normal(0, 300, 3 * RATE).astype(np.int16)
HUM = (3000 * np.sin(2 * np.pi * 50 * SECONDS)).astype(np.int16)


@pytest.mark.parametrize(
    "sound", [silence(3), HISS, HUM, silence(0), silence(0.01)], ids=["zeros", "hiss", "hum", "none", "blip"]
)
def test_nobody_speaks(sound: NDArray[np.int16]) -> None:
    assert not has_speech(sound.tobytes())


@pytest.mark.parametrize("gain", [1.0, 0.1, 0.02])
def test_a_voice_is_heard_even_when_it_is_quiet(speech: NDArray[np.int16], gain: float) -> None:
    assert has_speech((speech * gain).astype(np.int16).tobytes())


def test_a_short_word_in_a_long_silence_is_heard(speech: NDArray[np.int16]) -> None:
    word = speech[int(5.4 * RATE) : int(5.9 * RATE)]
    assert has_speech(np.concatenate([silence(20), word, silence(20)]).tobytes())


def test_a_voice_over_hiss_is_heard(speech: NDArray[np.int16]) -> None:
    assert has_speech((speech[: 3 * RATE] + HISS).tobytes())
