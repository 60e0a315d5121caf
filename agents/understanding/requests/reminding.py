"""Reminders and alarms: what about, and when; whichever is missing is asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from agents.contract import Proposal
from agents.dates_in_words import say_when
from agents.ledger.reminder_time import LATE
from agents.timers import TIMER_TAG
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.items.anchors import told_before
from agents.understanding.requests.setting_out import before_leaving
from agents.understanding.requests.tasks import choose_when, filled, remind_at
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import occasions
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
BARE_ALARMS = ("alarm", "wake up")
FIRST_ALARM_HOUR = 5
"""Alarms end a night: "5:30" is before noon, whatever a bare hour means elsewhere."""


def remind(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A reminder; without any time it is asked for one."""
    rest = intent.parts.get("rest", "")
    text = re.sub(r"^(?:again\s+)?(?:to|that|about|of)\s+", "", rest)
    placed = P.THERE.fullmatch(text)
    if placed:
        return _there(placed, scene)
    text = P.BEFOREHAND.sub(r"\g<what> \g<span> \g<what>", P.BARE_CLOCK.sub(r"at \1 to ", text))
    if "lead" in intent.parts:
        text = f"{text} {intent.parts['lead']}"
    if "wake" in intent.parts:
        text = f"wake up {intent.parts['wake']}"
    named = P.ALARM.match(text) if "remind" not in clause.text.lower() else None
    alarm = "wake" in intent.parts or named is not None
    text = P.ALARM_HOUR.sub("at ", text[named.end() :]) if named else text
    slots = filled(text, _at_dawn(scene) if alarm else scene, clause)
    before_leaving(slots, scene, alarm=alarm)
    slots.title = P.CALLED.sub("", slots.title) if alarm else slots.title
    slots.title = P.NO_SUBJECT.sub("", occasions.named(re.sub(r"^(?:to|that|about|of)\s+", "", slots.title)))
    slots.title = slots.title or told_before(rest, scene) or ("alarm" if alarm and slots.when else "")
    rings = {"tags": [TIMER_TAG]} if slots.title in BARE_ALARMS else {}
    fields: dict[str, Any] = {"task": slots.title, "kind": "reminder", **rings}
    when = slots.when
    if slots.priority:
        fields["priority"] = slots.priority
    if slots.repeat:
        fields["recurrence"] = slots.repeat.rrule
    at = remind_at(when, scene) if when else None
    draft = Proposal(op="create", kind="todo", fields=fields, reason="you asked to be reminded")
    if P.ALARM.fullmatch(rest.strip()) and at is None:
        alarm_draft = draft.model_copy(update={"fields": {**fields, "task": "alarm", "tags": [TIMER_TAG]}})
        return choose_when(alarm_draft, "For when shall I set the alarm?", scene)
    if not slots.title.strip():
        return _of_task_before(at, clause, scene) or _about_what(draft, at, scene)
    past = _past(at, scene) if at and not slots.repeat else ""
    if at is None or past:
        return choose_when(draft, f"{past}When shall I remind you {_joined(slots.title)}?", scene)
    return change(clause.text, draft.model_copy(update={"fields": {**fields, "remind_at": at}}))


def _past(at: str, scene: Scene) -> str:
    """What is said of a time that is over: nobody can be reminded then."""
    when = datetime.fromisoformat(at)
    return f"That would have been {say_when(when, scene.now)}. " if when < scene.now - LATE else ""


def _of_task_before(at: str | None, clause: Clause, scene: Scene) -> Share | None:
    """The task that this message asked for just before, with its reminder: "bring a salad, remind me sunday at noon"."""
    added = scene.before[-1].proposals if at and scene.before else []
    if len(added) != 1 or (added[0].op, added[0].kind) != ("create", "todo") or "recurrence" in added[0].fields:
        return None
    if "remind_at" in added[0].fields:
        return None
    added[0].fields |= {"kind": "reminder", "remind_at": at}
    return Share(text=clause.text)


def _there(placed: re.Match[str], scene: Scene) -> Share:
    """Where somebody is, nobody here knows: the time is asked for."""
    what = placed["what"] or placed["first"]
    draft = Proposal(
        op="create", kind="todo", fields={"task": what, "kind": "reminder"}, reason="you asked to be reminded"
    )
    return choose_when(draft, f"I can't tell where you are. When shall I remind you {_joined(what)}?", scene)


def _at_dawn(scene: Scene) -> Scene:
    """The scene as one who sleeps means its hours."""
    conventions = scene.clock.conventions
    first = min(FIRST_ALARM_HOUR, conventions.first_morning_hour)
    return replace(
        scene, clock=replace(scene.clock, conventions=conventions.model_copy(update={"first_morning_hour": first}))
    )


def _joined(title: str) -> str:
    """A title after "remind you": "to ring Ana", but "about the picnic"."""
    return f"{'to' if is_verb(title.split(maxsplit=1)[0].lower()) else 'about'} {title}"


def _about_what(draft: Proposal, at: str | None, scene: Scene) -> Share:
    """One question for what a reminder is about; the next message fills it."""
    fields = {name: value for name, value in draft.fields.items() if name != "task"} | ({"remind_at": at} if at else {})
    text = "What shall I remind you about?"
    if at:
        text = f"What shall I remind you about {say_when(datetime.fromisoformat(at), scene.now)}?"
    return choose.ask("rephrase", text, [draft.model_copy(update={"fields": fields})], scene)
