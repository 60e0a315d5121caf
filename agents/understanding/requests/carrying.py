"""What a clause takes over from those before it: the verb of a removal, the duty of "i need to ring mum and book a table"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.verbs import is_verb

REMOVING = frozenset("delete remove archive bin scrap drop".split())
ARRANGING = frozenset("book schedule arrange organise organize reserve order plan".split())
"""Verbs that ask for an appointment by themselves, but are an errand among others."""
P = patterns_of(__name__)


def carried(clauses: Sequence[Clause], scene: Scene) -> list[Clause]:
    """The clauses with the words that they share with those before them."""
    return _added(_duties(_removals(clauses, scene), scene)) if len(clauses) > 1 else list(clauses)


def _added(clauses: list[Clause]) -> list[Clause]:
    """The last of a row of tasks is added like the first: "add mop kitchen and take out compost to my tasks"."""
    last = trim(clauses[-1].text)
    adds = P.ADDS.match(clauses[0].text.strip()) and P.TO_TASKS.search(last) and not P.ADDS.match(last)
    return [*clauses[:-1], replace(clauses[-1], text=f"add {last}")] if adds else clauses


def _removals(clauses: Sequence[Clause], scene: Scene) -> list[Clause]:
    """The name of a task after a removal has the verb of it: "delete the photos and learn rive", where both are tasks."""
    titles = {item.title.lower() for item in scene.items("todo")}
    verb, found = "", list[Clause]()
    for clause in clauses:
        first = trim(clause.text).partition(" ")[0].lower()
        verb = first if first in REMOVING else verb if trim(clause.text).lower() in titles else ""
        found.append(replace(clause, text=f"{verb} {trim(clause.text)}") if verb and verb != first else clause)
    return found


def _duties(clauses: Sequence[Clause], scene: Scene) -> list[Clause]:
    """What has to be arranged at no known time is a duty like the one before it: "... and book swimming lessons"."""
    duty, found = "", list[Clause]()
    for clause in clauses:
        said = trim(clause.text)
        first = said.partition(" ")[0].lower()
        begins = P.DUTY.match(said)
        duty = begins[0] if begins else duty if is_verb(first) else ""
        open_ended = duty and first in ARRANGING and not find_times(said, scene.clock)
        found.append(replace(clause, text=f"{duty}{said}") if open_ended else clause)
    return found
