"""Annotated sentences: words as people say them, with their clauses, acts and slots; FORMAT.md tells the marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from agents.reading.labels import ACTS, CONTEXTS, SLOTS, TOPICS_OF

FOLDER = Path(__file__).parent / "utterances"
MARK = re.compile(r"\{(?P<act>\w*)(?:/(?P<topic>\w*))? ?|\[(?P<slot>\w*) ?|\}|\]")
HEAD = re.compile(r"(\w+)\s*\|\s*")
HELD_OUT_OF = 10
"""One sentence in so many is kept out of training."""


class Misannotated(ValueError):  # noqa: N818 - the sentence is at fault, not the program
    """The marks of a sentence contradict the format; the message says where."""


@dataclass(frozen=True)
class Slot:
    """A part of a clause: characters ``start`` to ``end`` of the sentence."""

    start: int
    end: int
    name: str


@dataclass(frozen=True)
class Clause:
    """One change, question or remark: characters ``start`` to ``end``, its act, slots in order, and topic."""

    start: int
    end: int
    act: str
    slots: tuple[Slot, ...]
    topic: str = ""


@dataclass(frozen=True)
class Sentence:
    """A sentence without its marks, and what it was said to."""

    context: str
    text: str
    clauses: tuple[Clause, ...]

    @property
    def held_out(self) -> bool:
        """Whether it measures and never trains; its words decide, so that it stays so wherever it moves."""
        return sha256(self.text.encode()).digest()[0] % HELD_OUT_OF == 0


@dataclass
class _Opened:
    """What is open while a sentence is read."""

    text: str = ""
    clauses: list[Clause] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    clause: tuple[int, str, str] | None = None
    slot: tuple[int, str] | None = None


def read_sentences(path: Path) -> Iterator[tuple[int, Sentence]]:
    """Yield the sentences of a file with their line numbers. Raises Misannotated, which names the line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                yield number, parse_sentence(line)
            except Misannotated as fault:
                raise Misannotated(f"{path.name}:{number}: {fault}") from None


def parse_sentence(line: str) -> Sentence:
    """Return the sentence of an annotated line. Raises Misannotated."""
    head = HEAD.match(line)
    context, rest = (head[1], line[head.end() :]) if head else ("idle", line)
    if context not in CONTEXTS:
        raise Misannotated(f"unknown context {context!r}")
    if "|" in rest:
        raise Misannotated("a | in the text")
    opened, last, rest = _Opened(), 0, rest.strip()
    for mark in MARK.finditer(rest):
        opened.text += rest[last : mark.start()]
        last = mark.end()
        STEPS[mark[0][0]](opened, mark)
    opened.text += rest[last:]
    if opened.clause or opened.slot:
        raise Misannotated("a mark is not closed")
    if not opened.clauses:
        raise Misannotated("there is no clause")
    return Sentence(context, opened.text, tuple(opened.clauses))


def _open_clause(opened: _Opened, mark: re.Match[str]) -> None:
    if opened.clause or opened.slot:
        raise Misannotated(f"a clause inside of another mark after {opened.text[-20:]!r}")
    if mark["act"] not in ACTS:
        raise Misannotated(f"unknown act {mark['act']!r}")
    if mark["topic"] is not None and mark["topic"] not in TOPICS_OF.get(mark["act"], ()):
        raise Misannotated(f"{mark['act']} has no topic {mark['topic']!r}")
    opened.clause, opened.slots = (len(opened.text), mark["act"], mark["topic"] or ""), []


def _open_slot(opened: _Opened, mark: re.Match[str]) -> None:
    if opened.slot or not opened.clause:
        raise Misannotated(f"a slot inside of a slot or outside of a clause after {opened.text[-20:]!r}")
    if mark["slot"] not in SLOTS:
        raise Misannotated(f"unknown slot {mark['slot']!r}")
    opened.slot = (len(opened.text), mark["slot"])


def _close_slot(opened: _Opened, _mark: re.Match[str]) -> None:
    if opened.slot is None:
        raise Misannotated("a ] without its [")
    start, name = opened.slot
    if not opened.text[start:].strip():
        raise Misannotated(f"an empty slot {name}")
    opened.slots.append(Slot(start, len(opened.text), name))
    opened.slot = None


def _close_clause(opened: _Opened, _mark: re.Match[str]) -> None:
    if opened.clause is None or opened.slot:
        raise Misannotated("a } without its {, or inside of a slot")
    start, act, topic = opened.clause
    if not opened.text[start:].strip():
        raise Misannotated(f"an empty clause {act}")
    opened.clauses.append(Clause(start, len(opened.text), act, tuple(opened.slots), topic))
    opened.clause = None


STEPS = {"{": _open_clause, "[": _open_slot, "]": _close_slot, "}": _close_clause}
