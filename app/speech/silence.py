"""The silence gate: whether a clip holds anything that an engine should hear."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from pocketsphinx import Vad

from app.speech.limits import SAMPLE_RATE

FRAME_MS = 30
FRAME_BYTES = SAMPLE_RATE * FRAME_MS // 1000 * 2

QUIET_PEAK = 64
"""Loudest sample of a frame that is still silence: -54 dBFS of 16-bit audio."""

STEADY_RATIO = 1.8
"""Loud frames over quiet frames (peaks); speech lies above 10, hum and hiss below this."""

SHORTEST_SPEECH_MS = 120


def has_speech(pcm: bytes) -> bool:
    """Whether 16 kHz mono s16le audio holds speech; leans to yes, since an engine can still hear nothing."""
    peaks: list[int] = []
    spoken = 0
    vad = Vad(Vad.MEDIUM_LOOSE, SAMPLE_RATE, FRAME_MS / 1000)
    for frame in _frames(pcm):
        peak = _peak(frame)
        peaks.append(peak)
        spoken += peak > QUIET_PEAK and vad.is_speech(frame)
    return spoken * FRAME_MS >= SHORTEST_SPEECH_MS and not _is_steady(peaks)


def _frames(pcm: bytes) -> Iterator[bytes]:
    for start in range(0, len(pcm) - FRAME_BYTES + 1, FRAME_BYTES):
        yield pcm[start : start + FRAME_BYTES]


def _peak(frame: bytes) -> int:
    samples = array("h", frame)
    lowest, highest = min(samples), max(samples)
    return max(highest, -lowest)


def _is_steady(peaks: list[int]) -> bool:
    ordered = sorted(peaks)
    quiet, loud = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
    return loud < STEADY_RATIO * quiet
