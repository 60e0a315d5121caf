"""Lengths of time that were cut in two while a message was read: the grammar of times knows them as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.reading.reading import Clause, Reading, Slot
from agents.reading.words import Span

PIECES = frozenset(("w", "d"))


def with_whole_lengths(reading: Reading, lengths: Sequence[Span]) -> Reading:
    """Return a reading in which each length is one slot, where its pieces are slots of time: "1 and a" "1/2 hours"."""
    clauses = reading.clauses
    for span in lengths:
        clauses = tuple(_with_whole_length(clause, span, reading.text) for clause in clauses)
    return replace(reading, clauses=clauses)


def _with_whole_length(clause: Clause, span: Span, text: str) -> Clause:
    start, end = span
    pieces = [slot for slot in clause.slots if start <= slot.start and slot.end <= end]
    if len(pieces) < 2 or not PIECES.issuperset(slot.name for slot in pieces):  # noqa: PLR2004 - one is whole
        return clause
    whole = Slot("d", text[start:end], start, end, max(slot.sure for slot in pieces))
    return replace(
        clause, slots=tuple(whole if slot is pieces[0] else slot for slot in clause.slots if slot not in pieces[1:])
    )
