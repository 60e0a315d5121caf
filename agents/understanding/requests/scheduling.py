"""Appointments whose name or day was told before: "set aside two hours for it", "book sam at 4" after "am i free tomorrow?"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from agents.understanding.items import choose
from agents.understanding.requests import events
from agents.understanding.requests.linking import SET_ASIDE
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.time.search import find_times

FOR_IT = re.compile(r"\bfor\s+(?:it|that|this|them)\b(?!\s+[a-z])", re.IGNORECASE)
ASKED = re.compile(
    r"(?:(?:so|and|ok|okay|hey|hi)[\s,]+)*(?:what|when|am i|are we|is|do i|do we|have i|anything|any|how|free|busy)\b",
    re.IGNORECASE,
)


def schedule(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new event, with what it is for and the day taken from the talk before where the words leave them out."""
    rest = intent.parts.get("rest", clause.text)
    if SET_ASIDE.match(clause.text) and FOR_IT.search(rest):
        found = choose.search("it", scene, ("todo", "event"), is_open, None)
        if len(found) != 1:
            return answer(clause.text, "I don't know what that time is for. Please say it with its name.")
        named = f"for {found[0].title}"
        rest = FOR_IT.sub(lambda _: named, rest)
        clause = replace(clause, text=FOR_IT.sub(lambda _: named, clause.text))
    day = _asked_day(scene)
    times = find_times(rest, scene.clock) if day else []
    if day and any(found.timed for found in times) and not any(found.day_said for found in times):
        rest = f"{rest} on {day:%Y-%m-%d}"
    return events.schedule(
        replace(intent, parts=intent.parts | {"rest": rest}) if intent.parts else intent, clause, scene
    )


def _asked_day(scene: Scene) -> date | None:
    """The one day ahead that the question before was about."""
    asked = scene.ask.recent[-1].said if scene.ask.recent and not scene.before else ""
    if not ASKED.match(asked):
        return None
    said = [found for found in find_times(asked, scene.clock) if found.day_said and found.start]
    days = {found.start.date() for found in said if found.start and found.grain in ("day", "minute", "hour")}
    return days.pop() if len(days) == 1 and min(days) > scene.now.date() else None
