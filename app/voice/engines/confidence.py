"""How sure a transcript is, from 0 to 1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the children that hear with whisper would load half of the server with it
    from app.voice.model import Segment

DOUBTFUL_SILENCE = 0.6
"""Above this no_speech_prob whisper itself begins to doubt that somebody spoke."""

IMPROBABLE = -1.0
REPETITIVE = 2.4
"""avg_logprob and compression ratio at which whisper itself tries again."""

HABITS = frozenset({"you", "thank you", "thank you very much", "thanks for watching", "thank you for watching", "bye"})
"""What whisper, which learned from subtitles, says of music and noise."""


def from_logprob(avg_logprob: float, no_speech_prob: float, compression_ratio: float = 1.0) -> float:
    """Geometric mean of whisper's token probabilities, lowered when it doubts that this was speech, or goes in circles.

    A text that goes in circles compresses well; it is doubted and never left out, since people do repeat themselves.
    """
    doubt = no_speech_prob if no_speech_prob > DOUBTFUL_SILENCE else 0.0
    circles = min(1.0, (REPETITIVE / compression_ratio) ** 2) if compression_ratio else 1.0
    return min(1.0, math.exp(avg_logprob)) * (1 - doubt) * circles


def is_invented(text: str, avg_logprob: float, no_speech_prob: float) -> bool:
    """Whether whisper made this up: where nobody seems to speak, improbable words or those it always says then."""
    return no_speech_prob > DOUBTFUL_SILENCE and (avg_logprob < IMPROBABLE or text.strip(" .!").lower() in HABITS)


def overall(segments: list[Segment]) -> float | None:
    """Mean confidence of the segments by their length; None when one of them has none."""
    total = weighted = 0.0
    for segment in segments:
        if segment.confidence is None:
            return None
        length = max(1, segment.end_ms - segment.start_ms)
        total += length
        weighted += segment.confidence * length
    return weighted / total if total else None
