"""Another reminder right after one: "and an hour before the recital to leave" after "remind me to steam her dress"."""

from __future__ import annotations

import re

from agents.understanding.discourse import replay
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.dated import reminded

JOINED = re.compile(
    r"^\W*(?:(?:oh|ok|okay|um)[\s,]+)*(?:and|also|plus|then)\s+(?:(?:also|then|again|once more)\s+)*", re.IGNORECASE
)


def again(text: str, scene: Scene) -> Share | None:
    """The reminder that a time and a deed ask for after another one; None for all other words."""
    joined = JOINED.match(text)
    last = scene.last_change() if joined else None
    if joined is None or last is None or last.op != "create" or (last.after or {}).get("kind") != "reminder":
        return None
    asked = reminded("remind me", text[joined.end() :])
    found = replay.shares(asked, scene) if asked and asked.startswith("remind me ") else []
    return found[0] if len(found) == 1 and found[0].proposals else None
