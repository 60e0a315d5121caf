"""The lists that there are, by their names, and their lines."""

from __future__ import annotations

import re
from typing import Any

from agents.index.items import Item
from agents.index.words import words_of
from agents.records import ListItem, Note
from agents.understanding.matching import candidates
from agents.understanding.scene import Scene

TASK_LIST = frozenset("to do todo todos to-do to-dos dos task tasks list".split())
"""Names of the list that all tasks are: it is no list of lines."""
SHOPPING = re.compile(r"\b(?:shopping|grocer(?:y|ies)|supermarket)\b", re.IGNORECASE)


def lists(scene: Scene) -> list[Item]:
    """The lists that are stored, with what this message has already put on them or taken off."""
    there = scene.items("note").find_under("list")
    changes = [one for one in scene.proposals if one.kind == "note" and "items" in one.fields]
    fresh = {one.record_id: one.fields["items"] for one in changes if one.record_id}
    return [_with_lines(item, fresh[item.id]) if item.id in fresh else item for item in there]


def _with_lines(item: Item, lines: list[Any]) -> Item:
    fields = [line if isinstance(line, dict) else {"text": line} for line in lines]
    made = [ListItem.model_construct(**line) for line in fields]  # whether each may stand is for the ledger to say
    return Item(item.kind, item.id, item.title, item.record.model_copy(update={"items": made}))


def find_lists(name: str, scene: Scene) -> list[Item]:
    """The lists that a name may mean; an unnamed one is the only list there is."""
    there = [item for item in lists(scene) if isinstance(item.record, Note) and item.record.status == "active"]
    return candidates(name, there) if name else there


def is_list(item: Item) -> bool:
    """Whether a record is a list."""
    return isinstance(item.record, Note) and item.record.category == "list"


def new_line(text: str) -> dict[str, Any]:
    """A line as lists keep it."""
    return {"text": text, "done": False}


def errand_lists(scene: Scene) -> list[Item]:
    """The lists of what is to be bought."""
    return [item for item in lists(scene) if SHOPPING.search(item.title)]


def add_lines(item: Item, added: list[Any]) -> list[Any]:
    """All lines of a list afterwards."""
    old = lines_of(item)
    there = {line["text"].lower() for line in old if not line["done"]}
    added = [line for line in added if (line["text"] if isinstance(line, dict) else line).lower() not in there]
    return [*old, *(line if isinstance(line, dict) else new_line(line) for line in added)]


def reword_line(line: str, new: str) -> str:
    """Return a line in other words: for "20 bags of cement" a new number of bags leaves the cement."""
    said, had = words_of(new), line.split()
    at = next((n for n, word in enumerate(had) if said and n and said[-1:] == words_of(word)), len(had))
    return " ".join([new, *had[at + 1 :]]) if had[at + 1 : at + 2] == ["of"] else new


def lines_of(item: Item) -> list[dict[str, Any]]:
    """The lines of a list as stored."""
    return [line.model_dump(mode="json") for line in item.record.items] if isinstance(item.record, Note) else []


def lines_added(item: Item, scene: Scene) -> list[str]:
    """Return the lines that the last change put on a list."""
    last = scene.just_done()[-1:]
    before = (last[0].before or {}).get("items", []) if last and last[0].record_id == item.id else []
    texts = {line["text"] for line in before}
    return [str(line["text"]) for line in lines_of(item) if line["text"] not in texts] if last else []
