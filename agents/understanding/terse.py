"""Moves without a verb: "board meeting to 10", "dentist -> tuesday 4pm", "next week's pilates to friday, same time"."""

from __future__ import annotations

import re

from agents.understanding import choose, edits
from agents.understanding.clauses import Clause
from agents.understanding.intents import Intent
from agents.understanding.references import Item, alike, words_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots import blank, fill, tidy
from agents.understanding.time.search import find_times
from agents.understanding.verbs import is_verb

MOVE = re.compile(r"(?P<what>[\w'&/. -]{3,60}?)(?:\s+to|\s*(?:->|=>|→))\s+(?P<to>.{1,40})", re.IGNORECASE)
SAME_TIME = re.compile(r"[\s,]*\b(?:at\s+)?(?:the\s+)?same (?:time|place)\b|\b(?:please|instead|now)\b", re.IGNORECASE)


def moved(clause: Clause, scene: Scene) -> Share | None:
    """The one event named moved to a time; None when the words name none, or no time and nothing else."""
    match = MOVE.fullmatch(clause.text.strip(" .!"))
    if match is None or is_verb(match["what"].split()[0].lower()):
        return None
    slots = fill(match["what"], scene.clock)
    found = choose.search(slots.title, scene, ("event",), lambda item: named_wholly(slots.title, item), None)
    if not found or not _only_time(SAME_TIME.sub("", match["to"]), scene):
        return None
    rest = f"{match['what']} to {match['to']}"
    return edits.move(Intent("move", 0.8, {"rest": rest}), Clause(f"move {rest}", clause.context), scene)


def named_wholly(said: str, item: Item) -> bool:
    """Whether every word that was said is one of the title."""
    have = words_of(item.title)
    return all(any(alike(word, other) for other in have) for word in words_of(said))


def _only_time(text: str, scene: Scene) -> bool:
    times = find_times(text, scene.clock, bare=True)
    return bool(times) and not tidy(blank(text, [found.span for found in times]).replace("\u241f", " "))
