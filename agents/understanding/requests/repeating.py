"""How often something stored takes place, said afterwards: "make lunch with devon weekly", "repeat the standup every monday"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from agents.records import Event
from agents.time import Found, find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots.moves import shifted_event
from agents.understanding.slots.slots import tidy
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)

WEEK = "MO TU WE TH FR SA SU".split()
NAMED = ("what", "again", "moved", "other", "only", "all")
OFTEN = ("rule", "days", "on", "rarer", "now")


def changed(clause: Clause, scene: Scene) -> Share | None:
    """The rule joined to the one event or task named; None when the words name none."""
    said = P.SAID.fullmatch(clause.text.strip(" .!"))
    if said is None:
        return None
    phrase = tidy(next(said[name] for name in NAMED if said[name]))
    times = find_times(next(said[name] for name in OFTEN if said[name]), scene.clock)
    often = next((found for found in times if found.rrule), None)
    found = choose.search(phrase, scene, ("event", "todo", "note"), is_open, None) if phrase and often else []
    if said["other"] or said["only"] or said["all"]:
        found = [item for item in found if _repeats(item) and named_wholly(phrase, item)]
    if len(found) != 1 or often is None:
        return None
    if said["since"]:
        return None
    fields = _begun(found[0], often, scene) | {"recurrence": _on_its_days(found[0], often.rrule or "")}
    return choose.settle(found, "update", phrase, scene, fields=fields, reason="you said how often")


def _begun(item: Item, often: Found, scene: Scene) -> dict[str, Any]:
    """The first day of an event's new rhythm, when it stands on none of its days."""
    start = getattr(item.record, "start", None)
    days = re.search(r"BYDAY=([A-Z,]+)", often.rrule or "")
    if not isinstance(item.record, Event) or start is None or days is None or often.start is None:
        return {}
    local = start.astimezone(scene.clock.zone) if isinstance(start, datetime) else start
    standing = WEEK[local.weekday()] in days[1].split(",") and not often.timed
    return {} if standing else shifted_event(item.record, often, scene)


def _on_its_days(item: Item, rule: str) -> str:
    """Another number of weeks leaves a series on its days of the week."""
    days = re.search(r"BYDAY=[A-Z,]+", getattr(item.record, "recurrence", None) or "")
    return f"{rule};{days[0]}" if days and "WEEKLY" in rule and "BYDAY" not in rule else rule


def _repeats(item: Item) -> bool:
    return bool(getattr(item.record, "recurrence", None))
