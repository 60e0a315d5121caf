"""What is said of the list just talked about, without its name: "scratch the butter", "clear it", "got everything"."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, words_of
from agents.understanding.requests.list_changes import is_item, list_in_hand
from agents.understanding.requests.list_lines import entries
from agents.understanding.requests.lists import add_to_list, find_lists, lines_of, lists, same_line
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
UNNAMED = frozenset(("it", "there", "that", "the list", "list"))


def talked(clause: Clause, scene: Scene) -> Share | None:
    """The change of the list talked about; None when the words are no such."""
    said = clause.text.strip()
    got = P.ALL_GOT.fullmatch(said)
    if got:
        return _ticked(said, _meant(got["list"], scene))
    one = P.FOR_ONE.fullmatch(said)
    if one:
        there = [item for item in find_lists(one["list"], scene) if item in lists(scene)]
        parts = {"items": one["items"], "list": there[0].title} if len(there) == 1 else {}
        return add_to_list(Intent("list_add", 0.9, parts), clause, scene) if parts else None
    item = _meant("", scene) or _lacked(said, scene)
    if item is None:
        return None
    if P.EMPTIED.fullmatch(said):
        return change(said, choose.propose(item, "update", {"items": []}, "you cleared it"))
    if P.IT_OFF.fullmatch(choose.AFTERWARDS.sub("", said)) and scene.ask.recent:
        talk = set(words_of(scene.ask.recent[-1].said))
        lines = [line["text"] for line in lines_of(item) if set(words_of(line["text"])) <= talk]
        return _taken_off(f"remove {lines[0]}", item) if len(lines) == 1 else None
    return _taken_off(said, item)


def _meant(name: str | None, scene: Scene) -> Item | None:
    """The list of that name, else the one talked about."""
    if name and name.lower() not in UNNAMED:
        found = find_lists(name, scene)
    else:
        title = list_in_hand(scene)
        found = [item for item in lists(scene) if item.title == title]
    return found[0] if len(found) == 1 else None


def _lacked(said: str, scene: Scene) -> Item | None:
    """The one list with the line that is not needed, where no task is called so: "don't need honey any more"."""
    match = P.UNWANTED.fullmatch(choose.AFTERWARDS.sub("", said)) if "need" in said else None
    if match is None or is_item(match["items"], scene):
        return None
    wanted = entries(match["items"])
    having = [
        item
        for item in lists(scene)
        if all(any(same_line(one, line["text"]) for line in lines_of(item)) for one in wanted)
    ]
    return having[0] if wanted and len(having) == 1 else None


def _ticked(said: str, item: Item | None) -> Share | None:
    lines = [line | {"done": True} for line in lines_of(item)] if item else []
    return change(said, choose.propose(item, "update", {"items": lines}, "you have it all")) if item and lines else None


def _taken_off(said: str, item: Item) -> Share | None:
    """The list without the lines named, if each of them is there."""
    match = P.UNWANTED.fullmatch(choose.AFTERWARDS.sub("", said)) or P.UNWANTED.fullmatch(said)
    wanted = entries(match["items"]) if match else []
    lines = lines_of(item)
    gone = [line for line in lines if any(same_line(word, line["text"]) for word in wanted)]
    if not gone or not all(any(same_line(word, line["text"]) for line in gone) for word in wanted):
        return None
    kept = [line for line in lines if line not in gone]
    return change(said, choose.propose(item, "update", {"items": kept}, "you took it off the list"))
