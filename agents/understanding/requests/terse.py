"""Changes without a verb: "board meeting to 10", "dentist -> tuesday 4pm", "hero to low", "invoice brisa to fri"."""

from __future__ import annotations

from typing import Any

from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, alike, spelled_out, words_of
from agents.understanding.requests import edits
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import moves
from agents.understanding.slots.slots import blank, fill, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import COMMAND_VERBS, is_verb

P = patterns_of(__name__)
LEVELS = {"p1": "high", "p2": "medium", "p3": "low", "top": "high", "urgent": "high", "med": "medium"}


def moved(clause: Clause, scene: Scene) -> Share | None:
    """The one event named moved to a time; None when the words name none, or no time and nothing else."""
    match = P.MOVE.fullmatch(clause.text.strip(" .!")) or P.INSTEAD.fullmatch(clause.text.strip(" .!"))
    if match is None or is_verb(match["what"].split()[0].lower()):
        return None
    if P.TOGETHER.match(match["what"]):
        share = edits.move(Intent("move", 0.8, {"rest": match[0]}), Clause(f"move {match[0]}", clause.context), scene)
        return share if share.proposals else None
    slots = fill(match["what"], scene.clock)
    found = choose.search(slots.title, scene, ("event",), lambda item: named_wholly(slots.title, item), None)
    if not found or not _only_time(P.SAME_TIME.sub("", match["to"]), scene):
        return None
    rest = f"{match['what']} to {match['to']}"
    share = edits.move(Intent("move", 0.8, {"rest": rest}), Clause(f"move {rest}", clause.context), scene)
    return None if share.unclear else share


def becomes(clause: Clause, scene: Scene) -> Share | None:
    """The one task named in full at another time or level; None when none is, or a verb asks for something."""
    match = P.MOVE.fullmatch(clause.text.strip(" .!")) or P.INSTEAD.fullmatch(clause.text.strip(" .!"))
    if match is None or match["what"].split()[0].lower() in COMMAND_VERBS:
        return None
    of_tasks = choose.hinted(match["what"], ("todo", "event")) != ("event",)
    found = choose.search(match["what"], scene, ("todo",), is_open, None) if of_tasks else []
    if len(found) != 1 or not named_wholly(match["what"], found[0]):
        return None
    fields = _fields(found[0], match["to"], scene)
    return change(clause.text, choose.propose(found[0], "update", fields, "you changed it")) if fields else None


def _fields(item: Item, to: str, scene: Scene) -> dict[str, Any]:
    level = P.LEVEL.match(to)
    if level:
        word = level["level"].lower()
        return {"difficulty": word} if word in ("easy", "hard") else {"priority": LEVELS.get(word, word)}
    times = find_times(to, scene.clock, bare=True)
    whole = len(times) == 1 and times[0].span == (0, len(to)) and times[0].kind in ("point", "interval")
    return moves.moved(item, times[0], scene) if whole else {}


def named_wholly(said: str, item: Item) -> bool:
    """Whether every word that was said is one of the title."""
    have = words_of(item.title)
    return all(any(alike(word, other) for other in have) for word in spelled_out(words_of(said), item.title))


def _only_time(text: str, scene: Scene) -> bool:
    times = find_times(text, scene.clock, bare=True)
    return bool(times) and not tidy(blank(text, [found.span for found in times]).replace("\u241f", " "))
