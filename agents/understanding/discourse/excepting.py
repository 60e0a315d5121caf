"""What is left out of a series just made or changed: "not on fridays", "but not this monday, it's a holiday"."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from agents.records import Event, ToDo
from agents.time import find_times
from agents.understanding.discourse.followups import just_changed
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.slots import Slots

P = patterns_of(__name__)
WEEK = "MO TU WE TH FR SA SU".split()
NAMES = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")


def excepted(text: str, scene: Scene) -> Share | None:
    """The series without the days said; None when nothing that repeats was talked about, or no days are said."""
    said = P.EXCEPTED.fullmatch(text.strip())
    item = just_changed(scene) if said else None
    rule = getattr(item.record, "recurrence", None) if item else None
    if said is None or item is None or not rule:
        return None
    dropped = [
        *(WEEK[NAMES.index(found["day"].lower())] for found in P.DAY.finditer(said["when"]) if found["day"]),
        *(WEEK[5:] if any(found["end"] for found in P.DAY.finditer(said["when"])) else []),
    ]
    if dropped:
        fields = _without(item, str(rule), dropped, scene)
        return change(text, choose.propose(item, "update", fields, "you left them out")) if fields else None
    times = [found for found in find_times(said["when"], scene.clock) if found.day_said and found.start]
    if len(times) != 1 or not isinstance(item.record, Event):
        return None
    return series.cancel(item.record, text, Slots(text, times=times), scene)


def _without(item: Item, rule: str, dropped: list[str], scene: Scene) -> dict[str, Any]:
    """A weekly or daily rule without some weekdays, and its first day when that is one of them."""
    there = P.BYDAY.search(rule)
    if "INTERVAL" in rule or not (there or rule.startswith("FREQ=DAILY")):
        return {}
    days = there["days"].split(",") if there else WEEK
    left = [day for day in days if day not in dropped]
    if not left or left == days:
        return {}
    kept = ",".join(left)
    new = P.BYDAY.sub(f"BYDAY={kept}", rule) if there else rule.replace("FREQ=DAILY", f"FREQ=WEEKLY;BYDAY={kept}", 1)
    return {"recurrence": new} | _first(item, left, scene)


def _first(item: Item, left: list[str], scene: Scene) -> dict[str, Any]:
    """The first day moved on to one that is left."""
    record = item.record
    names = ("start", "end") if isinstance(record, Event) else ("remind_at", "deadline")
    fields: dict[str, Any] = {name: value for name in names if (value := getattr(record, name, None))}
    first = fields.get(names[0]) or fields.get(names[1])
    if not isinstance(record, Event | ToDo) or first is None:
        return {}
    local = first.astimezone(scene.clock.zone) if isinstance(first, datetime) else first
    ahead = next(days for days in range(7) if WEEK[(local.weekday() + days) % 7] in left)
    return {name: _later(value, ahead, scene) for name, value in fields.items()} if ahead else {}


def _later(value: date | datetime, days: int, scene: Scene) -> str:
    if isinstance(value, datetime):
        return forms.instant(value.astimezone(scene.clock.zone) + timedelta(days=days))
    return forms.day(value + timedelta(days=days))
