"""The sound of an m4a whose end is missing, and with it the index that says where each frame lies.

Recorders write that index last. Without it the frames of AAC still follow each other, and a decoder finds their ends by
itself, but not how fast they are played: each family of rates has tables of its own, and frames that are read by the
wrong tables soon make no sense. So the family is that which most can be read with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import av
from av.audio.frame import AudioFrame

MOST_BYTES = 4 * 1024 * 1024
"""Of sound that is read like this: it lies in memory as a whole, decoded."""
RATES = {4: 44_100, 6: 24_000, 8: 16_000, 11: 8_000, 5: 32_000}
"""The usual rate of each family, by its number in the description of a stream; the likeliest one first."""
LOW_COMPLEXITY = 2
BOX_HEADER = 8
LARGE_SIZE_MARK = 1


def frames_without_index(clip: IO[bytes]) -> list[AudioFrame]:
    """What can be read of the sound in a cut mp4; nothing where it has an index, or sound of another kind."""
    sound = _sound(clip)
    return max((_decode(sound, number) for number in RATES), key=_seconds, default=[]) if sound else []


def _sound(clip: IO[bytes]) -> bytes:
    """The bytes of the box of sound; none where the index was written before it."""
    clip.seek(0)
    for name, size in _boxes(clip):
        if name == b"moov":
            break
        if name == b"mdat":
            return clip.read(min(size, MOST_BYTES) if size else MOST_BYTES)
    return b""


def _boxes(clip: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """The name of each box and how many bytes it has, 0 for as many as there are; the file stands at the first one."""
    while len(header := clip.read(BOX_HEADER)) == BOX_HEADER:
        size, begun = int.from_bytes(header[:4], "big"), BOX_HEADER
        if size == LARGE_SIZE_MARK:
            size, begun = int.from_bytes(clip.read(8), "big"), 2 * BOX_HEADER
        behind = clip.tell() + max(size - begun, 0)
        yield header[4:], max(size - begun, 0)
        clip.seek(behind)


def _decode(sound: bytes, number: int) -> list[AudioFrame]:
    decoder = av.CodecContext.create("aac", "r")
    decoder.extradata = (LOW_COMPLEXITY << 11 | number << 7 | 1 << 3).to_bytes(2, "big")
    try:
        return [frame for frame in decoder.decode(av.Packet(sound)) if isinstance(frame, AudioFrame)]
    except av.error.FFmpegError:
        return []


def _seconds(frames: list[AudioFrame]) -> int:
    return sum(frame.samples for frame in frames)
