"""When a task is due, when it reminds, and until when it is put off."""

from __future__ import annotations

import re
from typing import Any

from agents.time import FoundTime, find_times
from agents.understanding.scene import Scene
from agents.understanding.values import forms
from agents.understanding.values.slots import Slots


def details(slots: Slots) -> dict[str, Any]:
    """Priority, difficulty, estimate, deadline and recurrence as fields."""
    fields = slots.levels | ({"time_to_complete": slots.minutes} if slots.minutes else {})
    when = slots.when
    if slots.repeat:
        fields["recurrence"] = slots.repeat.rrule
    if when and forms.due(when):
        fields["deadline"] = forms.due(when)
    return fields


def remind_at(when: FoundTime, scene: Scene) -> str | None:
    """Return the instant of a reminder; a day without a clock time means nine in the morning, later a later hour."""
    moment = when.moment
    if moment is None:
        return None
    when = forms.beside_its_day(when, scene.clock, "open_before")
    if when.kind == "open_before" and not when.timed:
        rest = re.sub(r"^(?:by|before)\s+", "at ", when.text, flags=re.IGNORECASE)
        again = find_times(rest, scene.clock)  # "by the end of friday" rings then
        when = again[0] if len(again) == 1 and again[0].timed and again[0].moment else when
    if when.timed and when.moment:
        return forms.instant(when.moment)
    within = when.start and when.end and when.start <= scene.now < when.end  # "this week"
    day = forms.last_day(when) if when.kind == "open_before" else scene.now.date() if within else moment.date()
    nine = find_times(f"{day:%Y-%m-%d} 9am", scene.clock) if day else []
    at = nine[0].start if nine else None
    if at and when.kind != "set" and at <= scene.now and day == scene.now.date():
        at = next((one.start for one in find_times("later today", scene.clock) if one.timed), at)
    return forms.instant(forms.next_round(when, at, scene.now)) if at else None


def back_on(when: FoundTime, scene: Scene) -> str | None:
    """When a snoozed item comes back: at the beginning of what was said, "until december" on the first."""
    named = find_times(re.sub(r"^(?:until|till|til)\s+", "", when.text, flags=re.IGNORECASE), scene.clock, bare=True)
    if when.timed or not named or named[0].start is None or named[0].timed:
        return forms.due(when)
    return forms.day(named[0].start)
