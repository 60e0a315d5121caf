"""One round of a repeating task left out: it goes on to the next, as it does when a round is done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from agents.dates_in_words import say_when
from agents.phrases import quoted
from agents.records import ToDo
from agents.recurrence.rules import next_after, wall_clock
from agents.time import Found
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.slots import forms
from agents.understanding.slots.days import days_of

P = patterns_of(__name__)


def left_out(found: Sequence[Item], text: str, when: Found | None, scene: Scene) -> Share | None:
    """The task at its next round; None when no repeating task is meant, or all of it."""
    todo = found[0].record if len(found) == 1 else None
    if (
        not isinstance(todo, ToDo)
        or not todo.recurrence
        or not ((when and when.day_said) or P.SKIPS.match(text.strip()))
    ):
        return None
    due = todo.deadline or todo.remind_at
    if due is None or (when is not None and when.moment and not _within(due, when, scene)):
        coming = f"is next due {say_when(due, scene.now)}" if due else "has no next round"
        return answer(text, f"{quoted(todo.task)} {coming}; only that round can be skipped.")
    fields = {
        name: after
        for name, value in (("deadline", todo.deadline), ("remind_at", todo.remind_at))
        if value is not None and (after := _next(todo, value, scene))
    }
    if not fields:
        return change(text, choose.propose(found[0], "delete", {}, "that was its last round"))
    return change(text, choose.propose(found[0], "update", fields, "you left one round out"))


def _within(due: date | datetime, when: Found, scene: Scene) -> bool:
    """Whether a round is on the days that a phrase means: "this week", "on friday"."""
    first, last = days_of(when, scene)
    return first <= (due.astimezone(scene.clock.zone).date() if isinstance(due, datetime) else due) <= last


def _next(todo: ToDo, due: date | datetime, scene: Scene) -> str | None:
    """When the task is due after a round, by the clock of its zone."""
    zone = ZoneInfo(todo.zone) if todo.zone else scene.clock.zone
    at = wall_clock(due.isoformat(), zone)
    found = next_after(todo.recurrence or "", at, at)
    if found is None:
        return None
    return forms.instant(found.replace(tzinfo=zone)) if isinstance(due, datetime) else forms.day(found)
