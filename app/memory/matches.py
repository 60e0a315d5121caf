"""The results of a search: what is near, each thing once with every place where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate

from app.memory.floors import is_near, nearness
from app.memory.fusion import Ranked
from app.memory.model.memory import DocumentRef, Found, Match
from app.memory.wording import WORD


def matches(found: Found, order: Sequence[Ranked]) -> list[Match]:
    """Return those of a ranking that are near, in its order.

    Neighbours, dates and speakers count in a ranking, too: a score is how near words and meaning are, or that of the
    result before it where that is less.
    """
    groups = _group_by_words([one for one in order if is_near(found, one.candidate)])
    near = [(same, min(1.0, nearness(found, same[0].candidate))) for same in groups]
    falling = accumulate((score for _, score in near), min)
    return [_match(same, score) for (same, _), score in zip(near, falling, strict=True)]


def _match(same: Sequence[Ranked], score: float) -> Match:
    places = dict.fromkeys(DocumentRef(one.candidate.source, one.candidate.document) for one in same)
    return Match(same[0].citation, round(score, 3), list(places))


def _group_by_words(near: Sequence[Ranked]) -> Iterable[list[Ranked]]:
    """Those with the same words together, each group at the place of its best."""
    groups = defaultdict[str, list[Ranked]](list)
    for one in near:
        groups[" ".join(WORD.findall(one.candidate.unit.text.casefold()))].append(one)
    return groups.values()
