"""Changes of a list that name only its lines: "swap rye for sourdough", "... and sandpaper too"."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from agents.records import Note
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.requests.list_lines import entries
from agents.understanding.requests.list_names import name_of
from agents.understanding.requests.lists import (
    add_to_list,
    find_lists,
    joined,
    lines_of,
    lists,
    same_line,
    take_off_list,
)
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent, read
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
REMOVING = ("remove", "take off", "cross off", "drop", "delete")
FRESH = timedelta(minutes=10)
LONGEST = 8


def addressed(text: str, scene: Scene) -> str:
    """Several changes under a list's name, each with the name: "packing: tick suncream, add goggles"; other text as it is."""
    signed = P.SIGNED.fullmatch(text.strip())
    if signed and len(find_lists(signed["list"], scene)) == 1:
        return _signed(signed["list"], signed["acts"])
    match = P.ADDRESSED.fullmatch(text.strip())
    parts = (
        re.split(r"\s*[,;]\s*|\s+and\s+(?=(?:tick|cross|check|remove|take|drop|delete|add|put)\b)", match["acts"])
        if match
        else []
    )
    acts = [P.ACT.fullmatch(part.strip(" .!")) for part in parts]
    if match is None or len(acts) < 2 or len(find_lists(match["list"], scene)) != 1:
        return text
    name = f"the {match['list']} list"
    told = [
        f"{act['swap']} on {name}"
        if act["swap"]
        else f"{act['off']} {act['what']} off {name}"
        if act["off"]
        else f"add {act['what']} to {name}"
        for act in acts
        if act
    ]
    return ". ".join(told) if len(told) == len(acts) else text


def _signed(name: str, acts: str) -> str:
    """Lines with a sign, which holds for those behind it: "+ socks, rain jacket, - boots"."""
    told, sign = list[str](), "+"
    for part in re.split(r"\s*[,;]\s*|\s+(?=[+-]\s?[a-z])", acts):
        sign = part[0] if part[0] in "+-" else sign
        what = part.strip(" +-.!")
        told.append(f"add {what} to the {name} list" if sign == "+" else f"take {what} off the {name} list")
    return ". ".join(told)


def changed(clause: Clause, scene: Scene) -> Share | None:
    """The change of the one list meant; None when no list is."""
    said = clause.text.strip(" .!")
    for reading in (_swapped, _carried, _renamed):
        if (share := reading(said, scene)) is not None:
            return share
    return _named_first(said, clause, scene) or _more(said, clause, scene)


def _swapped(said: str, scene: Scene) -> Share | None:
    match = P.SWAPPED.match(said)
    if match is None:
        return None
    old, new = tidy(match["old"]), tidy(match["new"])
    there = find_lists(match["list"], scene) if match["list"] else lists(scene)
    having = [item for item in there if any(same_line(old, line["text"]) for line in lines_of(item))]
    if len(having) != 1 or not old or not new or (not match["list"] and is_item(old, scene)):
        return None
    items = [
        line | {"text": new, "done": False} if same_line(old, line["text"]) else line for line in lines_of(having[0])
    ]
    return change(said, choose.propose(having[0], "update", {"items": items}, "you swapped a line"))


def _carried(said: str, scene: Scene) -> Share | None:
    """Lines from one list to another: "move the seltzer from costco to the party list"."""
    match = P.CARRIED.match(said)
    there = [find_lists(name, scene) for name in (match["list"], match["other"])] if match else []
    if match is None or any(len(found) != 1 for found in there) or there[0] == there[1]:
        return None
    (old,), (new,) = there
    wanted = entries(match["items"])
    gone = [line for line in lines_of(old) if any(same_line(word, line["text"]) for word in wanted)]
    if not gone:
        return None
    kept = [line for line in lines_of(old) if line not in gone]
    reason = "you moved it to another list"
    return change(
        said,
        choose.propose(old, "update", {"items": kept}, reason),
        choose.propose(new, "update", {"items": joined(new, gone)}, reason),
    )


def _named_first(said: str, clause: Clause, scene: Scene) -> Share | None:
    """The list's own name, and what to do with it: "costco: add dog food", "add books: piranesi"."""
    match = P.NAMED_FIRST.match(P.ADDING.sub("", said))
    name = name_of(match["list"]) if match else ""
    there = [item for item in lists(scene) if name and name_of(item.title) == name]
    if match is None or len(there) != 1:
        return None
    parts = {"items": match["items"], "list": there[0].title}
    if (match["verb"] or "").lower() in REMOVING:
        return take_off_list(Intent("list_remove", 0.9, parts), clause, scene)
    return add_to_list(Intent("list_add", 0.9, parts), clause, scene)


def _renamed(said: str, scene: Scene) -> Share | None:
    match = P.RENAMED.match(said)
    found = find_lists(match["old"] or match["was"], scene) if match else []
    if match is None or len(found) != 1 or not isinstance(found[0].record, Note):
        return None
    new, note = tidy(match["new"] or match["now"]), found[0].record
    fields: dict[str, Any] = {"summary": new} | ({"content": new} if note.content else {})
    return change(said, choose.propose(found[0], "update", fields, "you renamed it"))


def _more(said: str, clause: Clause, scene: Scene) -> Share | None:
    """More for the list that this message, or the one just before, changed: "... and add sandpaper"."""
    match, name = P.MORE.match(said), _in_hand(scene) or _shown(scene)
    removing = match is not None and match["verb"].lower() in REMOVING
    words = P.ARTICLE.sub("", match["items"]) if match else ""
    words = words if removing else re.sub(r"^the\s+", "", words, flags=re.IGNORECASE)
    named = any(intent.parts.get("list") for intent in read(said) if intent.name in ("list_add", "list_remove"))
    if match and name and not named and not _is_request(words, scene):
        parts = {"items": match["items"], "list": name}
        if removing:
            return take_off_list(Intent("list_remove", 0.9, parts), clause, scene)
        return add_to_list(Intent("list_add", 0.9, parts), clause, scene)
    return None


def further(text: str, scene: Scene) -> Share | None:
    """More for the list that the message before changed: "and eggs", "bread as well", or its first lines."""
    name = _just_changed(scene)
    match = P.FURTHER.match(text.strip()) if name else None
    said = (match["items"] or match["too"]) if match else ""
    if not said and name and scene.ask.recent_changes[-1].op == "create":
        first = P.ENUMERATED.fullmatch(text.strip())
        said = first["items"] if first else ""
    elif len(said.split()) > LONGEST:
        return None
    store = P.OF_STORE.search(said)
    other = find_lists(store["list"], scene) if store else []
    if store and len(other) == 1:
        return add_to_list(
            Intent("list_add", 0.9, {"items": said[: store.start()], "list": other[0].title}), Clause(text), scene
        )
    if not said or name is None or P.OF_OTHER.search(said) or _is_request(said, scene):
        return None
    return add_to_list(Intent("list_add", 0.9, {"items": said, "list": name}), Clause(text), scene)


def list_in_hand(scene: Scene) -> str | None:
    """The name of the list that this message or the one before changed or read out."""
    return _in_hand(scene) or _shown(scene) or (None if scene.before else _just_changed(scene))


def _in_hand(scene: Scene) -> str | None:
    """The name of the list that the clause before changed."""
    last = scene.before[-1].proposals if scene.before else []
    ids = {item.record_id for item in last if item.kind == "note" and "items" in item.fields}
    return next((item.title for item in lists(scene) if item.id in ids), None) if len(last) == 1 else None


def _shown(scene: Scene) -> str | None:
    """The one list that the last reply, or the answer to the clause before, read out."""
    told = (
        " ".join(scene.before[-1].answers) if scene.before else scene.ask.recent[-1].replied if scene.ask.recent else ""
    )
    found = [item for item in lists(scene) if item.title.lower() in told.lower()]
    return found[0].title if len(found) == 1 else None


def _just_changed(scene: Scene) -> str | None:
    rows = scene.ask.recent_changes
    turn = [row for row in rows if row.turn_id == rows[-1].turn_id] if rows else []
    if len(turn) != 1 or turn[0].status != "applied" or turn[0].op not in ("create", "update"):
        return None
    fresh = timedelta() <= scene.ask.at - turn[0].created_at <= FRESH
    return next((item.title for item in lists(scene) if fresh and item.id == turn[0].record_id), None)


def _is_request(items: str, scene: Scene) -> bool:
    """Whether words are something to do or dated, and no lines of a list."""
    first = trim(items).lower().split()[:1]
    return not first or is_verb(first[0]) or first[0] in ASKING or bool(find_times(items, scene.clock))


ASKING = frozenset(
    "what when where who which how is are am do does did can could will a an i we it that this the them those these him her "
    "got bought have everything all scratch scrap forget skip no not".split()
)


def is_item(words: str, scene: Scene) -> bool:
    """Whether words name a task or an event."""
    return bool(choose.search(words, scene, ("todo", "event"), is_open, None))
