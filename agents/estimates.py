"""How long a task may take, where nobody said: a rule of thumb by its first word, for plans and not for promises."""

from __future__ import annotations

import re
from collections.abc import Sized

ROWS = (
    (5, "text message ping like check tick water feed lock turn post"),
    (10, "call phone ring email mail reply respond answer ask tell confirm cancel reschedule rsvp"),
    (
        15,
        "pay book order renew register sign submit send print scan schedule return download update charge back backup",
    ),
    (
        30,
        "buy get pick collect drop read review sort plan fix wash iron pack visit tidy practise practice meet learn",
    ),
    (45, "cook bake mow vacuum shop compare edit install assemble organise organize set"),
    (60, "clean write draft prepare study research design build paint train exercise run swim gym create make debug"),
    (90, "finish refactor translate implement develop decorate deep"),
)
MINUTES = {word: minutes for minutes, words in ROWS for word in words.split()}
DEFAULT_MINUTES = 30
PER_STEP = 10


def estimated_minutes(task: str, steps: Sized = ()) -> int:
    """Minutes by the task's verb, 30 for an unknown one, and at least ten for each of its steps."""
    words = re.findall(r"[a-z]+", task.lower())
    known = next((MINUTES[word] for word in words[:3] if word in MINUTES), DEFAULT_MINUTES)
    return max(known, PER_STEP * len(steps))
