"""Self-corrections inside one message, carried out: "on tuesday no wait wednesday at ten"."""

from __future__ import annotations

import re

from agents.understanding.verbs import is_verb

REPAIR = re.compile(
    r"(?<![\w'.])(?P<old>[\w'.]{1,40}(?:\s[\w'.]{1,40})?)[\s,]{1,3}(?:no,?\s+wait|wait,?\s+no|uh,?\s+sorry|"
    r"no,?\s+sorry|sorry,?\s+i mean|sorry|or rather|no,?\s+i mean|scratch that|"
    r"no,?\s+make (?:that|it)|make that)[\s,]{1,3}(?P<new>[\w'.]{1,40}(?:\s[\w'.]{1,40})?)",
    re.IGNORECASE,
)
WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight", re.IGNORECASE)


DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight)"
CLOCK = r"(?:\d{1,2}(?::\d\d)?(?:\s?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)"
DAY_REPAIR = re.compile(
    rf"\b(?:{DAY}[\s,]+(?:no|actually|i mean|er|rather)[\s,]+(?={DAY})|"
    rf"(?<=\bat ){CLOCK}[\s,]+(?:no|actually|i mean|er|rather)[\s,]+(?:at\s+)?(?={CLOCK}\b))",
    re.IGNORECASE,
)


def without_restarts(text: str) -> str:
    """The text with the words before a repair replaced by the words after it."""
    return DAY_REPAIR.sub("", REPAIR.sub(_repaired, text))


def _repaired(match: re.Match[str]) -> str:
    old, new = match["old"].split(), match["new"].split()
    if WEEKDAY.fullmatch(old[-1]) and WEEKDAY.fullmatch(new[0]):
        return " ".join([*old[:-1], *new])
    if len(old) == len(new) == 2 and old[0].lower() == new[0].lower():
        return " ".join(new)
    return match[0]


POLITE = re.compile(r"\b(?:would|do) you mind\s+(?P<verb>[a-z]{2,20}ing)\b", re.IGNORECASE)
TO_LIST = re.compile(
    r"^(?P<what>[^\n]{2,200}?)\s*(?:->|=>|→)\s*(?:my\s+)?(?:to-?dos?|tasks?|(?:to-?do |task )?list)\s*$", re.IGNORECASE
)
ARROW = re.compile(r"^(?P<what>[^\n]{2,120}?)\s*(?:->|=>|→)\s*(?P<to>[^\n]{2,60})$")


def imperative(text: str) -> str:
    """Requests in roundabout forms as plain ones: "would you mind moving it", "report -> high"."""
    plain = POLITE.sub(lambda match: _base(match["verb"].lower()), text)
    kept = TO_LIST.match(plain)
    if kept:
        return f"add task: {kept['what']}"
    arrow = ARROW.match(plain)
    return f"set {arrow['what']} to {arrow['to']}" if arrow and not is_verb(arrow["what"].split()[0].lower()) else plain


def _base(gerund: str) -> str:
    """The verb of a gerund: "moving" is "move", "putting" is "put"."""
    stem = gerund.removesuffix("ing")
    forms = (stem, f"{stem}e", stem[:-1])
    return next((form for form in forms if is_verb(form)), gerund)
