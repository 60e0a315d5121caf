"""The time slots of a clause brought in line with the time phrases that the grammar finds in it."""

from __future__ import annotations

from dataclasses import replace

from agents.mind.slot_values import tokens
from agents.reading.reading import Clause, Slot
from agents.time import Clock, Found, find_times

TIMES = ("w", "d")
NAMES = ("t", "i")


def align_times(clause: Clause, clock: Clock) -> Clause:
    """Return a clause whose time slots reach as far as the phrases in which they stand.

    "Oh five on saturday" is "nine oh five on saturday"; a month at the end of a title belongs to the day that follows.
    """
    if not clause.all("w"):
        return clause
    phrases = [found for found in find_times(clause.text, clock) if found.kind != "duration"]
    for found in phrases:
        clause = _aligned(clause, found)
    return clause


def _aligned(clause: Clause, found: Found) -> Clause:
    """Return a clause with one phrase as one slot, where a time slot has part of it and no other name has the rest."""
    start, end = found.span[0] + clause.start, found.span[1] + clause.start
    touching = [slot for slot in clause.slots if slot.start < end and slot.end > start]
    inner = [slot for slot in touching if slot.name in TIMES]
    first = next((slot for slot in inner if slot.name == "w"), None)
    if first is None or (len(inner) == 1 and first.start <= start and end <= first.end):
        return clause
    others = [slot for slot in touching if slot.name not in TIMES]
    trimmed = {id(slot): _before(slot, start, clause) for slot in others if slot.name in NAMES and slot.start < start}
    if len(trimmed) < len(others) or not all(trimmed.values()):
        return clause
    whole_start, whole_end = min(start, *(slot.start for slot in inner)), max(end, *(slot.end for slot in inner))
    text = clause.text[whole_start - clause.start : whole_end - clause.start]
    joined = Slot("w", text, whole_start, whole_end, min(slot.sure for slot in inner))
    kept = [trimmed.get(id(slot)) or slot for slot in clause.slots if slot not in inner]
    return replace(clause, slots=tuple(sorted([*kept, joined], key=lambda slot: slot.start)))


def _before(slot: Slot, end: int, clause: Clause) -> Slot | None:
    """Return the part of a slot before a place; None where it has no word there."""
    text = clause.text[slot.start - clause.start : end - clause.start].rstrip()
    return replace(slot, text=text, end=slot.start + len(text)) if tokens(text) else None
