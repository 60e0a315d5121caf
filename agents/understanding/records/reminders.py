"""The reminder of an event or a task, which has its name: it is not meant itself, and it moves or goes as they do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from agents.contract import Proposal
from agents.index.items import Item
from agents.records import Event, ToDo
from agents.understanding.scene import Scene
from agents.understanding.share import Share, propose

REMINDER = re.compile(r"\b(?:remind(?:er|ers|ed|ing)?|alerts?|nudges?)\b", re.IGNORECASE)
LONGEST_NOTICE = timedelta(days=7)
"""A reminder of the same name that is further ahead may be about something else."""
WAITING = ("not started", "in progress")


def without_reminders(phrase: str, found: list[Item]) -> list[Item]:
    """What is meant of several: the event rather than the reminder of it, unless the words name a reminder."""
    events = {item.title.lower() for item in found if item.kind == "event"}
    return [item for item in found if not (_is_reminder(item) and _is_of(item, events, phrase))]


def without_twins(phrase: str, found: list[Item]) -> list[Item]:
    """Return what is meant of several: the task rather than the reminder of it, unless the words name a reminder."""
    tasks = {item.title.lower() for item in found if item.kind == "todo" and not _is_reminder(item)}
    return [item for item in found if not (_rings_once(item) and _is_of(item, tasks, phrase))]


def _is_of(item: Item, titles: set[str], phrase: str) -> bool:
    """Return whether a thing has one of these names, and words name no reminder."""
    return item.title.lower() in titles and not REMINDER.search(phrase)


def _rings_once(item: Item) -> bool:
    """Return whether an item is a reminder that does not come again, which is over with its task."""
    return _is_reminder(item) and not getattr(item.record, "recurrence", None)


def _is_reminder(item: Item) -> bool:
    return getattr(item.record, "kind", "") == "reminder"


def with_reminders(shares: Sequence[Share], scene: Scene) -> None:
    """Adds, to each share that moves or removes an event or a task, what that means for its reminder."""
    said = {item.record_id for share in shares for item in share.proposals}
    for share in shares:
        for proposal in list(share.proposals):
            event = _event(proposal, scene)
            along = [_along(proposal, event, item) for item in _reminders(event, scene)] if event else []
            twins = [propose(item, proposal.op, reason="its task is over") for item in _twins(proposal, scene)]
            for draft in (*along, *twins):
                if draft and draft.record_id not in said:
                    said.add(draft.record_id)
                    share.proposals.append(draft)


def _twins(proposal: Proposal, scene: Scene) -> list[Item]:
    """Return the reminders of a task that is done or deleted; none where another task has its name too."""
    over = proposal.kind == "todo" and proposal.op in ("complete", "delete") and not proposal.declined
    item = scene.items("todo").get(proposal.record_id) if over else None
    if item is None or _is_reminder(item) or getattr(item.record, "recurrence", None):
        return []
    called = [one for one in scene.items("todo").find_called(item.words) if one.title.lower() == item.title.lower()]
    others = [one for one in called if one.id != item.id and getattr(one.record, "status", "") in WAITING]
    soon = [
        one for one in others if (at := getattr(one.record, "remind_at", None)) and at <= scene.now + LONGEST_NOTICE
    ]
    return soon if all(map(_rings_once, others)) else []


def _event(proposal: Proposal, scene: Scene) -> Event | None:
    if proposal.kind != "event" or proposal.op not in ("update", "delete") or proposal.declined:
        return None
    found = scene.items("event").get(proposal.record_id)
    return found.record if found and isinstance(found.record, Event) and not found.record.recurrence else None


def _reminders(event: Event, scene: Scene) -> list[Item]:
    return [item for item in scene.items("todo").find_under("rings") if _notice(item.record, event) is not None]


def _notice(record: object, event: Event) -> timedelta | None:
    """How long before the event this record reminds of it; None when it does not."""
    if not isinstance(record, ToDo) or record.remind_at is None or not isinstance(event.start, datetime):
        return None
    named = record.kind == "reminder" and record.task.lower() == event.title.lower()
    waits = record.status in WAITING and not record.recurrence
    notice = event.start - record.remind_at
    return notice if named and waits and timedelta() <= notice <= LONGEST_NOTICE else None


def _along(proposal: Proposal, event: Event, reminder: Item) -> Proposal | None:
    if proposal.op == "delete":
        return Proposal(op="delete", kind="todo", record_id=reminder.id, fields={}, reason="its event is gone")
    if proposal.fields.get("title") and set(proposal.fields) == {"title"}:
        fields = {"task": proposal.fields["title"]}
        return Proposal(op="update", kind="todo", record_id=reminder.id, fields=fields, reason="its event was renamed")
    start = proposal.fields.get("start")
    if not isinstance(start, str) or len(start) <= len("2026-11-18"):
        return None
    notice = _notice(reminder.record, event)
    if notice is None:
        return None
    fields = {"remind_at": (datetime.fromisoformat(start) - notice).isoformat()}
    return Proposal(op="update", kind="todo", record_id=reminder.id, fields=fields, reason="its event was moved")
