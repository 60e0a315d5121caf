"""Whether a reading may stand for the words at all: "finish the report" is a task, not a report of success."""

from __future__ import annotations

import re

from agents.understanding.grammar import patterns_of
from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import TASK_VERBS

P = patterns_of(__name__)
PUTTING, DETERMINERS = (
    frozenset({"put", "pop", "stick", "slot"}),
    frozenset("the my our a an his her their up out off back".split()),
)
CHANGING = ("move", "relocate", "complete", "delete", "update")


def fits(intent: Intent, text: str) -> bool:
    """Whether a reading may stand for these words at all: "finish the report" is a task, not a report of success."""
    first = text.split(maxsplit=1)[0].lower() if text.split() else ""
    if intent.name == "complete":
        told = re.search(r"\b(?:done|finished|complete[d]?|sorted|behind me|off)\b", text, re.IGNORECASE) is not None
        return told or first not in TASK_VERBS or first in ("complete", "tick", "check", "cross", "mark", "close")
    if intent.name in CHANGING and P.PASSED_ON.match(text):
        return False
    if intent.name == "delete" and (P.CARRIED.match(text) or P.WHENEVER.match(intent.parts["rest"])):
        return False
    if intent.name in ("update", "move") and P.OF_ME.match(intent.parts.get("rest", "")):
        return False
    if intent.name == "update" and first == "call" and not P.NAMING.search(text):
        return False
    if intent.name in ("update", "move") and P.OWN_STORY.match(intent.parts["rest"]):
        return False
    if intent.name == "schedule" and (P.A_TASK.match(intent.parts["rest"]) or _a_deed(first, intent.parts["rest"])):
        return False
    if intent.name == "list_remove" and not intent.parts.get("list") and P.THAT.fullmatch(intent.parts["items"]):
        return False
    if intent.name == "query_calendar":
        return P.OWN.search(text) is not None
    return not (
        intent.name == "move" and first in TASK_VERBS and intent.parts.get("rest", "").startswith(("the old", "my old"))
    )


def _a_deed(first: str, rest: str) -> bool:
    """Whether what shall be put in is something to do to a thing: "put return the drill in for friday"."""
    words = rest.lower().split()
    return first in PUTTING and len(words) > 2 and words[0] in TASK_VERBS and words[1] in DETERMINERS
