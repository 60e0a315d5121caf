"""Minutes past or to an hour that is not said: "push the accountant to half past" means the hour that it is at."""

from __future__ import annotations

import re

from agents.understanding.items import choose
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.slots.moves import MINUTES_ALONE, with_its_hour

SAID = re.compile(rf"(?P<what>.{{2,80}}?)\s+(?:to|till|until|for)\s+(?P<when>{MINUTES_ALONE.pattern})", re.IGNORECASE)


def with_hour(rest: str, scene: Scene) -> str:
    """What is moved and where to, with the hour of the one thing named."""
    said = SAID.fullmatch(rest.strip())
    found = choose.search(said["what"], scene, ("event", "todo"), is_open, None) if said else []
    return f"{said['what']} to {with_its_hour(said['when'], found[0], scene)}" if said and len(found) == 1 else rest
