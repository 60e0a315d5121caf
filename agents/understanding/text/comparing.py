"""How much something matters, said by comparing: "make the passport less urgent", "bump the report to the top of my list"."""

from __future__ import annotations

import re

WHAT = r"(?P<what>(?:(?:the|my|our|that|this)\s)?[\w'-]+(?:\s[\w'-]+){0,6}?)"
MATTERS = r"(?:urgent|important|pressing|of a priority|of a rush)"
MADE = re.compile(
    rf"\b(?:make|mark|treat|rate|consider)\s{WHAT}\s(?:as\s)?(?:a (?:bit|lot|little)\s|much\s|way\s|slightly\s)?"
    rf"(?P<less>less|not (?:so|that|as|very|too)|more)\s{MATTERS}\b",
    re.IGNORECASE,
)
PLACED = re.compile(
    rf"\b(?:bump|move|push|put|bring|get|shove|send)\s{WHAT}\s(?:up\s|down\s|back\s)?(?:to|at|on)\sthe\s(?:very\s)?(?P<end>top|bottom)"
    r"(?:\sof\s(?:the|my)\s(?:to-?do\s|todo\s|task\s|priority\s)?(?:list|tasks|pile|priorities|queue|heap))?(?=\s*$|\s*[.,!])",
    re.IGNORECASE,
)
STANDS = re.compile(
    rf"(?P<lead>^|[.!?,;]\s+|\b(?:and|so|but|actually)\s)(?!(?:it|that|this)\b){WHAT}\s(?:is|are|has become|became|has got|got|just got|just became)\s"
    rf"(?:now\s|suddenly\s|a (?:bit|lot|little)\s|much\s|way\s)*(?P<less>less|more)\s{MATTERS}(?:\snow|\sthan [\w' ]{{2,40}})?(?=\s*$|\s*[.,!])",
    re.IGNORECASE,
)


def outright(text: str) -> str:
    """The same wishes with the level itself: "set the passport to low priority"."""
    text = MADE.sub(lambda found: _set(found, high=found["less"].lower() == "more"), text)
    text = PLACED.sub(lambda found: _set(found, high=found["end"].lower() == "top"), text)
    return STANDS.sub(lambda found: found["lead"] + _set(found, high=found["less"].lower() == "more"), text)


def _set(found: re.Match[str], *, high: bool) -> str:
    return f"set {found['what']} to {'high' if high else 'low'} priority"
