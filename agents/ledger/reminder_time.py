"""A reminder that is set lies ahead: a series begins at its next time, and a single one that has passed is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Pending, Proposal, Question
from agents.dates_in_words import say_when
from agents.ledger.transitions import ProposalRefused
from agents.phrases import quote
from agents.recurrence.next import next_in_series
from agents.recurrence.rules import rest_of, wall_clock

State = dict[str, Any] | None
OPEN_TASK_STATES = frozenset({"not started", "in progress"})
LATE_TOLERANCE = timedelta(minutes=1)
"""What comes within it counts as in time."""
MOMENT_PASSED = "remind_at: that moment has passed; say a later one"


def upcoming(before: State, after: State, said: datetime, zone: str) -> State:
    """The new state of a record, in JSON form, with its reminder after ``said``, the time of the request.

    Only a reminder that is set or moved now is looked at: one that is due and not told yet is still owed. ``zone``
    counts where the record has none.

    Raises:
        Refused: the reminder has passed, and no series goes on from it.

    """
    if after is None or not _is_set(before or {}, after):
        return after
    first = datetime.fromisoformat(after["remind_at"])
    if first >= said - LATE_TOLERANCE:
        return after
    return {**after, **_next_round(after, first, said, ZoneInfo(after["zone"] or zone))}


def has_passed(proposal: Proposal, said: datetime) -> bool:
    """Whether the ledger would refuse a new reminder as past, so that the agent has to ask for another time."""
    at = _instant(proposal.fields.get("remind_at"))
    alone = proposal.op == "create" and not (proposal.group or proposal.confirms or proposal.fields.get("recurrence"))
    return alone and at is not None and at < said - LATE_TOLERANCE


def ask_when(proposal: Proposal, said: datetime, words: str) -> Question:
    """The question for a time that lies ahead; its answer completes the reminder."""
    at = _instant(proposal.fields["remind_at"]) or said
    rest = {name: value for name, value in proposal.fields.items() if name != "remind_at"}
    draft = proposal.model_copy(update={"fields": rest})
    about = quote(str(proposal.fields.get("task", "")))
    text = f"That would have been {say_when(at, said)}. When shall I remind you of {about}?"
    return Question(text=text, pending=Pending(missing="when", text=words, at=said, proposals=[draft]))


def _is_set(old: dict[str, Any], new: dict[str, Any]) -> bool:
    differs = any(old.get(name) != new.get(name) for name in ("remind_at", "recurrence"))
    return bool(differs and new.get("remind_at")) and new["status"] in OPEN_TASK_STATES


def _next_round(todo: dict[str, Any], first: datetime, said: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """The series from its next time on; of a counted one the rest."""
    rule = todo["recurrence"]
    coming = next_in_series(rule, first, said, zone) if rule else None
    if coming is None:
        raise ProposalRefused(MOMENT_PASSED)
    start, until = wall_clock(first.isoformat(), zone), wall_clock(coming.isoformat(), zone)
    return {"remind_at": coming.astimezone(zone).isoformat(), "recurrence": rest_of(rule, start, until)}


def _instant(value: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return found.astimezone(UTC) if isinstance(found, datetime) and found.tzinfo else None
