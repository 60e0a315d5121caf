"""How telling each word of a question is, and which of them bring candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_CANDIDATES = 1000
"""Units that the candidates' words may have in all: rare words first, so that a common one never floods the search."""

WINDOW_UNITS = 5
"""Units in whose document a word stands: its own and two on either side."""

MIN_COUNTED_UNITS = 500
"""Units from which on their number counts."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The terms of a query with their weights; a candidate has all of ``wanted``, or with ``any_of`` one of them.

    Where words are so common that even all of them together bring too many, none is wanted, unless they are ``alone``.
    """

    weights: dict[str, float]
    wanted: list[str]
    any_of: bool


def wording(known: Mapping[str, int], units: int, *, alone: bool = False, most: int = MOST_CANDIDATES) -> Wording:
    """Weigh terms by how many of the user's units have them (BM25's inverse document frequency).

    ``alone`` says that nothing but words brings candidates.
    """
    weights = {term: idf(count, units) for term, count in known.items()}
    rarest = sorted((term for term in known if known[term]), key=lambda term: (known[term], term))
    wanted, room = [], most
    for term in rarest:
        if known[term] <= room:
            wanted.append(term)
            room -= known[term]
    if wanted:
        return Wording(weights, wanted, any_of=True)
    both = together([(term, known[term]) for term in rarest], units, most)
    return Wording(weights, both or (rarest[:2] if alone else []), any_of=False)


def together(rarest: Sequence[tuple[str, int]], units: int, most: int) -> list[str]:
    """So many of the rarest terms, two at least, that no more than ``most`` units should have all of them.

    Empty where there are more even with all terms, as far as words stand independently of each other.
    """
    expected = float(units)
    for place, (_, count) in enumerate(rarest, 1):
        expected *= min(1.0, WINDOW_UNITS * count / max(units, 1))
        if expected <= most and place > 1:
            return [term for term, _ in rarest[:place]]
    return []


def idf(count: int, units: int) -> float:
    """ln(1 + (N - n + .5) / (n + .5)), as in BM25; never negative.

    In a small memory counts say little: there each word that it has would weigh next to nothing.
    """
    units = max(units, MIN_COUNTED_UNITS)
    count = max(1, min(count, units))
    return math.log(1 + (units - count + 0.5) / (count + 0.5))
