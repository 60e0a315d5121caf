"""Labels typed with a new task: "#home", "!high", "to the Workouts list"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

HASHTAG = re.compile(r"\s*(?<![\w&])#(?P<tag>[^\W\d_][\w-]*)")
URGENCY = re.compile(r"\s*(?<!\w)!(?P<level>high|medium|low|[123])\b", re.IGNORECASE)
LEVELS = {"1": "high", "2": "medium", "3": "low"}


@dataclass(frozen=True)
class Labels:
    """The fields that labels set, and the text without them."""

    rest: str
    fields: dict[str, Any] = field(default_factory=dict)


def labels_in(text: str) -> Labels:
    """Tags and a priority; text without labels is left as it is."""
    tags = [match["tag"].lower() for match in HASHTAG.finditer(text)]
    urgency = URGENCY.search(text)
    fields: dict[str, Any] = {"tags": list(dict.fromkeys(tags))} if tags else {}
    if urgency:
        fields["priority"] = LEVELS.get(urgency["level"], urgency["level"].lower())
    return Labels(URGENCY.sub("", HASHTAG.sub("", text)), fields)
