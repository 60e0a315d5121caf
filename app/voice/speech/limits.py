"""How much one clip may cost to decode."""

from __future__ import annotations

import math

SAMPLE_RATE = 16_000
"""Hz of all sound inside Summit; always mono, 16 bits, little-endian."""

MOST_MS_AT_ONCE = 30_000
"""Whisper hears thirty seconds at a time."""

MIB = 1024 * 1024
MEMORY_BYTES = 512 * MIB
"""Address space of the decoder, most of it its libraries; it uses about a fifth."""
PIECE_BYTES = MIB
"""It tells sound in pieces of this size."""


def cpu_seconds(max_seconds: float) -> int:
    """CPU time for the longest clip: decoding runs a few hundred times faster than speech."""
    return 20 + math.ceil(max_seconds / 20)


def pcm_bytes(seconds: float) -> int:
    """Size of that much decoded sound."""
    return int(seconds * SAMPLE_RATE) * 2


def milliseconds(pcm: bytes) -> int:
    """Length of decoded sound."""
    return len(pcm) // 2 * 1000 // SAMPLE_RATE
