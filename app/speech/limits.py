"""How much one clip may cost to decode."""

from __future__ import annotations

import math

SAMPLE_RATE = 16_000
"""Hz of all sound inside Summit; always mono, 16 bits, little-endian."""

MOST_MS_AT_ONCE = 30_000
"""Whisper hears thirty seconds at a time."""

MIB = 1024 * 1024
LIBRARIES_BYTES = 512 * MIB


def cpu_seconds(max_seconds: float) -> int:
    """CPU time for the longest clip: decoding runs a few hundred times faster than speech."""
    return 20 + math.ceil(max_seconds / 20)


def memory_bytes(max_seconds: float) -> int:
    """Address space for the libraries and the copies of the longest clip."""
    return LIBRARIES_BYTES + 4 * pcm_bytes(max_seconds)


def pcm_bytes(seconds: float) -> int:
    """Size of that much decoded sound."""
    return int(seconds * SAMPLE_RATE) * 2


def milliseconds(pcm: bytes) -> int:
    """Length of decoded sound."""
    return len(pcm) // 2 * 1000 // SAMPLE_RATE
