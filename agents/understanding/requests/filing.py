"""Filing one task: "tag call mom as family", "put call mom under family", "put call mom on the phone list"."""

from __future__ import annotations

import re

from agents.phrases import quoted
from agents.records import ToDo
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests import lists
from agents.understanding.requests.tasks import is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.slots.slots import tidy
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
REASON = "you filed it"


def filed(clause: Clause, scene: Scene) -> Share | None:
    """Another list or other tags for one task; None when no task is meant."""
    said = clause.text.strip(" .!")
    put = P.PUT.fullmatch(said) if not P.BACK.search(said) else None
    if put and not lists.find_lists(put["list"], scene):
        found = _found(put["what"], scene)
        fields = {"list": put["list"].strip()}
        return choose.settle(found, "update", put["what"], scene, fields=fields, reason=REASON) if found else None
    tagged, untagged = P.TAG.fullmatch(said), P.UNTAG.fullmatch(said)
    under = P.UNDER.fullmatch(said)
    if under:
        return _under(under["what"], (under["tag"] or under["kind"]).lstrip("#"), scene)
    if tagged:
        said_tags = re.findall(r"[\w-]+", re.sub(r"\band\b", " ", tagged["tags"]))
        return _retagged(tagged["what"], add=[tag.lower() for tag in said_tags], drop=[], scene=scene)
    if untagged:
        return _retagged(untagged["what"], add=[], drop=[(untagged["tag"] or untagged["hash"]).lower()], scene=scene)
    return None


def _under(what: str, name: str, scene: Scene) -> Share | None:
    """A task under a heading: a list of tasks if one is called so, else a tag."""
    if lists.find_lists(name, scene):
        return None
    found = [item for item in _found(what, scene) if named_wholly(tidy(what) or what, item)]
    called = {getattr(item.record, "list", None) or "" for item in scene.items("todo")}
    known = next((one for one in called if one.lower() == name.lower()), None)
    if known and found:
        return choose.settle(found, "update", what, scene, fields={"list": known}, reason=REASON)
    return _retagged(what, add=[name.lower()], drop=[], scene=scene) if found else None


def _retagged(what: str, *, add: list[str], drop: list[str], scene: Scene) -> Share | None:
    found = _found(what, scene)
    if len(found) != 1 or not isinstance(found[0].record, ToDo):
        return choose.settle(found, "update", what, scene) if not found else None
    have = found[0].record.tags
    tags = [tag for tag in dict.fromkeys([*have, *add]) if tag.lower() not in drop]
    if tags == have:
        return answer(scene.ask.text, f"{quoted(found[0].title)} is tagged like that already.")
    return choose.settle(found, "update", what, scene, fields={"tags": tags}, reason=REASON)


def _found(what: str, scene: Scene) -> list[Item]:
    return choose.search(tidy(what) or what, scene, ("todo",), is_open, None)
