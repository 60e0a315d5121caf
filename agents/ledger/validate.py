"""What a record must satisfy beyond its form: rules that can happen, lists that are not too long, links that exist."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.ledger.limits import LedgerLimits
from agents.ledger.transitions import ProposalRefused
from agents.recurrence.rules import unusable_reason, wall_clock

State = dict[str, Any] | None
ANY_START = datetime(2026, 1, 1)  # noqa: DTZ001 - rules go by the wall clock


def check_record(before: State, after: State, limits: LedgerLimits, task_exists: Callable[[str], bool]) -> None:
    """Let a new state of a record pass; only what changed is looked at, so that what is stored can always be mended.

    Raises:
        Refused: with the field's name in front, like every fault of a field.

    """
    if after is None:
        return
    old = before or {}
    if after.get("recurrence") and _differs(old, after, "recurrence", "start", "deadline", "remind_at"):
        _check_rule(after, limits)
    if _differs(old, after, "start", "end") and after.get("start") and after.get("end"):
        _check_length(after, limits.event_days)
    if _differs(old, after, "items") and len(after["items"]) > max(limits.list_items, len(old.get("items", []))):
        raise ProposalRefused(
            f"items: a list holds at most {limits.list_items} items, and this would be {len(after['items'])}"
        )
    if after.get("task_id") and _differs(old, after, "task_id") and not task_exists(after["task_id"]):
        raise ProposalRefused("task_id: there is no such task to link to")


def _differs(old: dict[str, Any], new: dict[str, Any], *names: str) -> bool:
    return any(old.get(name) != new.get(name) for name in names)


def _check_length(event: dict[str, Any], most: int) -> None:
    days = (datetime.fromisoformat(event["end"]).date() - datetime.fromisoformat(event["start"]).date()).days
    if days > most:
        raise ProposalRefused(
            f"end: an event lasts at most {most} days, and this would be {days}; let a shorter one repeat"
        )


def _check_rule(record: dict[str, Any], limits: LedgerLimits) -> None:
    begins = record.get("start") or record.get("deadline") or record.get("remind_at")
    zone = ZoneInfo(record["zone"]) if record.get("zone") else None
    start = wall_clock(begins, zone) if begins else ANY_START
    wrong = unusable_reason(record["recurrence"], start, limits.recurrence_count)
    if wrong:
        raise ProposalRefused(f"recurrence: {wrong}")
