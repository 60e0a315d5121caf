"""What has to be handed in by a day, told as a fact: "the essay is due on friday", "library books are due back monday"."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.requests import tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
ARRIVES = frozenset(
    "baby period train bus flight plane ferry coach delivery parcel package mum mom dad taxi cab".split()
)
"""What is due without anybody's having to do it."""


def owed(clause: Clause, scene: Scene) -> Share | None:
    """A task with that deadline; None for what only arrives then, and for what is known already."""
    due = P.DUE.match(clause.text)
    if due is None:
        return None
    slots = tasks.filled(due["rest"], scene, clause)
    when = slots.when
    if when is None or not when.day_said or when.moment is None or when.moment < scene.now:
        return None
    if ARRIVES & set(due["what"].lower().split()) or choose.search(
        due["what"], scene, ("event", "todo"), lambda _: True, None
    ):
        return None
    return tasks.add(Intent("add_task", 0.7, {"rest": f"{due['what']} {due['rest']}"}), clause, scene)
