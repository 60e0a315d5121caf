"""What is stored once more: "haircut again in 2 weeks same time", "duplicate the dentist for next month"."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.records import Event, Kind, ToDo
from agents.time import Found, to_instant
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.moves import length_of, placed
from agents.understanding.slots.slots import fill
from agents.understanding.text.clauses import Clause

ONCE_MORE = re.compile(r"\b(?:again|another|one more|once more|a second|the same|same again|repeat)\b", re.IGNORECASE)
SAME_TIME = re.compile(
    r"(?<![\s,])[\s,]*\b(?:at\s+|for\s+)?(?:the\s+)?(?:same|usual) (?:time|hour|slot)(?:\s+(?:and|&)\s+(?:the\s+same\s+)?place)?\b",
    re.IGNORECASE,
)
ASKING = re.compile(
    r"^(?:(?:book|schedule|add|put|do|have|set up|let's|can we|repeat|make)\s+)?(?:(?:in|down|me|us|for)\s+)*",
    re.IGNORECASE,
)
COPY = re.compile(r"(?:duplicate|copy|clone)\s+(?P<rest>.{3,160})", re.IGNORECASE)
KEPT = ("title", "location", "task", "priority", "difficulty", "time_to_complete", "list", "tags")
COPIED: tuple[Kind, ...] = ("event", "todo")


def copied(clause: Clause, scene: Scene) -> Share | None:
    """A new event like the one named, at its hour of another day; None when the words ask for no other one."""
    copy = COPY.fullmatch(clause.text.strip(" .!?"))
    if copy is not None:
        return _duplicated(copy["rest"], clause, scene)
    if not (ONCE_MORE.search(clause.text) and SAME_TIME.search(clause.text)):
        return None
    slots = fill(ASKING.sub("", ONCE_MORE.sub(" ", SAME_TIME.sub(" ", clause.text))), scene.clock)
    when = slots.when
    if when is None or when.timed or not when.day_said or when.kind == "set":
        return None
    found = choose.search(slots.title or "it", scene, ("event",), lambda _: True, None)
    found = [item for item in found if not slots.title or named_wholly(slots.title, item)]
    latest = max(found, key=lambda item: str(item.day), default=None)
    fields = _fields(latest, when, scene) if latest and len({item.title for item in found}) == 1 else {}
    if not fields:
        return None
    return change(clause.text, Proposal(op="create", kind="event", fields=fields, reason="you asked for another one"))


def _duplicated(rest: str, clause: Clause, scene: Scene) -> Share | None:
    """Another one of an event or a task on the day said; None when the words name none."""
    slots = fill(rest, scene.clock)
    found = choose.search(slots.title, scene, COPIED, is_open, None) if slots.title else []
    when = slots.when
    if len(found) != 1 or (when is not None and when.kind == "set"):
        return None
    fields = _fields(found[0], when, scene) if when else {}
    if not fields:
        draft = Proposal(op="create", kind=found[0].kind, fields=_kept(found[0]), reason="you asked for another one")
        return choose.ask("when", f"When shall the other “{found[0].title}” be?", [draft], scene)
    return change(
        clause.text, Proposal(op="create", kind=found[0].kind, fields=fields, reason="you asked for another one")
    )


def _kept(item: Item) -> dict[str, Any]:
    return {name: value for name in KEPT if (value := getattr(item.record, name, None))}


def _fields(item: Item, when: Found, scene: Scene) -> dict[str, Any]:
    """The copy on its day; nothing when that stays open."""
    event, old = item.record, getattr(item.record, "start", None) or getattr(item.record, "deadline", None)
    if isinstance(event, ToDo):
        day = _placed(old or scene.now.date(), when, scene)
        due = forms.instant(day) if isinstance(day, datetime) else forms.day(day) if day else None
        return _kept(item) | {"deadline": due} if due else {}
    start = _placed(old, when, scene) if isinstance(old, datetime) else None
    if not isinstance(event, Event) or not isinstance(start, datetime):
        return {}
    return _kept(item) | {"start": forms.instant(start), "end": forms.instant(start + length_of(event))}


def _placed(old: date | datetime, when: Found, scene: Scene) -> date | datetime | None:
    """A day, or the same day of the week or month that was said, at the old hour."""
    local = old.astimezone(scene.clock.zone) if isinstance(old, datetime) else old
    if when.grain not in ("week", "month", "year") or when.start is None:
        return placed(old, when, scene)
    first = when.start.date()
    if when.grain == "week":
        day = first + timedelta(days=(local.weekday() - first.weekday()) % 7)
    else:
        month = first.month if when.grain == "month" else local.month
        day = date(first.year, month, min(local.day, monthrange(first.year, month)[1]))
    return to_instant(datetime.combine(day, local.time()), scene.clock.zone) if isinstance(local, datetime) else day
