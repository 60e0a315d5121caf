"""Open loops: what was said to be done, and whether a record or later words say that it is taken care of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

MIN_SHARED_WORDS = 0.6
"""Share of the words of the shorter one that a record has in common with what was said."""
MAX_DUTY_CHARS = 160
"""Characters of what is to be done."""
DUTY = re.compile(
    r"(?<![\w'\u2019])(?:(?:i|we)\s+(?:(?:really|still|also|just)\s+)*"
    r"(?:need\s+to|have\s+to|must|should|ought\s+to|(?:have\s+)?got\s+to|gotta)"
    r"|(?:i|we)(?:'|\u2019)ve\s+got\s+to"
    r"|(?:do\s+not|don(?:'|\u2019)t)\s+(?:let\s+me\s+)?forget\s+to"
    r"|(?:remind\s+me|remember)\s+to|to-?do:)\s+(?P<what>[^.?!;\n]+)",
    re.IGNORECASE,
)
UNREAL = re.compile(
    r"\b(?:if|whether|unless|when|why|what|how|who|where|which|do|did|does|say|says|said|think|thought|told|nothing|all)\s*$",
    re.IGNORECASE,
)
"""Before "I must ...": a question, a condition, somebody else's words."""
NOT_TO_DO = re.compile(r"^(?:(?:not|never|no|say|admit|confess|be|have|know|think)\b|go$)", re.IGNORECASE)
"""After it: what nobody would put on a list."""


@dataclass(frozen=True, slots=True)
class Duty:
    """What a text says is to be done: its words, and the characters [start, end) of the text where they are said."""

    what: str
    start: int
    end: int


def duties(text: str) -> Iterator[Duty]:
    """What a text says that its speaker is to do; nothing where it asks, denies or supposes."""
    for found in DUTY.finditer(text):
        what = found["what"].strip(" ,")
        before = text[: found.start()]
        asked = text[found.end() : found.end() + 1] == "?"
        if len(what) <= MAX_DUTY_CHARS and not asked and not UNREAL.search(before) and not NOT_TO_DO.match(what):
            yield Duty(what, found.start(), found.start("what") + len(found["what"].rstrip(" ,")))


def covers(record: Collection[str], duty: Collection[str]) -> bool:
    """Whether a record is about a duty, both as sets of stems."""
    common = set(record) & set(duty)
    return bool(common) and len(common) >= MIN_SHARED_WORDS * min(len(set(record)), len(set(duty)))


def says_done(later: Collection[str], duty: Collection[str]) -> bool:
    """Whether later words have all of a duty's: "I called the dentist"."""
    return bool(duty) and set(duty) <= set(later)
