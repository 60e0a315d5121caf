"""What was found, as citations."""

from __future__ import annotations

from collections.abc import Sequence

from agents.contract import Citation
from app.memory.hearing import find_moments
from app.memory.model.memory import Candidate, Passage


def cite(candidate: Candidate) -> Citation:
    """Return where a unit stands, with its words."""
    unit = candidate.unit
    return Citation(
        source=candidate.source,
        id=candidate.document,
        start_char=unit.start_char,
        end_char=unit.end_char,
        start_ms=unit.start_ms,
        end_ms=unit.end_ms,
        quote=unit.text,
        captured_at=candidate.captured_at,
    )


def part_of(whole: Citation, start: int, end: int) -> Citation:
    """Return the characters [start, end) of a quote as one; the time is still that of the whole, which has it."""
    said = {"quote": whole.quote[start:end], "start_char": whole.start_char + start, "end_char": whole.start_char + end}
    return whole.model_copy(update=said)


def with_own_time(one: Citation, words: Sequence[Passage]) -> Citation:
    """Return a citation with its own time in a recording, where the times of its words are known."""
    start_ms, end_ms = find_moments(words, one.start_char, one.end_char)
    return one if start_ms is None else one.model_copy(update={"start_ms": start_ms, "end_ms": end_ms})
