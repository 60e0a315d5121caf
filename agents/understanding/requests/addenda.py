"""What is said after a request about the thing just asked for: "it's important, and I expect it to take three hours"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.time import find_times, on_day
from agents.understanding.grammar import patterns_of
from agents.understanding.items.anchors import BEFORE_IT
from agents.understanding.requests.tasks import remind_at
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots import forms
from agents.understanding.slots.slots import Slots, blank, fill, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.openings import MENDING

P = patterns_of(__name__)
LONGEST = timedelta(hours=24)
FINE = P.FINE


def addendum(clause: Clause, scene: Scene) -> Share | None:
    """An empty share once the details joined the proposal before; None when this is a request of its own."""
    if BEFORE_IT.search(clause.text):  # "i have to be there two hours before" says nothing of how long it takes
        return None
    last = next((share for share in reversed(scene.before) if not _only_joined(share)), None)
    if last is None:
        return None
    if last.proposals and (MENDING.fullmatch(clause.text.strip()) or _of_profile(clause, last)):
        return Share(text=clause.text)
    drafts = last.proposals or [item for question in last.questions for item in question.pending.proposals]
    if len(drafts) != 1 or drafts[0].op != "create" or drafts[0].kind not in ("todo", "event"):
        return None
    ends = P.ENDS_AT.fullmatch(clause.text.strip(" .!")) if drafts[0].kind == "event" else None
    if ends:
        return _until(ends["rest"], drafts[0], clause, scene)
    slots = details_alone(clause, scene)
    fields = _fields(drafts[0], slots, scene) if slots else {}
    if not fields:
        return None
    drafts[0].fields.update({name: value for name, value in fields.items() if not drafts[0].fields.get(name)})
    return Share(text=clause.text)


def _until(rest: str, draft: Proposal, clause: Clause, scene: Scene) -> Share | None:
    """The end of the event just asked for, by the clock; on the next day where it is earlier than the start."""
    times = [found for found in find_times(rest, scene.clock, bare=True) if found.timed and found.start]
    begin = str(draft.fields.get("start", ""))
    if len(times) != 1 or len(begin) < len("2026-11-18T") or draft.fields.get("end"):
        return None
    start = datetime.fromisoformat(begin)
    days = [start.date(), start.date() + timedelta(days=1)] if not times[0].day_said else []
    ends = [on_day(times[0], day, scene.clock).start for day in days] or [times[0].start]
    end = next((one for one in ends if one and start < one < start + LONGEST), None)
    if end is None:
        return None
    draft.fields["end"] = forms.instant(end)
    return Share(text=clause.text)


def _only_joined(share: Share) -> bool:
    """Whether a clause only gave details to what stood before it."""
    return not (share.worker or share.questions or share.unclear or share.note)


def _of_profile(clause: Clause, last: Share) -> bool:
    return last.proposals[0].kind == "profile" and P.OF_PROFILE.match(clause.text) is not None


def details_alone(clause: Clause, scene: Scene) -> Slots | None:
    """The details of a clause that says nothing else."""
    slots = fill(FINE.sub("", clause.text), scene.clock)
    pieces = re.split(r"[\u241f.]", blank(slots.text, slots.holes))
    left = "".join(tidy(P.LEAD.sub("", piece.strip(" ,;:-"))) for piece in pieces).strip(" ,")
    return slots if not left and not slots.quoted else None


def _fields(draft: Proposal, slots: Slots, scene: Scene) -> dict[str, Any]:
    when = slots.when
    if draft.kind == "event":
        start = draft.fields.get("start")
        if not slots.minutes or not start or len(str(start)) < len("2026-11-18T"):
            return {}
        begin = datetime.fromisoformat(str(start))
        return {
            "end": forms.instant((begin.astimezone(UTC) + timedelta(minutes=slots.minutes)).astimezone(begin.tzinfo))
        }
    fields: dict[str, Any] = slots.levels()
    if when and draft.fields.get("kind") == "reminder":
        at = remind_at(when, scene)
        return fields | ({"remind_at": at} if at else {})
    due = forms.due(when) if when else None
    return fields | ({"deadline": due} if due else {})
