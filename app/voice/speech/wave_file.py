"""Sound as a wave file, which every program reads."""

from __future__ import annotations

import io
import wave

from app.voice.speech.limits import SAMPLE_RATE


def as_wav(pcm: bytes) -> bytes:
    """Sound as a file that every player knows."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        file.writeframes(pcm)
    return out.getvalue()
