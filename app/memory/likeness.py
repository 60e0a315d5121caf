"""How alike words are in meaning: by a short vector for each piece of the vocabulary (``python -m training.words``)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from agents.index.words import stems
from agents.reading.encoder import load_encoder

TABLE = "words.npy"
KEPT_WORDS = 20_000
LEAST_LENGTH = 1e-6
Array = np.ndarray[Any, np.dtype[np.float32]]


def likenesses(wanted: Sequence[str], own: Sequence[str]) -> list[float]:
    """Return for each wanted word how alike the likest of some others is, from 0 to 1, which another form of it is."""
    if not wanted or not own:
        return [0.0] * len(wanted)
    near = (np.stack([*map(_vector, wanted)]) @ np.stack([*map(_vector, own)]).T).max(axis=1).clip(0, 1).tolist()
    there = {stem for word in own for stem in _stems(word)}
    return [1.0 if there.intersection(_stems(word)) else alike for word, alike in zip(wanted, near, strict=True)]


@lru_cache(maxsize=KEPT_WORDS)
def _stems(word: str) -> tuple[str, ...]:
    return stems(word)


@lru_cache(maxsize=KEPT_WORDS)
def _vector(word: str) -> Array:
    """The direction of a word: the sum of its pieces'."""
    whole = _table()[list(load_encoder().pieces(word))].sum(axis=0, dtype=np.float32)
    unit: Array = whole / max(LEAST_LENGTH, float(np.linalg.norm(whole)))
    return unit


@cache
def _table() -> np.ndarray[Any, np.dtype[np.int8]]:
    with as_file(files("app.memory.vectors") / TABLE) as found:
        table: np.ndarray[Any, np.dtype[np.int8]] = np.load(found)
    return table
