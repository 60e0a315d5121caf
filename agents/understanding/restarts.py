"""Self-corrections inside one message, carried out: "on tuesday no wait wednesday at ten"."""

from __future__ import annotations

import re

REPAIR = re.compile(
    r"(?<![\w'.])(?P<old>[\w'.]{1,40}(?:\s[\w'.]{1,40})?)[\s,]{1,3}(?:no,?\s+wait|wait,?\s+no|uh,?\s+sorry|"
    r"no,?\s+sorry|sorry,?\s+i mean|sorry|or rather|no,?\s+i mean|scratch that|"
    r"no,?\s+make (?:that|it)|make that)[\s,]{1,3}(?P<new>[\w'.]{1,40}(?:\s[\w'.]{1,40})?)",
    re.IGNORECASE,
)
WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight", re.IGNORECASE)


def without_restarts(text: str) -> str:
    """The text with the words before a repair replaced by the words after it."""
    return REPAIR.sub(_repaired, text)


def _repaired(match: re.Match[str]) -> str:
    old, new = match["old"].split(), match["new"].split()
    if WEEKDAY.fullmatch(old[-1]) and WEEKDAY.fullmatch(new[0]):
        return " ".join([*old[:-1], *new])
    if len(old) == len(new) == 2 and old[0].lower() == new[0].lower():
        return " ".join(new)
    return match[0]
