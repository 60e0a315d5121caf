"""Annotated sentences as rows of words with their labels, which is what the encoder learns from."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Word:
    """A word with its labels, and whether it lies in a time."""

    text: str
    cut: str
    slot: str
    time: bool = False


@dataclass(frozen=True)
class Clause:
    """Words ``first`` to ``last``, both within, what they ask for and what about, if that is told."""

    first: int
    last: int
    act: str
    topic: str = ""


@dataclass(frozen=True)
class Example:
    """A sentence by one author, as it is learned or measured."""

    author: str
    context: str
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    held_out: bool = False


def write_examples(examples: Iterable[Example], path: Path) -> int:
    """Write examples as lines of JSON, for training where Summit is not installed; return how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [json.dumps(asdict(example)) for example in examples]
    path.write_text("\n".join(rows), encoding="utf-8")
    return len(rows)


def read_examples(path: Path) -> list[Example]:
    """Return what write_examples wrote."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["words"] = tuple(Word(**word) for word in row["words"])
        row["clauses"] = tuple(Clause(**clause) for clause in row["clauses"])
        found.append(Example(**row))
    return found
