"""The silence gate: where in a clip somebody speaks, by Silero's voice activity detection."""

from __future__ import annotations

from collections.abc import Iterator

from app.voice.engines.engine_process import EngineProcess
from app.voice.speech.limits import pcm_bytes

Span = tuple[int, int]
"""Start and end in milliseconds."""

BLOCK_SECONDS = 300
"""Longest stretch looked at together; an hour at once would need a gigabyte."""

GAP_MS = 400
"""Between these, speech goes on."""


async def spoken_spans(process: EngineProcess, pcm: bytes) -> list[Span]:
    """Where somebody speaks in 16 kHz mono s16le sound, with a little room around; raises SpeechFailed."""
    spans: list[Span] = []
    for number, block in enumerate(_blocks(pcm)):
        offset = number * BLOCK_SECONDS * 1000
        found = await process.ask({"work": "spans"}, block)
        spans += [(start + offset, end + offset) for start, end in found["spans"]]
    return spans


def pieces(spans: list[Span], most_ms: int) -> Iterator[Span]:
    """Neighbouring spans together, as long as a piece is at most ``most_ms`` long: cut where nobody speaks."""
    start = end = None
    for begin, stop in spans:
        if start is None or end is None or stop - start > most_ms:
            if start is not None and end is not None:
                yield start, end
            start = begin
        end = stop
    if start is not None and end is not None:
        yield start, end


def cut(pcm: bytes, span: Span) -> bytes:
    """The sound of a span."""
    start, end = (pcm_bytes(ms / 1000) for ms in span)
    return pcm[start:end]


def _blocks(pcm: bytes) -> Iterator[bytes]:
    size = pcm_bytes(BLOCK_SECONDS)
    for start in range(0, len(pcm), size):
        yield pcm[start : start + size]
