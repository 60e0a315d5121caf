"""Questions about all that was said of something: when first, when last, how often."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["first", "last", "often"]
SAYING = r"(?:say|said|mention(?:ed)?|talk(?:ed)?|speak|spoke|tell|told|wr(?:i|o)te|note)"
LINK = r"(?:\s+(?:to\s+)?(?:you|anything|something))?(?:\s+(?:about|of|that|on))?"
WHEN = re.compile(
    rf"^\W*(?:when\s+did\s+i\s+(?P<early>first|last)\s+{SAYING}"
    rf"|when\s+was\s+the\s+(?P<middle>first|last)\s+time\s+(?:that\s+)?i\s+{SAYING}"
    rf"|when\s+did\s+i\s+{SAYING}(?=.*\bfor\s+the\s+(?P<late>first|last)\s+time\W*$)"
    rf"|(?P<often>how\s+(?:often|many\s+times))\s+(?:did|have)\s+i\s+{SAYING}){LINK}\s+(?P<topic>\S.*)$",
    re.IGNORECASE,
)
FRAME_END = re.compile(r"(?<!\s)\s+for\s+the\s+(?:first|last)\s+time\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OverAll:
    """What is asked over all that matches, and the words that it is about, without those that ask."""

    kind: Kind
    topic: str


def over_all(question: str) -> OverAll | None:
    """How a question asks over all that was said; None for one that wants the best answer."""
    found = WHEN.match(question)
    if found is None:
        return None
    named = found["early"] or found["middle"] or found["late"]
    kind: Kind = "often" if named is None else "first" if named.lower() == "first" else "last"
    return OverAll(kind, FRAME_END.sub("", found["topic"]))
