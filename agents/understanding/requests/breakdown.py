"""Steps for a task that is there: "break down the thesis chapter", "what are the steps for the move"."""

from __future__ import annotations

from agents.phrases import quoted
from agents.records import ToDo
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.steps import steps_for
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)


def breakdown_request(clause: Clause, scene: Scene) -> Share | None:
    """The steps of the one open task meant, kept with it when it had none; None where no open task is named."""
    match = P.BREAKDOWN_REQUEST.fullmatch(clause.text.strip(" ?.!"))
    if match is None:
        return None
    phrase = match["what"] or match["steps"]
    found: list[Item] = choose.search(phrase, scene, ("todo",), is_open, None)
    if len(found) != 1 or not isinstance(found[0].record, ToDo):
        return None
    return _stepped(found[0], found[0].record, clause)


def _stepped(item: Item, todo: ToDo, clause: Clause) -> Share:
    if todo.solutions:
        listed = "; ".join(f"{place}. {step}" for place, step in enumerate(todo.solutions, start=1))
        return answer(clause.text, f"{quoted(todo.task)}: {listed}.")
    steps = steps_for(todo.task)
    if not steps:
        return answer(
            clause.text, f"I know no steps for {quoted(todo.task)}. What would be the very first thing to do?"
        )
    return change(clause.text, choose.propose(item, "update", {"solutions": steps}, "you asked for its steps"))
