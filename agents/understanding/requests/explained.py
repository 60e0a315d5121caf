"""What is told of a stored thing with a reason after it: "the training only takes 45 min now, they cut it"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause

EXPLAINED = re.compile(
    r"(?P<head>[^,]{4,80})(?:,| -|;)\s+(?!.*\b(?:not|but|except|instead|then|also|and|add|move|make|remind|put|still|need|only|due|by|at|on|please)\b)[^,\d]{4,80}$",
    re.IGNORECASE,
)
"""A reason in a few words after a comma, which asks for nothing."""
Reading = Callable[[Clause, Scene], Share | None]


def without_reason(clause: Clause, scene: Scene, readings: Sequence[Reading]) -> Share | None:
    """What the words before the reason come to by one of these readings; None when there is no reason, or nothing comes of them."""
    match = EXPLAINED.match(clause.text.strip(" .!"))
    if match is None:
        return None
    head = replace(clause, text=match["head"])
    return next((share for read in readings if (share := read(head, scene)) is not None), None)
