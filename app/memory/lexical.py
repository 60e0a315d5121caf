"""How telling each word of a question is, and which of them bring candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

MOST_CANDIDATES = 1000
"""Units that the candidates' words may have in all: rare words first, so that a common one never floods the search."""

FEW = 500
"""Units from which on their number counts."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The terms of a query with their weights; a candidate has all of ``wanted``, or with ``any_of`` one of them."""

    weights: dict[str, float]
    wanted: list[str]
    any_of: bool


def wording(known: Mapping[str, int], units: int, most: int = MOST_CANDIDATES) -> Wording:
    """Weigh terms by how many of the user's units have them (BM25's inverse document frequency)."""
    weights = {term: idf(count, units) for term, count in known.items()}
    rarest = sorted((term for term in known if known[term]), key=lambda term: (known[term], term))
    wanted, room = [], most
    for term in rarest:
        if known[term] <= room:
            wanted.append(term)
            room -= known[term]
    return Wording(weights, wanted or rarest[:2], any_of=bool(wanted))


def idf(count: int, units: int) -> float:
    """ln(1 + (N - n + .5) / (n + .5)), as in BM25; never negative.

    In a small memory counts say little: there each word that it has would weigh next to nothing.
    """
    units = max(units, FEW)
    count = max(1, min(count, units))
    return math.log(1 + (units - count + 0.5) / (count + 0.5))
