"""Times in a question that hang on something that was said: "before I moved"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from app.memory.model.memory import Asked

CLAUSE = re.compile(
    r"\b(?P<side>before|until|after|since)\s+(?P<what>(?:i|we|he|she|they|my|our|the)\s+[^?.!,;]{2,80})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Landmark:
    """What a time hangs on, and on which side of it the time lies."""

    side: str
    what: str
    span: tuple[int, int]

    @property
    def is_end(self) -> bool:
        """Whether the time ends with it."""
        return self.side in ("before", "until")


def landmark_in(question: str) -> Landmark | None:
    """The first of a question, where it has one."""
    found = CLAUSE.search(question)
    return Landmark(found["side"].lower(), found["what"].strip(), found.span()) if found else None


def apply_landmark(asked: Asked, landmark: Landmark, moment: datetime) -> Asked:
    """The question without the words of its landmark, about the time on that side of ``moment`` alone."""
    start, end = landmark.span
    text = f"{asked.text[:start].rstrip()}{asked.text[end:]}"
    if landmark.is_end:
        return replace(asked, text=text, until=min(moment, asked.until or moment))
    return replace(asked, text=text, since=max(moment, asked.since or moment))
