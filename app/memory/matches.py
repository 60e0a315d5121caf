"""The results of a search: what is near, each thing once with every place where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from app.memory.citing import cited
from app.memory.floors import is_near, nearness
from app.memory.fusion import Ranked
from app.memory.wording import WORD
from app.ports.memory import Found, Match, Place


def matches(found: Found, order: Sequence[Ranked]) -> list[Match]:
    """Return those of a ranking that are near, in its order.

    The score of the best is how near it is, and those of the others are in proportion to their place in the ranking.
    """
    near = [one for one in order if is_near(found, one.candidate)]
    if not near:
        return []
    unit = nearness(found, near[0].candidate) / (near[0].score or 1.0)
    return [_match(same, unit, near[0]) for same in _grouped(near)]


def _match(same: Sequence[Ranked], unit: float, best: Ranked) -> Match:
    score = round(min(1.0, unit * (same[0].score if best.score else 1.0)), 3)
    places = dict.fromkeys(Place(one.candidate.source, one.candidate.document) for one in same)
    return Match(cited(same[0]), score, list(places))


def _grouped(near: Sequence[Ranked]) -> Iterable[list[Ranked]]:
    """Those with the same words together, each group at the place of its best."""
    groups = defaultdict[str, list[Ranked]](list)
    for one in near:
        groups[" ".join(WORD.findall(one.candidate.unit.text.casefold()))].append(one)
    return groups.values()
