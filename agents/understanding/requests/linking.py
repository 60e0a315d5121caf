"""Time set aside for a task: the event knows which one it is for, and how long that takes."""

from __future__ import annotations

from agents.records import ToDo
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
SET_ASIDE = P.SET_ASIDE


def task_for(title: str, clause: Clause, scene: Scene) -> ToDo | None:
    """The one open task that time is set aside for; None when none is meant, or several could be."""
    if not SET_ASIDE.match(clause.text.strip()):
        return None
    for words in dict.fromkeys((title, P.WORK.sub("", title))):
        found: list[Item] = choose.search(words, scene, ("todo",), is_open, None)
        if len(found) == 1 and isinstance(found[0].record, ToDo):
            return found[0].record
    return None
