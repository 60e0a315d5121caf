"""Several items meant by what was told before: "declan has his timesheet and the tiles came, knock them both off"."""

from __future__ import annotations

from agents.records import ToDo
from agents.understanding.grammar import patterns_of
from agents.understanding.references import Item, mentioned
from agents.understanding.scene import Scene

P = patterns_of(__name__)


def several(phrase: str, scene: Scene) -> list[Item]:
    """The open tasks that the story so far tells of, one for each of its parts; empty when it tells of fewer than two."""
    if not scene.story or not P.PLURAL.fullmatch(phrase.strip()):
        return []
    tasks = [item for item in scene.items("todo") if is_open(item)]
    found = [items[0] for part in P.PARTS.split(scene.story) if len(items := mentioned(part, tasks)) == 1]
    meant = list({item.id: item for item in found}.values())
    scene.explained = scene.explained or len(meant) > 1
    return meant if len(meant) > 1 else []


def is_open(item: Item) -> bool:
    """Whether it is a task to be done."""
    return isinstance(item.record, ToDo) and item.record.status in ("not started", "in progress")
