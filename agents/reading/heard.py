"""A message with the scores of its words: what a part of it asks for, and what all of it says."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.reading.decoding import Scores, act_chances, act_shares, best_path, decode_scores, logarithms, runs_of
from agents.reading.encoder import Encoder
from agents.reading.flags import flag_words
from agents.reading.labels import CUTS, LABEL_COUNT
from agents.reading.lengths import length_in, with_whole_lengths
from agents.reading.reading import Reading
from agents.reading.rows import MessageSurroundings, row_of
from agents.reading.words import LONGEST_NAME, Span, split_words, telling
from agents.time import Clock, find_times

HEAD = 12
"""Words of a long clause that stand before each further part of it."""


@dataclass(frozen=True)
class Heard:
    """The words of a message that were read, the scores [words, SIZE] of them, and where lengths of time stand."""

    text: str
    words: Sequence[Span]
    scores: Scores
    lengths: Sequence[Span] = ()

    @cached_property
    def reading(self) -> Reading:
        """Its clauses."""
        return with_whole_lengths(decode_scores(self.text, self.words, self.scores), self.lengths)

    def chances(self, part: str) -> dict[str, float] | None:
        """How probable each act is for a part, as it stands there; None where no word of the message stands in it."""
        at = self.text.find(part)
        inside = [n for n, (start, end) in enumerate(self.words) if at <= start and end <= at + len(part)]
        return act_chances(self.scores[inside]) if inside and at >= 0 else None

    def shares(self, start: int, end: int) -> dict[str, float]:
        """How much of the words between two characters each act has: the mean of what it has of each word."""
        inside = [n for n, span in enumerate(self.words) if start <= span[0] and span[1] <= end]
        return act_shares(self.scores[inside]) if inside else {}


def hear(
    text: str, clock: Clock, names: Mapping[str, Container[object]], after: MessageSurroundings, encoder: Encoder
) -> Heard:
    """Return a message as it is heard after something; ``names`` are the words of what the user has stored, by flag."""
    words = split_words(text)
    times = find_times(text, clock)
    flags = flag_words(text, words, times, {**names, "aside": telling(" ".join(after.aside)[:LONGEST_NAME])})

    def score(places: Sequence[int]) -> Scores:
        row = row_of(text, [words[at] for at in places], [flags[at] for at in places], after, encoder)
        return encoder.scores(row)

    parts = [_score_in_parts(places, score) for places in blocks_of(text, words)]
    lengths = [span for found in times if (span := length_in(text, found, clock))]
    return Heard(text, words, np.concatenate([np.zeros((0, LABEL_COUNT), np.float32), *parts]), lengths)


def blocks_of(text: str, words: Sequence[Span]) -> list[range]:
    """Return the places of the words that are read together: a line, or one that ends with a colon and all below it."""
    blocks, begin, headed = list[range](), 0, False
    for at, (start, end) in enumerate(words):
        if text[start] != "\n":
            continue
        headed = end - start == 1 and (headed or text[slice(*words[at - 1])] == ":")
        if not headed:
            blocks.append(range(begin, at + 1))
            begin = at + 1
    return [block for block in (*blocks, range(begin, len(words))) if block]


def _score_in_parts(places: range, score: Callable[[Sequence[int]], Scores]) -> Scores:
    """Return the scores of words of which not all may be read at once.

    Each part begins with a clause, as the last one of a part may be cut off. One that is longer than a part goes on in
    the next part behind its first words, which tell what it is.
    """
    parts, head = list[Scores](), range(0)
    while True:
        scores = score([*head, *places])
        fresh = scores[len(head) :]
        if len(fresh) == len(places):
            return np.concatenate([*parts, fresh])
        begin = _last_begin(scores) - len(head)
        head = range(0) if begin > 0 else head or places[:HEAD]
        parts.append(fresh[:begin] if begin > 0 else fresh)
        places = places[len(parts[-1]) :]


def _last_begin(scores: Scores) -> int:
    """Return where the last clause begins."""
    runs = runs_of(best_path(logarithms(scores[:, : len(CUTS)]), CUTS), CUTS)
    return runs[-1][0] if runs else 0
