"""Lists begun without a line: "start a packing list for the lake trip", "make a list called camping", "new list: books"."""

from __future__ import annotations

from agents.contract import Proposal
from agents.phrases import quoted
from agents.understanding.grammar import patterns_of
from agents.understanding.requests.lists import lists
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.slots.slots import tidy
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)


def begun(clause: Clause, scene: Scene) -> Share | None:
    """The empty list that is asked for; None when the words name its lines, or a thing for the speaker to do."""
    said = clause.text.strip(" .!")
    match = P.BEGUN.fullmatch(said) if "list" in said.lower() else None
    if match is None or clause.listed or P.ERRAND.search(scene.ask.text.partition(said)[0]):
        return None
    kind = match["kind"].strip()
    about = match["title"] or match["named"] or match["of"] or match["whom"] or ""
    if not (kind or about) or P.NO_KIND.search(kind) or P.SEVERAL.search(about):
        return None
    if kind and match["of"]:
        return None
    title = _title(kind, about, for_it=bool(match["whom"]))
    there = [item for item in lists(scene) if item.title.lower() == title.lower()]
    if there:
        return answer(clause.text, f"There is a list {quoted(there[0].title)} already.")
    fields = {"category": "list", "summary": title, "items": []}
    return change(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked for a list"))


def _title(kind: str, about: str, *, for_it: bool) -> str:
    """What the list is called: by its name, by its purpose, or by both."""
    if kind and for_it:
        return f"{kind} list for {about}"
    return tidy(P.OWNED.sub("", about)) if about else f"{kind} list"
