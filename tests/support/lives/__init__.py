"""Voice memos of invented lives over three months, and what may be asked of them at the end, with accepted answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Spoken:
    """A memo: ``name`` begins with the letter of its life."""

    name: str
    day: date
    words: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question, the one that it follows, and what its answer must have; ``kind`` "none" has no answer.

    One of ``accepted`` must be in the reply with all of its parts, and no quote before it may have one of ``outdated``.
    """

    life: str
    kind: str
    follows: str
    question: str
    accepted: tuple[tuple[str, ...], ...]
    outdated: tuple[str, ...]
    memos: frozenset[str]


def memos() -> list[Spoken]:
    """Return all memos in the order of time within each life."""
    return [Spoken(name, date.fromisoformat(day), words) for name, day, words in _rows("memos.tsv")]


def questions() -> list[Wanted]:
    """Return all questions."""
    return [
        Wanted(
            life,
            kind,
            follows,
            question,
            tuple(tuple(one.split(" & ")) for one in accepted.split("|") if one),
            tuple(one for one in outdated.split("|") if one),
            frozenset(names.split()),
        )
        for life, kind, follows, question, accepted, outdated, names in _rows("questions.tsv")
    ]


def _rows(file: str) -> Iterator[list[str]]:
    for line in (FOLDER / file).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
