"""What was said of one thing at several times: the latest holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from app.memory.fusion import Ranked

LEAST_ALIKE = 0.6
"""From which on two sentences are most likely about one thing (cosine)."""
AS_NEAR, AS_COVERING = 0.75, 0.9
"""Shares of the best answer's nearness in meaning, and of its score by words, that another answer to the same has."""


@dataclass(frozen=True, slots=True)
class Versions:
    """``latest`` holds, ``before`` are older ones, the latest first; ``later`` may change what the latest says."""

    latest: Ranked
    before: Sequence[Ranked]
    later: Ranked | None


def versions_of(best: Ranked, order: Sequence[Ranked], fit: Sequence[Ranked], alike: Mapping[int, float]) -> Versions:
    """Return what was said of the same thing as the best answer, of a ranking and of what in it ``fit`` to answer.

    ``alike`` tells by ids how near others are to the best in meaning; where that is not known, words decide.
    """
    others = [one for one in order if _is_elsewhere(best, one)]
    same = [one for one in others if _is_same(best, one, alike)]
    latest, *before = sorted([best, *same], key=_moment, reverse=True)
    after = [one for one in fit if one in others and one not in same and _moment(one) > _moment(latest)]
    likely = [one for one in after if _covers_as_much(best, one) and _is_as_near(best, one)]
    return Versions(latest, before, max(likely, key=_moment, default=None))


_moment = attrgetter("candidate.captured_at")


def _is_elsewhere(best: Ranked, one: Ranked) -> bool:
    """Whether it is said in another breath: sentences of one recording go together."""
    return (best.candidate.source, best.candidate.document) != (one.candidate.source, one.candidate.document)


def _is_same(best: Ranked, one: Ranked, alike: Mapping[int, float]) -> bool:
    near = alike.get(one.candidate.id)
    return _covers_as_much(best, one) if near is None else near >= LEAST_ALIKE and _is_as_near(best, one)


def _covers_as_much(best: Ranked, one: Ranked) -> bool:
    """Whether it has as much of the question's words."""
    return one.candidate.lexical >= AS_COVERING * best.candidate.lexical > 0


def _is_as_near(best: Ranked, one: Ranked) -> bool:
    return (one.candidate.dense or 0.0) >= AS_NEAR * (best.candidate.dense or 0.0)
