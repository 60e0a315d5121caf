"""Taking a detail away from something: "take the deadline off the keynote", "no deadline for the shower anymore"."""

from __future__ import annotations

import re

from agents.records import Kind
from agents.understanding.items import choose
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause

FIELDS: dict[str, tuple[Kind, str]] = {
    "deadline": ("todo", "deadline"),
    "due date": ("todo", "deadline"),
    "date": ("todo", "deadline"),
    "priority": ("todo", "priority"),
    "estimate": ("todo", "time_to_complete"),
    "difficulty": ("todo", "difficulty"),
    "location": ("event", "location"),
    "place": ("event", "location"),
}
FIELD = rf"(?P<field>{'|'.join(FIELDS)})"
TAKEN = re.compile(
    rf"(?:take|remove|drop|clear|delete|lose|get rid of|strip|scrap)\s+(?:the\s+|any\s+)?{FIELD}\s+(?:off|from|on|of|for)\s+(?:of\s+)?(?P<what>.{{2,80}})$|"
    rf"(?P<told>(?:the|my)\s.{{2,80}}?)\s+(?:has no|no longer has an?|doesn't have an?|does not have an?)\s+(?P<gone>{'|'.join(FIELDS)})(?:\s+(?:any ?more|now|any longer))?$|"
    rf"(?:there(?:'s| is)\s+)?no\s+(?:more\s+|longer an?\s+)?(?P<no>{'|'.join(FIELDS)})\s+(?:for|on)\s+(?P<for>.{{2,80}}?)(?:\s+(?:any ?more|now|any longer|after all))?$",
    re.IGNORECASE,
)


def cleared(clause: Clause, scene: Scene) -> Share | None:
    """The detail taken away from what is named; None when no detail is."""
    said = TAKEN.match(clause.text)
    if said is None:
        return None
    kind, field = FIELDS[(said["field"] or said["gone"] or said["no"]).lower()]
    what = (said["what"] or said["told"] or said["for"]).strip(" .!")
    found = [item for item in choose.search(what, scene, (kind,), is_open, None) if item.kind == kind]
    if said["what"] is None and len(found) != 1:
        return None
    return choose.settle(found, "update", what, scene, fields={field: None}, reason=f"it has no {field} any more")
