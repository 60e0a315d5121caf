"""The time that was asked for: "thursday at 3", one of the times on offer, a clock time on the day that was said before."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from agents.contract import Pending, Proposal, Question
from agents.time import Found, find_times, merged, on_day
from agents.understanding.discourse.amending import LEAD
from agents.understanding.discourse.consent import YES
from agents.understanding.discourse.surplus import of_question, surplus
from agents.understanding.items.anchors import hanging
from agents.understanding.requests.carrying import ARRANGING
from agents.understanding.requests.tasks import back_on, remind_at
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.days import on_days
from agents.understanding.slots.slots import blank, fill

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
LONGEST = 12


def timed(pending: Pending, text: str, scene: Scene) -> list[Share] | None:
    """The drafts with their time; None when the message is about something else, or says no time."""
    slots = fill(LEAD.sub("", text), scene.clock, place=True)
    # What the time hangs on may be told of by itself: "my anniversary is on june 12".
    known = [blank(told, hanging(told, scene)) for told in of_question(pending, scene)]
    if len(text.split()) > LONGEST or surplus(slots.title, [*ARRANGING, *known], scene):
        return None
    place = _place(pending, text, scene)
    if place is not None and place >= len(pending.options):
        return None
    text = pending.options[place].label if place is not None else text
    times = merged(find_times(text, scene.clock, bare=len(text.split()) <= 3), scene.clock)
    when = next((found for found in times if found.moment), None)
    if when is None or not pending.proposals:
        return None
    draft = pending.proposals[0]
    if when.timed and not when.day_said:
        on_day_said = _on_the_day_said(when, pending, scene)
        if on_day_said is None:
            return None
        when = on_day_said
    fields = _when_fields(draft, when, text, pending, scene)
    if fields is None and draft.kind == "event" and when.start and when.grain == "day":
        return [_asked_hour(draft, when.start.date(), pending, text, scene)]
    repeat = next((found for found in times if found.kind == "set" and found.rrule), None)
    if fields and repeat:
        fields["recurrence"] = repeat.rrule
    if fields:
        fields |= {"location": slots.place} if draft.kind == "event" and slots.place else {}
        fields |= slots.levels() if draft.kind == "todo" else {}
    return [change(text, draft.model_copy(update={"fields": draft.fields | fields}))] if fields else None


def _asked_hour(draft: Proposal, day: date, pending: Pending, text: str, scene: Scene) -> Share:
    """The question for the clock time on the day just said, which it keeps."""
    asked = f"What time is {draft.fields.get('title', 'it')} {on_days(day, day, scene)}?"
    waiting = pending.model_copy(update={"text": f"{pending.text}, {text}", "options": []})
    return Share(text=text, questions=[Question(text=asked, pending=waiting)])


def _on_the_day_said(when: Found, pending: Pending, scene: Scene) -> Found | None:
    """A clock time on the day that the question's own message named; None where that day is what nobody knows."""
    unknown = hanging(pending.text, scene)
    times = merged(find_times(pending.text, scene.clock, literal=unknown), scene.clock)
    before = [found for found in times if found.moment and (found.day_said or not unknown)]
    day = next((found.moment for found in before if found.day_said), None)
    if day and len(before) == 1:
        return on_day(when, day.date(), scene.clock)
    return None if unknown else when


def _place(pending: Pending, text: str, scene: Scene) -> int | None:
    """Which of the offered times a short answer takes: "yes", "the first one", "the last", "thursday"."""
    if not pending.options:
        return None
    said = re.findall(r"\w+", text.lower())
    place = next((place for place, word in enumerate(ORDINALS) if word in said), None)
    if place is None and "last" in said:
        return len(pending.options) - 1
    if place is None and not find_times(text, scene.clock):
        return 0 if YES.match(text) else None
    return place if place is not None else _on_its_day(pending, text, scene)


def _on_its_day(pending: Pending, text: str, scene: Scene) -> int | None:
    """The one offered time on the day named, where no hour is: "thursday"."""
    said = find_times(text, scene.clock)
    offered = [next(iter(find_times(option.label, scene.clock)), None) for option in pending.options]
    days = [found.moment.date() if found and found.moment else None for found in offered]
    day = said[0].moment.date() if len(said) == 1 and said[0].moment and not said[0].timed else None
    return days.index(day) if day and days.count(day) == 1 else None


def _length(pending: Pending, scene: Scene) -> int | None:
    """Minutes: as long as the times on offer, or as the question's own message said."""
    offered = find_times(pending.options[0].label, scene.clock) if pending.options else []
    if offered and offered[0].start and offered[0].end:
        return round((offered[0].end - offered[0].start).total_seconds() / 60)
    return fill(pending.text, scene.clock).minutes


def _when_fields(draft: Proposal, when: Any, text: str, pending: Pending, scene: Scene) -> dict[str, Any] | None:
    from agents.understanding.requests.events import in_the_evening, when_fields

    if draft.kind == "event":
        slots = fill(text, scene.clock)
        slots.minutes = slots.minutes or _length(pending, scene)
        slots.times = [when] if when.timed else merged(slots.times, scene.clock) or [when]
        title = str(draft.fields.get("title", ""))
        in_the_evening(slots, title, scene.now)
        found = when_fields(slots, title)
        return (
            found or {"start": forms.day(when.moment), "end": forms.day(when.moment), "all_day": True}
            if _all_day(text)
            else found
        )
    if "snooze_until" in draft.fields:
        return {"snooze_until": back_on(when, scene)}
    if draft.fields.get("kind") == "reminder":
        at = remind_at(when, scene)
        return {"remind_at": at} if at else None
    due = forms.due(when)
    return {"deadline": due} if due else None


def _all_day(text: str) -> bool:
    return re.search(r"\ball day\b|\bwhole day\b", text, re.IGNORECASE) is not None
