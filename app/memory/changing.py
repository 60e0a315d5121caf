"""What was said later of the same thing as a statement, and how likely it holds in its place: features, weighed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from agents.index.words import stems
from app.memory.fusion import Ranked
from app.memory.model.memory import Candidate, Found
from app.memory.selecting import ASKED_FOR, Selected, chance_of, chances_of, kinds_in, likeness, names_in, telling_words
from app.memory.selector_weights import CHANGING_WEIGHTS
from app.memory.wording import embedding_text, words_in

CUES = frozenset(
    "now instead longer anymore moved moves changed change cancelled cancels off all end finally rather postponed "
    "pushed back swapped switched new gave decided agreed final until else up down".split()
)
"""Words that people tell a change with; how much they say is learned."""

MIN_LOG_ODDS = -5.0
"""Logarithm of the odds that something answers which no search for the question brings."""


def later_statements(question: str, best: Candidate, found: Found, asked: Found) -> list[Selected]:
    """Return what was said after a statement, in another breath, with the chance that it holds in its place.

    ``found`` are the units nearest to the statement, their ``dense`` says how near; ``asked`` those to the question.
    """
    others = [one for one in found.candidates if is_later(best, one)]
    rows = list(change_features(question, best, others, asked))
    made = [Selected(Ranked(one, 0.0), chance_of(row, CHANGING_WEIGHTS)) for one, row in zip(others, rows, strict=True)]
    return sorted(made, key=lambda one: -one.chance)


def is_later(best: Candidate, one: Candidate) -> bool:
    """Return whether something was said after a statement, and not in the same document."""
    return one.captured_at > best.captured_at and (one.source, one.document) != (best.source, best.document)


def change_features(question: str, best: Candidate, others: Sequence[Candidate], asked: Found) -> Iterator[list[float]]:
    """Yield what tells for each later statement whether it holds instead."""
    wanted, said = telling_words(question), set(stems(best.unit.text))
    kinds_asked = [bool(words_in(question) & words) for words in ASKED_FOR.values()]
    told, named = kinds_in(best.unit.text), names_in(best.unit.text)
    answering = _likelihoods(question, asked, [best, *others])
    nearest = max((one.dense or 0.0 for one in others), default=0.0)
    for one in others:
        own = set(stems(one.unit.text))
        kinds = kinds_in(one.unit.text)
        fits = [has for is_asked, has in zip(kinds_asked, kinds, strict=True) if is_asked]
        lacking = [before and not has for before, has in zip(told, kinds, strict=True)]
        yield [
            one.dense or 0.0,
            (one.dense or 0.0) - nearest,
            answering.get(one.id, MIN_LOG_ODDS),
            answering.get(one.id, MIN_LOG_ODDS) - answering.get(best.id, MIN_LOG_ODDS),
            len(wanted & own) / max(1, len(wanted)),
            len(said & own) / max(1, len(said)),
            len(said & own & wanted) / max(1, len(said & wanted)),
            float(not named.isdisjoint(names_in(one.unit.text))),
            *likeness(question, embedding_text(one.unit)),
            float(not CUES.isdisjoint(words_in(one.unit.text))),
            float(any(fits)),
            float(bool(fits) and not any(fits)),
            float(any(lacking)),
            math.log(len(one.unit.text) / len(best.unit.text)),
        ]


def _likelihoods(question: str, asked: Found, some: Sequence[Candidate]) -> dict[int, float]:
    """How likely some units answer, as logarithms of the odds, as far as the search for the question brought them."""
    ids = {one.id for one in some}
    brought = [one for one in asked.candidates if one.id in ids]
    chances = chances_of(question, asked, brought)
    return {
        one.id: max(MIN_LOG_ODDS, math.log(chance / (1 - chance))) for one, chance in zip(brought, chances, strict=True)
    }
