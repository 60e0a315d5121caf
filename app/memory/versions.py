"""What was said of one thing at several times: what holds now, what was said before, and what may have changed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from app.memory.fusion import Ranked
from app.memory.selecting import Selected

LEAST_ALIKE = 0.5
"""From which on two sentences that answer a question are about one thing (cosine)."""
AS_COVERING = 0.9
"""Share of the best answer's score by words that another one to the same has, where meanings are not compared."""
AS_LIKELY = 0.6
"""Share of the best chance that further statements have which hold in place of an earlier one."""
MAY_CHANGE = 0.5
"""Share of the chance from which on a later statement holds, from which on it is told that it may."""


@dataclass(frozen=True, slots=True)
class Versions:
    """``latest`` holds, ``before`` are older ones, the latest first; ``later`` may change what the latest says.

    ``others`` answer as well.
    """

    latest: Ranked
    before: Sequence[Ranked]
    later: Ranked | None
    others: Sequence[Ranked]

    @property
    def all(self) -> list[Ranked]:
        """Return all of them as they are told."""
        later = [self.later] if self.later else []
        return [self.latest, *self.before, *later, *self.others]


def versions_of(
    likely: Sequence[Ranked], alike: Mapping[int, float], since: Sequence[Selected], mark: float
) -> Versions:
    """Return how the likeliest answers, the best first, and what was said ``since`` the best one follow each other.

    ``alike`` tells by ids how near others are to the best in meaning; where that is not known, words decide. From the
    chance ``mark`` on a later statement holds.
    """
    best, *rest = likely
    same = [one for one in rest if _is_elsewhere(best, one) and _is_same(best, one, alike)]
    least = max(mark, AS_LIKELY * max((one.chance for one in since), default=0.0))
    holding = [one.ranked for one in since if one.chance >= least]
    one_thing = {_key(one): one for one in [*holding, *same, best]}
    latest = max([best, *(holding if alike else same)], key=_moment)
    perhaps = [one.ranked for one in since if one.chance >= MAY_CHANGE * mark]
    later = None if holding else next(iter(perhaps), None)
    before = sorted((one for one in one_thing.values() if _moment(one) < _moment(latest)), key=_moment, reverse=True)
    told = {_key(one) for one in [latest, *before, *([later] if later else [])]}
    return Versions(latest, before, later, [one for one in rest if _key(one) not in told])


_moment = attrgetter("candidate.captured_at")


def _key(one: Ranked) -> tuple[str, str, int]:
    return one.candidate.source, one.candidate.document, one.candidate.unit.place


def _is_elsewhere(best: Ranked, one: Ranked) -> bool:
    """Return whether it is said in another breath: sentences of one recording go together."""
    return (best.candidate.source, best.candidate.document) != (one.candidate.source, one.candidate.document)


def _is_same(best: Ranked, one: Ranked, alike: Mapping[int, float]) -> bool:
    if alike:
        return alike.get(one.candidate.id, 0.0) >= LEAST_ALIKE
    return one.candidate.lexical >= AS_COVERING * best.candidate.lexical > 0
