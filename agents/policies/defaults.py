"""Instructions that fill in what was not said: priority, estimate, length and reminder."""

from __future__ import annotations

import re
from typing import Literal

from agents.policies.clock_words import LENGTH, length_in
from agents.policies.matching import URGENT, kept
from agents.policies.rules import Default, Rule

LEVELS: dict[str, Literal["low", "medium", "high"]] = {
    "high": "high",
    "highest": "high",
    "top": "high",
    "urgent": "high",
    "important": "high",
    "p1": "high",
    "medium": "medium",
    "normal": "medium",
    "p2": "medium",
    "low": "low",
    "lowest": "low",
    "p3": "low",
}
LEVEL = "|".join(LEVELS)
GIVES = (
    rf"(?:is|are|gets?|should (?:be|get|have)|must be|counts? as|as|has|have|=|to|with|at|of)\s+(?:marked\s+|given\s+|treated\s+)?(?:as\s+)?"
    rf"(?:a\s+|an\s+|of\s+|always\s+|set to\s+)?(?P<level>{LEVEL})(?:[\s-]+priority)?\b"
)
SPAN = re.sub(r"\?P<\w+>", "?:", LENGTH)
PRIORITY = (
    re.compile(
        rf"\b(?:whenever|when|if|every time|each time)\b(?P<cond>.{{2,100}}?),?\s+(?:then\s+)?(?:make|mark|give|set|flag|treat)\s+(?:it|them|that)\s+"
        rf"(?:as\s+|to\s+)?(?:a\s+)?(?P<level>{LEVEL})\b(?P<rest>)"
    ),
    re.compile(rf"(?P<cond>.{{0,120}}?)\s*\b{GIVES}(?P<rest>.{{0,60}})"),
    re.compile(rf"\b(?:give|assign)\s+(?P<cond>.{{2,80}}?)\s+(?:a\s+)?(?P<level>{LEVEL})[\s-]+priority(?P<rest>)"),
    re.compile(rf"\b(?P<level>{LEVEL})[\s-]+priority\s+(?:for|to|on)\s+(?P<cond>.{{2,80}})(?P<rest>)"),
)
ABOUT_PRIORITY = re.compile(rf"\bpriorit|\b(?:as|=|to)\s+(?:{LEVEL})\b|\b(?:mark|treat|flag)\b")
ESTIMATED = r"\bestimate(?:s|d (?:times?|durations?|lengths?))?\b"
ESTIMATE = re.compile(
    rf"\b(?:add|give|set|put|include|attach|make|provide)\b.{{0,40}}{ESTIMATED}|"
    r"\bestimate\b.{0,30}\b(?:time|long|duration|tasks?|everything|effort)\b|"
    rf"{ESTIMATED}\s+automatically\b|\bauto(?:matically)?[\s-]*estimate\b"
)
ASKED_ESTIMATE = re.compile(r"\bask\b")
MEETINGS = (
    r"(?:meetings?|events?|appointments?|calls?|sessions?|lessons?|classes|interviews?|lunch(?:es)?|syncs?|stand-?ups?)"
)
DURATION = (
    re.compile(
        rf"\b(?:whenever|when|if|every time|each time)\b.{{0,40}}?(?P<what>{MEETINGS})\b.{{0,40}}?\b(?:make|set|book|schedule)\s+(?:it|them|that)\s+"
        rf"(?:to\s+|for\s+|be\s+|last\s+|always\s+)*(?P<length>{SPAN})"
    ),
    re.compile(
        rf"(?P<what>(?:[\w'-]{{1,40}}\s+){{0,4}}?{MEETINGS})\s+(?:are|is|last|lasts|take|takes|should (?:be|last|take)|run|runs)\s+"
        rf"(?:always\s+|usually\s+|by default\s+|for\s+)*(?P<length>{SPAN})"
    ),
    re.compile(
        rf"\b(?:make|schedule|book|set|plan)\s+(?P<what>(?:[\w'-]+\s+){{0,3}}?{MEETINGS})\s+(?:to\s+be\s+|to\s+|for\s+|as\s+|at\s+|last\s+)*"
        rf"(?P<length>{SPAN})"
    ),
    re.compile(
        rf"\b(?:default|standard|usual)\s+(?P<what>{MEETINGS})?\s*(?:length|duration|time)?\s*(?:for\s+(?P<for>(?:[\w'-]+\s+){{0,3}}?{MEETINGS})\s+)?"
        rf"(?:is|are|of|=|to)\s+(?P<length>{SPAN})"
    ),
)
REMIND = re.compile(
    rf"\b(?:remind|notify|alert|ping|nudge|warn)\s+me\s+(?P<length>{SPAN}|the day)\s+(?:before|ahead of|prior to|in advance of)\s+"
    rf"(?:(?:every|each|all|any|my|of)\s+)*(?P<what>.{{0,40}}?\b{MEETINGS})\b|"
    rf"\b(?:set|add|create|put|give me)\s+(?:a\s+)?reminders?\s+(?P<length2>{SPAN}|the day)\s+(?:before|ahead of)\s+"
    rf"(?:(?:every|each|all|any|my)\s+)*(?P<what2>.{{0,40}}?\b{MEETINGS})\b"
)
ALWAYS = re.compile(r"\b(?:every|each|all|any|always|meetings|events|appointments|calls|sessions)\b")
EMPTY = frozenset(
    """
    any anything everything something new task todo to-do item all about for from now on to with mark make set that mention contain
    every thing give treat always tag tagged flag a an the my our is are priority default by be it as of in at automatically
    which when i you me we add create make added they them me tasks reminder event related regarding concerning do have has should must stuff ones one
    """.split()
)
ANY_MEETING = frozenset(
    {
        "meeting",
        "event",
        "appointment",
        "my",
        "all",
        "every",
        "each",
        "any",
        "new",
        "the",
        "a",
        "our",
        "always",
        "default",
    }
)


def priorities(text: str) -> list[Rule]:
    """A priority for new tasks."""
    match = next((found for form in PRIORITY if (found := form.search(text))), None)
    if match is None or not ABOUT_PRIORITY.search(text):
        return []
    urgent = bool(URGENT.search(match["cond"]))
    level = LEVELS[match["level"]]
    conditions = [kept(part, EMPTY) for part in re.split(r"\bor\b", URGENT.sub(" ", match["cond"]))]
    about = dict.fromkeys(condition for condition in conditions if condition) or {(): None}
    return [Default(kind="todo", field="priority", value=level, about=words, urgent=urgent) for words in about]


def estimates(text: str) -> list[Rule]:
    """An estimate for new tasks: the one that was said, or one made from their words."""
    if not ESTIMATE.search(text) or ASKED_ESTIMATE.search(text):
        return []
    return [Default(kind="todo", field="time_to_complete", value=length_in(text))]


def durations(text: str) -> list[Rule]:
    """How long an event lasts."""
    match = next((found for form in DURATION if (found := form.search(text))), None)
    minutes = length_in(match["length"]) if match else None
    if match is None or minutes is None:
        return []
    what = match.groupdict().get("for") or match["what"] or ""
    return [Default(kind="event", field="duration", value=minutes, about=_about(what))]


def reminders(text: str) -> list[Rule]:
    """A reminder before events."""
    match = REMIND.search(text)
    if match is None or not ALWAYS.search(text):
        return []
    said = match["length"] or match["length2"]
    minutes = 24 * 60 if said == "the day" else length_in(said)
    if minutes is None:
        return []
    what = match["what"] or match["what2"] or ""
    return [Default(kind="event", field="remind_before", value=minutes, about=_about(what))]


def _about(what: str) -> tuple[str, ...]:
    return kept(what, ANY_MEETING)
