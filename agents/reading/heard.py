"""A message with the scores of its words: what a part of it asks for, and what all of it says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agents.reading.decoding import Scores, act_chances, decoded
from agents.reading.encoder import Encoder
from agents.reading.flags import flagged
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
    """Return a message as it is heard after something; ``names`` are what the user has stored, by flag."""
    words = split_words(text)
    known = {**names, "aside": [" ".join(after.aside)]}
    row = row_of(text, words, flagged(text, words, clock, known), after, encoder)
    return Heard(text, words[: len(row.first)], encoder.scores(row))
