"""Labels typed with a new task: "#home", "!high", "to the Workouts list"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)
LEVELS = {"1": "high", "2": "medium", "3": "low"}


@dataclass(frozen=True)
class Labels:
    """The fields that labels set, and the text without them."""

    rest: str
    fields: dict[str, Any] = field(default_factory=dict)


def labels_in(text: str) -> Labels:
    """Tags and a priority; text without labels is left as it is."""
    tags = [match["tag"].lower() for match in P.HASHTAG.finditer(text)]
    urgency = P.URGENCY.search(text)
    fields: dict[str, Any] = {"tags": list(dict.fromkeys(tags))} if tags else {}
    if urgency:
        fields["priority"] = LEVELS.get(urgency["level"], urgency["level"].lower())
    return Labels(P.URGENCY.sub("", P.HASHTAG.sub("", text)), fields)
