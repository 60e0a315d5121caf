"""What was found, as citations."""

from __future__ import annotations

from agents.contract import Citation
from app.memory.fusion import Ranked


def cited(one: Ranked) -> Citation:
    """Return where a unit stands, with its words."""
    candidate, unit = one.candidate, one.candidate.unit
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
