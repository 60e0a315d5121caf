"""Appointments whose name or day was told before: "set aside two hours for it", "book sam at 4" after "am i free tomorrow?"."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.requests import events, terse
from agents.understanding.requests.linking import SET_ASIDE
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)


def schedule(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new event, with what it is for and the day taken from the talk before where the words leave them out."""
    rest = intent.parts.get("rest", clause.text)
    if rest.lower().rstrip(" .!").endswith("instead") and (moved := terse.moved(replace(clause, text=rest), scene)):
        return moved
    if SET_ASIDE.match(clause.text) and P.FOR_IT.search(rest):
        title = _just_added(scene)
        found = [] if title else choose.search("it", scene, ("todo", "event"), is_open, None)
        if len(found) != 1 and not title:
            return answer(clause.text, "I don't know what that time is for. Please say it with its name.")
        named = f"for {title or found[0].title}"
        rest = P.FOR_IT.sub(lambda _: named, rest)
        clause = replace(clause, text=P.FOR_IT.sub(lambda _: named, clause.text))
    return events.schedule(
        replace(intent, parts=intent.parts | {"rest": rest}) if intent.parts else intent, clause, scene
    )


def _just_added(scene: Scene) -> str:
    """The task that the words just before asked for, in the same message; empty where they asked for none or several."""
    made = [item.fields.get("task", "") for item in (scene.before[-1].proposals if scene.before else [])]
    return str(made[0]) if len(made) == 1 else ""
