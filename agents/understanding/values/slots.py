"""What was said of a task or an appointment, gathered from the slots of its clause."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from agents.time import FoundTime

ARTICLE = re.compile(r"^(?:a|an|the|my|our)\s+(?=\S)", re.IGNORECASE)
Span = tuple[int, int]


@dataclass(slots=True)
class Slots:
    """What a clause says besides its title."""

    text: str
    title: str = ""
    times: list[FoundTime] = field(default_factory=list)
    levels: dict[str, object] = field(default_factory=dict)
    minutes: int | None = None
    place: str | None = None
    notes: str | None = None
    quoted: str | None = None
    holes: list[Span] = field(default_factory=list)

    def first(self, fits: Callable[[FoundTime], bool]) -> FoundTime | None:
        """The first time phrase of a sort."""
        return next((found for found in self.times if fits(found)), None)

    @property
    def when(self) -> FoundTime | None:
        """The first phrase that places something in time (no length, no lone start of a series)."""
        placed = [found for found in self.times if found.kind in ("point", "interval", "open_before", "set")]
        clear = [found for found in placed if found.kind == "set"] + [found for found in placed if found.timed]
        clear += [found for found in placed if found.role == "deadline"]
        return next(iter(clear + placed), None) or self.first(lambda found: found.kind == "open_after")

    @property
    def repeat(self) -> FoundTime | None:
        """The recurrence, if one was said."""
        return self.first(lambda found: found.kind == "set")


def without_article(title: str) -> str:
    """A title without "the" or "my" in front: "dentist", not "the dentist"."""
    return ARTICLE.sub("", title)
