"""Lines for several lists in one breath: "add milk to groceries and screws to hardware"."""

from __future__ import annotations

import re

from agents.understanding.grammar import patterns_of
from agents.understanding.requests.lists import add_to_list, find_lists, take_off_list
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)


def changed(clause: Clause, scene: Scene) -> Share | None:
    """What goes on each list, or off it; None when the words do not name two lists that are there."""
    said = clause.text.strip(" .!")
    off = P.OFF_HEAD.match(said)
    head = off or P.HEAD.match(said)
    parts = _parts(said[head.end() :] if head else said, P.FROM if off else P.ONTO, scene)
    if len({called for called, _ in parts}) < 2:
        return None
    act = take_off_list if off else add_to_list
    shares = [
        act(Intent("list_remove" if off else "list_add", 0.9, {"list": called, "items": items}), clause, scene)
        for called, items in parts
    ]
    proposals = [item for share in shares for item in share.proposals]
    return change(clause.text, *proposals) if len(proposals) == len(shares) else None


def _parts(said: str, ends: re.Pattern[str], scene: Scene) -> list[tuple[str, str]]:
    """The title of each list with its lines; nothing where lines are left without a list."""
    found: list[tuple[str, str]] = []
    lines: list[str] = []
    for piece in P.PIECE.split(said):
        end = ends.fullmatch(piece)
        there = find_lists(P.OF_LIST.sub("", end["list"]), scene) if end else []
        lines.append(end["items"] if end and len(there) == 1 else piece)
        if len(there) == 1:
            found.append((there[0].title, ", ".join(lines)))
            lines = []
    return [] if lines else found
