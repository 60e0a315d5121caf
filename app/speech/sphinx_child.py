"""The child that runs pocketsphinx with the US English model of its own package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pocketsphinx import Decoder

from app.speech.engine_child import Heard, Recognize, serve
from app.speech.limits import SAMPLE_RATE

FRAME_MS = 10
SENTENCE_PAUSE_MS = 500
ALTERNATIVE = re.compile(r"\(\d+\)$")
"""The dictionary names a second pronunciation ``for(2)``."""

FILLERS = ("<", "[", "+")
"""First letters of what the model hears besides words: silence, breath, noise."""


class Word(NamedTuple):
    """A word with its place in ms and its posterior probability."""

    text: str
    start_ms: int
    end_ms: int
    probability: float


def load() -> Recognize:
    """A recognizer for clips of 16 kHz mono s16le."""
    decoder = Decoder(samprate=SAMPLE_RATE, loglevel="FATAL")

    def recognize(pcm: bytes) -> Heard:
        # What one clip taught the decoder about its microphone must not change the next transcript.
        decoder.reinit_feat()
        decoder.start_utt()
        decoder.process_raw(pcm, full_utt=True)
        decoder.end_utt()
        segments = [_segment(words) for words in sentences(_words(decoder))]
        text = " ".join(text for _, _, text, _ in segments)
        return {"text": text, "language": "en", "segments": segments}

    return recognize


def sentences(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Words that follow one another without a pause of half a second."""
    together: list[Word] = []
    for word in words:
        if together and word.start_ms - together[-1].end_ms >= SENTENCE_PAUSE_MS:
            yield together
            together = []
        together.append(word)
    if together:
        yield together


def _words(decoder: Decoder) -> Iterator[Word]:
    for part in decoder.seg() or ():
        if not part.word.startswith(FILLERS):
            start, end = part.start_frame * FRAME_MS, (part.end_frame + 1) * FRAME_MS
            yield Word(ALTERNATIVE.sub("", part.word), start, end, min(1.0, part.prob))


def _segment(words: list[Word]) -> tuple[int, int, str, float]:
    confidence = sum(word.probability for word in words) / len(words)
    return words[0].start_ms, words[-1].end_ms, " ".join(word.text for word in words), confidence


if __name__ == "__main__":
    serve(load)
