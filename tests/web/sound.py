"""What the fake microphone hears."""

from __future__ import annotations

import math
import struct
import wave
from pathlib import Path

RATE, SECONDS, PITCH = 16_000, 3, 220


def write_tone(path: Path) -> None:
    """Three seconds of a tone that grows and fades, as a wav file."""
    samples = (
        int(20_000 * math.sin(2 * math.pi * PITCH * at / RATE) * abs(math.sin(3 * at / RATE)))
        for at in range(RATE * SECONDS)
    )
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
