"""How probable each intent is, by multinomial logistic regression over hashed features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import exp

from agents.understanding.model.features import features
from agents.understanding.model.packing import COEFFICIENTS, Coefficients, unpack


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest intent, how sure that is, and the probability of each."""

    label: str
    sure: float
    chances: dict[str, float]


@cache
def coefficients() -> Coefficients:
    """The shipped coefficients, read once when they are first needed."""
    return unpack(files(__package__).joinpath(COEFFICIENTS).read_bytes())


@lru_cache(maxsize=256)
def guess(text: str) -> Guess:
    """What a clause wants, as far as words alone tell; probabilities add up to 1."""
    chances = scored(text, coefficients())
    label = max(chances, key=lambda name: chances[name])
    return Guess(label, chances[label], chances)


def scored(text: str, known: Coefficients) -> dict[str, float]:
    """The probability of each label of a model; they add up to 1."""
    filled = features(text)
    width = len(known.labels)
    rows = [known.rows[bucket * width : (bucket + 1) * width] for bucket in filled]
    scale = known.unit / max(len(filled), 1) ** 0.5
    offset = 128 * len(filled)
    scores = [(sum(column) - offset) * scale for column in zip(*rows, strict=True)] or [0.0] * width
    top = max(scores)
    raised = [exp(score - top) for score in scores]
    total = sum(raised)
    return {label: value / total for label, value in zip(known.labels, raised, strict=True)}
