"""A note about something stored: "add a note to the farrier visit: bring cash"."""

from __future__ import annotations

from agents.records import Event, ToDo
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)


def noted(clause: Clause, scene: Scene) -> Share | None:
    """The note joined to those of the one task or event that it names; None when it names none."""
    said = P.NOTED.match(clause.text) or P.ADDED.match(clause.text)
    found = choose.search(said["what"], scene, ("event", "todo"), is_open, None) if said else []
    if said is None or len(found) != 1 or not isinstance(found[0].record, Event | ToDo):
        return None
    notes = "\n".join(part for part in (found[0].record.notes, said["note"].strip()) if part)
    return choose.settle(found, "update", said["what"], scene, fields={"notes": notes}, reason="you noted it")
