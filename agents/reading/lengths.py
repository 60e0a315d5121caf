"""Lengths of time that were cut in two while a message was read: the grammar of times knows them as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.reading.reading import Clause, Reading, Slot
from agents.reading.words import Span
from agents.time import Clock, FoundTime, find_times

PIECES = frozenset(("w", "d"))
SIDES = frozenset("before beforehand earlier after afterwards later".split())
"""Words behind a length that make a time of it."""
FOR = " for "


def length_in(text: str, found: FoundTime, clock: Clock) -> Span | None:
    """Return where the length of time stands that a phrase is, or that it ends with: "at 3 for half an hour"."""
    start, end = found.span
    if found.kind == "duration":
        return found.span
    at = text.lower().rfind(FOR, start, end) + len(FOR)
    inside = find_times(text[at:end], clock) if found.kind == "interval" and at > start + len(FOR) else []
    alone = len(inside) == 1 and inside[0].kind == "duration" and inside[0].span == (0, end - at)
    return (at, end) if alone else None


def with_whole_lengths(reading: Reading, lengths: Sequence[Span]) -> Reading:
    """Return a reading in which each length is one slot, where its pieces are slots of time: "1 and a" "1/2 hours"."""
    clauses = reading.clauses
    for span in lengths:
        clauses = tuple(_with_whole_length(clause, span, reading.text) for clause in clauses)
    return replace(reading, clauses=clauses)


def _with_whole_length(clause: Clause, span: Span, text: str) -> Clause:
    start, end = span
    pieces = [slot for slot in clause.slots if slot.start < end and start < slot.end]
    if len(pieces) < 2 or not PIECES.issuperset(slot.name for slot in pieces):  # noqa: PLR2004
        return _with_its_side(clause, pieces, text)  # one is whole
    whole = Slot("d", text[start:end], start, end, max(slot.sure for slot in pieces))
    before = [_up_to(start, slot, text) for slot in pieces if slot.start < start]
    behind = [_from(end, slot, text) for slot in pieces if slot.end > end]
    merged = (*before, whole, *behind)
    return replace(
        clause,
        slots=tuple(
            one for slot in clause.slots for one in (merged if slot is pieces[0] else () if slot in pieces else (slot,))
        ),
    )


def _with_its_side(clause: Clause, pieces: Sequence[Slot], text: str) -> Clause:
    """Return a clause that ends with the side of a length, "half an hour before", with that word in its slot."""
    behind = text[pieces[0].end : clause.end] if len(pieces) == 1 and pieces[0].name == "w" else ""
    if behind.strip(" .!?").lower() not in SIDES:
        return clause
    end = pieces[0].end + len(behind.rstrip(" .!?"))
    whole = replace(pieces[0], text=text[pieces[0].start : end], end=end)
    return replace(clause, slots=tuple(whole if slot is pieces[0] else slot for slot in clause.slots))


def _up_to(start: int, slot: Slot, text: str) -> Slot:
    """Return a slot without what belongs to the length that begins in it."""
    words = text[slot.start : start].rstrip()
    words = words.removesuffix(FOR.rstrip()).rstrip()
    return replace(slot, text=words, end=slot.start + len(words))


def _from(end: int, slot: Slot, text: str) -> Slot:
    """Return a slot without what belongs to the length that ends in it."""
    words = text[end : slot.end].lstrip()
    return replace(slot, name="w", text=words, start=slot.end - len(words))
