"""When there is evidence enough to answer, and when it is better to say that there is none; what is too far to list."""

from __future__ import annotations

from app.memory.model.memory import Candidate, Found

IN_ONE_UNIT = 0.6079
"""What ``ts_rank`` gives a word that a unit itself has once (6 / pi squared)."""
LEAST_COVER, LEAST_MEANING = 0.3, 0.3
LEAST_EVIDENCE = 1.0
"""Of cover and meaning together; calibrated on questions asked of a memory that does not have their answer."""
LEAST_WORDS_ALONE = 0.6
LEAST_NEAR, LEAST_NEAR_BY_WORDS = 0.5, 0.3
"""The same for a result of a search: below that, the model finds texts alike that have nothing in common."""


def evidence(found: Found, one: Candidate) -> tuple[float, float | None]:
    """How much of the question's weight a unit has (about 0 to 1), and how near it is in meaning."""
    cover = one.lexical / (found.weight * IN_ONE_UNIT) if found.weight else 0.0
    return min(cover, 1.0), one.dense


def nearness(found: Found, one: Candidate) -> float:
    """How near a unit is to the words that were searched for, from 0 to 1."""
    cover, meaning = evidence(found, one)
    return cover if meaning is None else max(0.0, cover + meaning) / 2


def is_near(found: Found, one: Candidate) -> bool:
    """Whether a unit may be listed as a result."""
    cover, meaning = evidence(found, one)
    return cover >= LEAST_NEAR_BY_WORDS if meaning is None else cover + meaning >= LEAST_NEAR


def has_enough_evidence(found: Found, one: Candidate) -> bool:
    """Whether words and meaning together are enough for a unit to be told as an answer."""
    cover, meaning = evidence(found, one)
    if meaning is None:
        return cover >= LEAST_WORDS_ALONE
    return cover >= LEAST_COVER and meaning >= LEAST_MEANING and cover + meaning >= LEAST_EVIDENCE
