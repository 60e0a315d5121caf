"""Changes of what a note says: "update the wifi note: ...", "add to the wifi note that the router is in the hall"."""

from __future__ import annotations

import re

from agents.records import Note
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, alike, words_of
from agents.understanding.requests.notes import summary_of
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause
from agents.understanding.text.headings import NAMED_NOTE as NAMED

REWRITTEN = re.compile(
    rf"(?:please\s+)?(?:update|change|edit|amend|correct|fix|rewrite|replace)\s+{NAMED}"
    r"\s*(?:[,:–-]\s*(?:to\s+)?|\s+(?:to\s+(?:say|read)|to|so\s+(?:that\s+)?it\s+(?:says|reads)|saying|with)\s+)(?P<new>.{2,400})$",
    re.IGNORECASE | re.DOTALL,
)
EXTENDED = re.compile(
    rf"(?:please\s+)?(?:add|append)\s+(?:this\s+)?(?:to|on|in)\s+{NAMED}\s*(?:[,:–-]\s*|\s+)(?:that\s+)?(?P<more>.{{2,400}})$",
    re.IGNORECASE | re.DOTALL,
)
APPENDED = re.compile(
    rf"(?:please\s+)?(?:add|append)\s+(?P<more>.{{2,400}}?)\s+to\s+{NAMED}$", re.IGNORECASE | re.DOTALL
)

P = patterns_of(__name__)
NOW = P.NOW


def reworded(clause: Clause, scene: Scene) -> Share | None:
    """The note with its new words, or with more of them; None when no note is meant."""
    said = clause.text.strip()
    match = REWRITTEN.match(said) or EXTENDED.match(said) or APPENDED.match(said)
    if match is None:
        return None
    found = [
        item
        for item in choose.search(match["about"] or match["called"], scene, ("note",), is_open, None)
        if _is_note(item)
    ]
    if len(found) != 1 or not isinstance(found[0].record, Note):
        return None
    parts = match.groupdict()
    content = parts["new"] if parts.get("new") else _longer(found[0].record.content, parts["more"])
    fields = {"content": content.strip(), "summary": summary_of(content.strip())}
    return change(clause.text, choose.propose(found[0], "update", fields, "you reworded it"))


def note_change_request(clause: Clause, scene: Scene) -> Share | None:
    """A note's fact that is another now: "the locker code is 7702 now"; None when no one note says it otherwise."""
    match = NOW.match(clause.text.strip(" .!"))
    if match is None or not (match["mark"] or match["late"]):
        return None
    said = words_of(match["what"])
    found = [(item, old) for item in scene.items("note") if _is_note(item) and (old := _stated(item, said)) is not None]
    if len(found) != 1:
        return None
    item, old = found[0]
    content = f"{old}{match['value'].strip()}"
    fields = {"content": content, "summary": summary_of(content)}
    return change(clause.text, choose.propose(item, "update", fields, "it is another now"))


def _stated(item: Item, said: list[str]) -> str | None:
    """The beginning of a note up to the value that it states for these words; None when it states none."""
    match = P.STATED.match(getattr(item.record, "content", ""))
    if match is None:
        return None
    have = words_of(match["what"])
    return match["begin"] if said and all(any(alike(word, other) for other in have) for word in said) else None


def _is_note(item: Item) -> bool:
    return isinstance(item.record, Note) and item.record.category != "list"


def _longer(content: str, more: str) -> str:
    end = "" if not content or content.rstrip().endswith((".", "!", "?")) else "."
    return f"{content.rstrip()}{end} {more.strip()}".strip()
