"""A note about something stored: "add a note to the farrier visit: bring cash"."""

from __future__ import annotations

import re

from agents.records import Event, ToDo
from agents.understanding.items import choose
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause

NOTED = re.compile(
    r"(?:(?:add|put|attach|leave|make|write)\s+)?(?:(?:a|another)\s+)?(?:quick\s+)?note\s+(?:to|on|for|under)\s+(?P<what>(?:(?:the|my|our)\s+)?(?!self\b)[\w'&. -]{2,60}?)"
    r"\s*(?:[:,–-]\s*|\s(?:that says|saying|that)\s+)(?P<note>.{2,500})$",
    re.IGNORECASE | re.DOTALL,
)


ADDED = re.compile(
    r"add\s+to\s+(?P<what>(?:the|my|our)\s+[\w'&. -]{2,60}?)\s*:\s*(?P<note>.{2,500})$", re.IGNORECASE | re.DOTALL
)


def noted(clause: Clause, scene: Scene) -> Share | None:
    """The note joined to those of the one task or event that it names; None when it names none."""
    said = NOTED.match(clause.text) or ADDED.match(clause.text)
    found = choose.search(said["what"], scene, ("event", "todo"), is_open, None) if said else []
    if said is None or len(found) != 1 or not isinstance(found[0].record, Event | ToDo):
        return None
    notes = "\n".join(part for part in (found[0].record.notes, said["note"].strip()) if part)
    return choose.settle(found, "update", said["what"], scene, fields={"notes": notes}, reason="you noted it")
