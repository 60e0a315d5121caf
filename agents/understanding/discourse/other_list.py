"""What was put on the wrong list, put on the other one: "oops, groceries, not packing", "i meant the packing list"."""

from __future__ import annotations

import re

from agents.contract import Change, Proposal
from agents.understanding.discourse.revisions import LEADS, SWAP, TRAILING, TURNED
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, words_of
from agents.understanding.requests.lists import find_lists, joined, lines_of, lists
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change

P = patterns_of(__name__)


def moved(said: str, last: Change, scene: Scene) -> Share | None:
    """The lines just added off the one list and on the other; None when no other list is meant."""
    fresh = _fresh(last, scene)
    if not fresh or not P.CORRECTING.search(said):
        return None
    other = _other(said, last, scene)
    here = next((item for item in lists(scene) if item.id == last.record_id), None)
    if other is None or here is None:
        return None
    kept = [line for line in lines_of(here) if line["text"] not in fresh]
    reason = "you meant the other list"
    back = (
        Proposal(op="undo", kind="note", record_id=here.id, undo_of=last.id, reason=reason)
        if last.op == "create"
        else choose.propose(here, "update", {"items": kept}, reason)
    )
    return change(said, back, choose.propose(other, "update", {"items": joined(other, fresh)}, reason))


def _fresh(last: Change, scene: Scene) -> list[str]:
    """The lines that the last change added."""
    if last.kind != "note" or last.op not in ("create", "update") or "items" not in last.fields:
        return []
    before = {line["text"] for line in (last.before or {}).get("items", [])}
    here = next((item for item in lists(scene) if item.id == last.record_id), None)
    return [line["text"] for line in lines_of(here) if line["text"] not in before] if here else []


def _other(said: str, last: Change, scene: Scene) -> Item | None:
    """The one list that the words mean, other than that of the last change."""
    others = [item for item in lists(scene) if item.id != last.record_id]
    turned = TURNED.match(said)
    words = LEADS.sub("", turned["new"] if turned else said).strip(" ,.!")
    swap = SWAP.fullmatch(words)
    if swap and not set(words_of(swap["old"])) & set(words_of(last.title)):
        return None
    name = P.NAME.sub("", P.PUT.sub("", TRAILING.sub("", LEADS.sub("", swap["new"] if swap else words)))).strip(" ,.!")
    name = re.sub(r"\s*\blist$", "", name, flags=re.IGNORECASE)
    found = (
        [item for item in find_lists(name, scene) if item.id != last.record_id]
        if name and len(name.split()) <= 4
        else []
    )
    if len(found) == 1:
        return found[0]
    return others[0] if P.WRONG.search(said) and len(others) == 1 and not found else None
