"""Lines of a list that are dealt with, or not after all: "got the eggs", "passport is packed", "tick off the eggs"."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests import removal, tasks
from agents.understanding.requests.list_changes import is_item, list_in_hand
from agents.understanding.requests.list_lines import entries
from agents.understanding.requests.lists import MARKED, lines_of, lists, same_line, take_off_list
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
OFF = P.OFF


def got(clause: Clause, scene: Scene) -> Share | None:
    """Tick what was bought or packed, when it stands on one list and no task is called so."""
    said = clause.text.strip(" .!")
    match = P.GOT.match(said) or P.IS_GOT.match(said)
    return _ticked(match["what"], said, scene) if match and not is_item(match["what"], scene) else None


def _ticked(what: str, said: str, scene: Scene) -> Share | None:
    """The one list with these lines ticked: the one in hand where several have them."""
    wanted = entries(what)
    having = [item for item in lists(scene) if wanted and all(_open_line(word, item) for word in wanted)]
    if len(having) > 1:
        in_hand = list_in_hand(scene)
        having = [item for item in having if item.title == in_hand]
    if len(having) != 1:
        return None
    items = [
        line | {"done": line["done"] or any(same_line(word, line["text"]) for word in wanted)}
        for line in lines_of(having[0])
    ]
    return change(said, choose.propose(having[0], "update", {"items": items}, "you have it"))


def _open_line(word: str, item: Item) -> bool:
    return any(not line["done"] and same_line(word, line["text"]) for line in lines_of(item))


def complete(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Tick a task off, or the line of a list that no task is called by: "tick off the eggs", "socks done"."""
    intent = replace(intent, parts={"rest": "it"} | intent.parts)
    if P.AGAINST.search(scene.told) and OFF.match(trim(clause.text)):
        return removal.delete(Intent("delete", intent.sure, {"rest": intent.parts["rest"]}), clause, scene)
    share = tasks.complete(intent, clause, scene)
    if share.proposals or share.questions:
        return share
    if not P.TICKED.match(trim(clause.text)):
        return (_ticked(intent.parts["rest"], clause.text, scene) if scene.alone else None) or share
    lines = take_off_list(Intent("list_remove", intent.sure, {"items": intent.parts["rest"]}), clause, scene)
    return lines if lines.proposals else share


def reopen(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Reopen a task, or untick the line of a list that no task is called by."""
    share = tasks.status(intent, clause, scene)
    if share.proposals or share.questions or not MARKED.match(trim(clause.text)):
        return share
    lines = take_off_list(Intent("list_remove", intent.sure, {"items": intent.parts["rest"]}), clause, scene)
    return lines if lines.proposals else share
