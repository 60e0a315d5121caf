"""Appointments whose name or day was told before: "set aside two hours for it", "book sam at 4" after "am i free tomorrow?"."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.understanding.items import choose
from agents.understanding.requests import events
from agents.understanding.requests.linking import SET_ASIDE
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

FOR_IT = re.compile(r"\bfor\s+(?:it|that|this|them)\b(?!\s+[a-z])", re.IGNORECASE)


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
    return events.schedule(
        replace(intent, parts=intent.parts | {"rest": rest}) if intent.parts else intent, clause, scene
    )
