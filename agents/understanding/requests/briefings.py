"""Asking to be told one's day, again and again: "every morning at 7 tell me my day"."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from agents.contract import Proposal
from agents.records import ToDo
from agents.recurrence.next import next_in_series
from agents.reminders import BRIEFING
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import choose_when, filled, is_open, remind_at
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause

TITLE = "daily briefing"
P = patterns_of(__name__)


def wanted(clause: Clause, scene: Scene) -> Share | None:
    """A reminder whose words are the user's day, or its end; None for anything else, a question about one day included."""
    if P.STOP.fullmatch(clause.text.strip(" .!")):
        return _stopped(clause, scene)
    text = f"{clause.context} {clause.text}".strip()
    if not P.WORTH_READING.search(text):
        return None
    slots = filled(text, scene, Clause(text, ""))
    asked = slots.title.strip(" .!,?")
    named = P.NAMED.fullmatch(asked) and (slots.repeat or P.DAILY.search(text))
    if not named and not (slots.repeat and P.TELL.fullmatch(asked) and P.WORTH_READING.search(asked)):
        return None
    rule = slots.repeat.rrule if slots.repeat and slots.repeat.rrule else "FREQ=DAILY"
    fields = {"task": TITLE, "kind": "reminder", "tags": [BRIEFING], "recurrence": rule}
    draft = Proposal(op="create", kind="todo", fields=fields, reason="you asked to be told your day")
    at = remind_at(slots.when, scene) if slots.when and (slots.when.timed or slots.repeat) else None
    if at is None:
        return choose_when(draft, "When shall I tell you your day?", scene)
    return change(clause.text, draft.model_copy(update={"fields": {**fields, "remind_at": _coming(at, rule, scene)}}))


def _coming(at: str, rule: str, scene: Scene) -> str:
    """The first round that is still to come: "a daily briefing at 8", said at ten, begins tomorrow."""
    first, zone = datetime.fromisoformat(at), ZoneInfo(scene.ask.timezone)
    found = next_in_series(rule, first, scene.now, zone) if first <= scene.now else None
    return found.astimezone(zone).isoformat() if found else at


def _stopped(clause: Clause, scene: Scene) -> Share | None:
    found = [item for item in scene.items("todo") if is_open(item) and _is_briefing(item)]
    reason = "you asked for no more briefings"
    return choose.settle(found, "delete", clause.text, scene, reason=reason) if found else None


def _is_briefing(item: Item) -> bool:
    return isinstance(item.record, ToDo) and item.record.kind == "reminder" and BRIEFING in item.record.tags
