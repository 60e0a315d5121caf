"""Quotes as short as they can be: the fewest sentences of a unit, side by side, that answer as well as all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.contract import Citation
from app.memory.citing import part_of
from app.memory.units import Span, sentences_in

MOST_SENTENCES = 2
"""So many sentences a part has at most; what needs more is quoted whole."""
LEAST_ODDS = 0.0
"""The logarithm of the odds from which on a part is rather taken for an answer than not."""


def parts_of(text: str) -> list[Span]:
    """Return the parts of a text that may be quoted for it, the shortest first; none of a single sentence."""
    sentences = list(sentences_in(text))
    lengths = range(1, min(MOST_SENTENCES, len(sentences) - 1) + 1)
    return [
        (sentences[at][0], sentences[at + more - 1][1]) for more in lengths for at in range(len(sentences) - more + 1)
    ]


def narrow(one: Citation, parts: Sequence[Span], scores: Mapping[str, float]) -> Citation:
    """Return the part of a quote that answers as well as all of it, a single sentence before two; else the quote.

    ``scores`` are the logarithms of the odds that its words, and those of each of its ``parts``, answer.
    """
    text = one.quote
    least = max(scores[text], LEAST_ODDS)
    fine = [span for span in parts if scores[text[slice(*span)]] >= least]
    fewest = min((_sentences(text, span) for span in fine), default=0)
    best = [span for span in fine if _sentences(text, span) == fewest]
    return part_of(one, *max(best, key=lambda span: scores[text[slice(*span)]])) if best else one


def _sentences(text: str, span: Span) -> int:
    return len(list(sentences_in(text, *span)))
