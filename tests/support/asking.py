"""Asks and records for these tests, at Wednesday 18 November 2026, 10:30 in Lisbon."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from agents.contract import Change, Pending, Proposal, RouterDecision
from agents.ports import Ask
from agents.understanding.line import as_instructed, ask_of
from agents.understanding.message import understand

NOW = "2026-11-18T10:30:00"
ZONE = "Europe/Lisbon"


def ask(
    text: str, *, changes: list[Change] | None = None, pending: Pending | None = None, now: str = NOW, **given: Any
) -> Ask:
    """An ask over stored items given in short form; the ledger holds no other changes than the thread's."""
    made = ask_of({"text": text, "now": now, "tz": ZONE, "given": given})
    return made.model_copy(update={"recent_changes": changes or [], "history": changes or [], "pending": pending})


def decide(text: str, **given: Any) -> RouterDecision:
    """The decision about a message."""
    return understand(ask(text, **given))


def proposals(text: str, **given: Any) -> list[Proposal]:
    """What a message proposes, as the standing instructions want it."""
    asked = ask(text, **given)
    return as_instructed(understand(asked), asked)


def answers(text: str, **given: Any) -> str:
    """What a message is answered."""
    return " ".join(
        line for target in decide(text, **given).targets if target.proposed for line in target.proposed.answers
    )


def changed(
    title: str, *, kind: Any = "todo", record_id: str = "todo-1", turn: str = "t1", op: Any = "create", place: int = 0
) -> Change:
    """An applied change of the thread."""
    return Change(
        id=f"{turn}-{place}-{op}",
        cursor=place,
        turn_id=turn,
        agent="update_todos",
        seq=place,
        op=op,
        kind=kind,
        record_id=record_id,
        title=title,
        fields={},
        before=None,
        after=None,
        status="applied",
        created_at=datetime.fromisoformat("2026-11-18T10:29:00+00:00"),
    )
