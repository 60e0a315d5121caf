"""What was found, as citations."""

from __future__ import annotations

from agents.contract import Citation
from app.memory.fusion import Ranked
from app.ports.memory import Candidate


def cited(one: Ranked) -> Citation:
    """Return where a unit of a ranking stands, with its words."""
    return cite(one.candidate)


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
