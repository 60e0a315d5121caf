"""A message with the scores of its words: what a part of it asks for, and what all of it says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.reading.decoding import Scores, act_chances, best_path, decoded, logarithms, runs_of
from agents.reading.encoder import Encoder
from agents.reading.flags import flagged
from agents.reading.labels import CUTS, SIZE
from agents.reading.reading import Reading
from agents.reading.rows import Surroundings, row_of
from agents.reading.words import Span, split_words
from agents.time import Clock


@dataclass(frozen=True)
class Heard:
    """The words of a message that were read, and the scores [words, SIZE] of them."""

    text: str
    words: Sequence[Span]
    scores: Scores

    @cached_property
    def reading(self) -> Reading:
        """Its clauses."""
        return decoded(self.text, self.words, self.scores)

    def chances(self, part: str) -> dict[str, float] | None:
        """How probable each act is for a part, as it stands there; None where no word of the message stands in it."""
        at = self.text.find(part)
        inside = [n for n, (start, end) in enumerate(self.words) if at <= start and end <= at + len(part)]
        return act_chances(self.scores[inside]) if inside and at >= 0 else None


def hear(text: str, clock: Clock, names: Mapping[str, Iterable[str]], after: Surroundings, encoder: Encoder) -> Heard:
    """Return a message as it is heard after something; ``names`` are what the user has stored, by flag.

    A long one is read in parts, each from the beginning of a clause.
    """
    words = split_words(text)
    flags = flagged(text, words, clock, {**names, "aside": [" ".join(after.aside)]})
    parts, begin = [np.zeros((0, SIZE), np.float32)], 0
    while begin < len(words):
        row = row_of(text, words[begin:], flags[begin:], after, encoder)
        scores = encoder.scores(row)
        ended = begin + len(scores) == len(words)
        parts.append(scores if ended else scores[: _last_begin(scores)])
        begin += len(parts[-1])
    return Heard(text, words, np.concatenate(parts))


def _last_begin(scores: Scores) -> int:
    """Return where the last clause begins, which may be cut off: it is read again with what follows it."""
    runs = runs_of(best_path(logarithms(scores[:, : len(CUTS)]), CUTS), CUTS)
    return runs[-1][0] if len(runs) > 1 else len(scores)
