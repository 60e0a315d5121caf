"""The one form in which events leave, over server-sent streams and websockets alike."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from app.errors import Problem
from app.http.schemas import undo_address
from app.records.model.events import Event

ENVELOPE_VERSION = 1
LARGEST_SEQ = 2**63 - 1
DIGITS = len(str(LARGEST_SEQ))

Envelope = dict[str, Any]


def envelope(event: Event) -> Envelope:
    """An event of the user's stream; an applied change comes with the address at which it can be undone."""
    applied = event.type == "change.applied"
    data = {**event.data, "undo": undo_address(event.data["id"])} if applied else event.data
    return _envelope(event.seq, event.turn_id, event.type, event.ts, data)


def answer(kind: str, seq: int, data: dict[str, Any], turn_id: UUID | None = None) -> Envelope:
    """An answer to one client only; ``seq`` is that of the last event sent to it, so that it can resume there."""
    return _envelope(seq, turn_id, kind, datetime.now(UTC), data)


def refusal(problem: Problem, seq: int, instance: str, **about: Any) -> Envelope:
    """A problem as an ``error``; ``about`` names what was refused."""
    return answer("error", seq, {**problem.document(instance), **about})


def as_text(sent: Envelope) -> str:
    """The envelope as JSON on one line."""
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":"))


def seq_of(text: str) -> int | None:
    """The sequence number that a client sends to resume; None when it is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
        return None
    return min(int(text), LARGEST_SEQ)


def _envelope(seq: int, turn_id: UUID | None, kind: str, ts: datetime, data: dict[str, Any]) -> Envelope:
    return {
        "v": ENVELOPE_VERSION,
        "seq": seq,
        "turn_id": str(turn_id) if turn_id else None,
        "type": kind,
        "ts": ts.isoformat(),
        "data": data,
    }
