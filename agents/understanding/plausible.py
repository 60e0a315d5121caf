"""Whether a reading may stand for the words at all: "finish the report" is a task, not a report of success."""

from __future__ import annotations

import re

from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import TASK_VERBS

OWN = re.compile(
    r"\b(?:i|i've|i'm|my|me|we|our|calendar|diary|agenda|events?|meetings?|appointments?|today|tomorrow|tmrw?|tonight|noon|"
    r"week|wk|weekend|wknd|month|year|coming up|"
    r"jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b",
    re.IGNORECASE,
)
PUTTING, DETERMINERS = (
    frozenset({"put", "pop", "stick", "slot"}),
    frozenset("the my our a an his her their up out off back".split()),
)
PASSED_ON = re.compile(
    r"(?:text|tell|message|msg|email|e-mail|mail|dm|whatsapp|inform|warn|notify|ask|write(?: to)?|ring|call|phone|let)\s+(?!me\b|it\b|off\b|in sick\b)"
    r"[\w' ]{2,40}?\s(?:that|know|if|whether|about|to)\s",
    re.IGNORECASE,
)
OWN_STORY = re.compile(r"(?:i|i've|we|we've|there|there's)\b", re.IGNORECASE)
A_TASK = re.compile(
    r"(?:a|an|another|the|me)?\s*(?:(?:new|recurring|repeating|repeated|daily|weekly|monthly)\s+)*(?:task|todo|to-do|habit|"
    r"chore|reminder)\b",
    re.IGNORECASE,
)
WHENEVER = re.compile(r"(?:every|each|on|by|at|tonight|tomorrow)\b(?!'s)", re.IGNORECASE)
OF_ME = re.compile(r"my (?:name|job|location|city|home town|course|major|degree|college|university)\b", re.IGNORECASE)
CHANGING = ("move", "relocate", "complete", "delete", "update")
CARRIED = re.compile(
    r"take out\b.*\b(?:every|each|trash|garbage|rubbish|recycling|bins?|tonight|tomorrow|daily|weekly)\b", re.IGNORECASE
)
NAMING = re.compile(
    r"call (?:it|that|this|them)\b|[\"“]|\b(?:high|medium|low|top|easy|hard)\s*(?:priority)?$", re.IGNORECASE
)
THAT = re.compile(r"(?:it|that|this|them|that one|that thing)", re.IGNORECASE)


def fits(intent: Intent, text: str) -> bool:
    """Whether a reading may stand for these words at all: "finish the report" is a task, not a report of success."""
    first = text.split(maxsplit=1)[0].lower() if text.split() else ""
    if intent.name == "complete":
        told = re.search(r"\b(?:done|finished|complete[d]?|sorted|behind me|off)\b", text, re.IGNORECASE) is not None
        return told or first not in TASK_VERBS or first in ("complete", "tick", "check", "cross", "mark", "close")
    if intent.name in CHANGING and PASSED_ON.match(text):
        return False
    if intent.name == "delete" and (CARRIED.match(text) or WHENEVER.match(intent.parts["rest"])):
        return False
    if intent.name in ("update", "move") and OF_ME.match(intent.parts.get("rest", "")):
        return False
    if intent.name == "update" and first == "call" and not NAMING.search(text):
        return False
    if intent.name in ("update", "move") and OWN_STORY.match(intent.parts["rest"]):
        return False
    if intent.name == "schedule" and (A_TASK.match(intent.parts["rest"]) or _a_deed(first, intent.parts["rest"])):
        return False
    if intent.name == "list_remove" and not intent.parts.get("list") and THAT.fullmatch(intent.parts["items"]):
        return False
    if intent.name == "query_calendar":
        return OWN.search(text) is not None
    return not (
        intent.name == "move" and first in TASK_VERBS and intent.parts.get("rest", "").startswith(("the old", "my old"))
    )


def _a_deed(first: str, rest: str) -> bool:
    """Whether what shall be put in is something to do to a thing: "put return the drill in for friday"."""
    words = rest.lower().split()
    return first in PUTTING and len(words) > 2 and words[0] in TASK_VERBS and words[1] in DETERMINERS
