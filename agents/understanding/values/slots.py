"""What was said of a task or an appointment, gathered from the slots of its clause."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from agents.time import FoundTime

TAGGING = frozenset("tag tags tagged label labelled".split())
TAG = re.compile(r"(?<!\S)#([^\W\d_][\w-]*)")
ARTICLE = re.compile(r"^(?:a|an|the|my|our)\s+(?=\S)", re.IGNORECASE)


@dataclass(slots=True)
class Slots:
    """What a clause says besides its title."""

    text: str
    title: str = ""
    times: list[FoundTime] = field(default_factory=list)
    levels: dict[str, object] = field(default_factory=dict)
    minutes: int | None = None
    place: str | None = None
    apart: bool = False
    """Whether other words stand between its times."""

    def change_time(self, old: FoundTime, **changes: Any) -> None:
        """Change one of the times."""
        self.times = [replace(found, **changes) if found is old else found for found in self.times]

    @property
    def when(self) -> FoundTime | None:
        """The first phrase that places something in time (no length, no lone start of a series)."""
        placed = [found for found in self.times if found.kind in ("point", "interval", "open_before", "set")]
        clear = [found for found in placed if found.kind == "set"] + [found for found in placed if found.timed]
        clear += [found for found in placed if found.role == "deadline"]
        since = [found for found in self.times if found.kind == "open_after"]
        return next(iter([*clear, *placed, *since]), None)

    @property
    def repeat(self) -> FoundTime | None:
        """The recurrence, if one was said."""
        return next((found for found in self.times if found.kind == "set"), None)


def without_article(title: str) -> str:
    """A title without "the" or "my" in front: "dentist", not "the dentist"."""
    return ARTICLE.sub("", title)


def tags_in(text: str) -> list[str]:
    """The labels typed in a text."""
    return list(dict.fromkeys(tag.lower() for tag in TAG.findall(text)))


def strip_tags(title: str) -> str:
    """A title without the labels typed in it."""
    return " ".join(TAG.sub(" ", title).split())
