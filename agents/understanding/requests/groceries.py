"""Measured goods without a verb of their own go on the shopping list: "add 2 litres of milk", "add a dozen eggs"."""

from __future__ import annotations

from agents.time import find_times
from agents.understanding.requests import list_lines, lists, tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.text.measures import MEASURED
from agents.understanding.text.verbs import is_verb


def add(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Goods by measure, or plain staples, as lines of the one shopping list there is; everything else as a task."""
    said = intent.parts.get("rest", "").strip(" .!")
    there = lists.shopping_lists(scene)
    lines = list_lines.entries(said) if len(there) == 1 and not is_verb(said.partition(" ")[0].lower()) else []
    if any(_is_goods(line) for line in lines) and not find_times(said, scene.clock):
        return lists.add_to_list(
            Intent("list_add", intent.sure, {"list": there[0].title, "items": said}), clause, scene
        )
    return tasks.add(intent, clause, scene)


def _is_goods(line: str) -> bool:
    return MEASURED.fullmatch(line) is not None or line.lower() in list_lines.STAPLES | list_lines.PIECES
