"""What the fake microphone hears."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np

from tests.support.speech.sounds import RATE, silence
from tests.support.speech.voices import spoken

SAID = "Remind me to call the plumber tomorrow at nine."
REST_SECONDS = 200
"""Of silence, before the browser begins again: longer than any test listens."""


def write_speech(path: Path) -> None:
    """The command, then silence, as a wav file."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(np.concatenate([spoken(SAID), silence(REST_SECONDS)]).tobytes())
