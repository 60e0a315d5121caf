"""Lists and their lines: begun, added to, ticked, untangled from what was said."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Proposal
from agents.phrases import quoted, say_list
from agents.records import ListItem, Note
from agents.time import find_times
from agents.time.tokens import stem
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, alike, candidates, words_of
from agents.understanding.requests import tasks
from agents.understanding.requests.list_lines import entries
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.headings import LISTED, NAMED
from agents.understanding.text.intents import Intent
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
MARKED = P.MARKED
PURPOSES = {"pack": "packing", "buy": "shopping", "get": "shopping", "read": "reading", "watch": "watching"}
"""A list that is called after what is done with it."""


def name_of(intent: Intent) -> str:
    """A list's name: "packing", "shopping"."""
    named = intent.parts.get("named") or intent.parts.get("list", "")
    return re.sub(r"^(?:a|an|the|my|new)\s+", "", named.strip(), flags=re.IGNORECASE)


def create_list(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new list with its lines; one of that very name is added to."""
    items, name = entries(intent.parts["items"]), name_of(intent)
    if not items:
        return lost(clause.text)
    there = [item for item in lists(scene) if name and item.title.lower() in (f"{name} list".lower(), name.lower())]
    if len(there) == 1 and re.match(r"add\b", clause.text.strip(), re.IGNORECASE):
        return _filled(there[0], items, clause)
    title = intent.parts.get("title") or f"{name} list"
    fields = {"category": "list", "summary": title.strip(), "items": items}
    return change(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked for a list"))


def headed(clause: Clause, scene: Scene) -> Share | None:
    """A list's name and what belongs on it: "groceries: oat milk, coffee"; the list is started if there is none."""
    said = clause.text.strip(" .!")
    match = LISTED.fullmatch(said) or NAMED.fullmatch(said)
    if match is None or (match.re is NAMED and (find_times(said, scene.clock) or _tells(match["items"]))):
        return None
    name = re.sub(r"\s*\blist$", "", match["list"].strip(), flags=re.IGNORECASE) or "list"
    name = PURPOSES.get(re.sub(r"^to ", "", name.lower()), name)
    return add_to_list(Intent("list_add", 0.9, {"list": name, "items": match["items"]}), clause, scene)


def _tells(items: str) -> bool:
    return any(is_statement(part) for part in items.split(","))


def idea_for(clause: Clause, scene: Scene) -> Share | None:
    """One more line for a list of ideas: "another gift idea: puzzle"; None when there is no such list."""
    match = P.IDEA_FOR.fullmatch(clause.text.strip(" .!"))
    found = find_lists(f"{match['topic']} ideas", scene) if match else []
    if match is None or len(found) != 1:
        return None
    whom = f" for {match['whom']}" if match["whom"] else ""
    return add_to_list(Intent("list_add", 0.9, {"list": found[0].title, "items": match["items"] + whom}), clause, scene)


def lists(scene: Scene) -> list[Item]:
    """The lists that are stored, with what this message has already put on them or taken off."""
    there = [item for item in scene.items("note") if isinstance(item.record, Note) and item.record.category == "list"]
    fresh = {
        proposal.record_id: proposal.fields["items"]
        for share in scene.before
        for proposal in share.proposals
        if proposal.kind == "note" and proposal.record_id and "items" in proposal.fields
    }
    return [_with_lines(item, fresh[item.id]) if item.id in fresh else item for item in there]


def _with_lines(item: Item, lines: list[Any]) -> Item:
    fields = [line if isinstance(line, dict) else {"text": line} for line in lines]
    made = [ListItem.model_construct(**line) for line in fields]  # whether each may stand is for the ledger to say
    return Item(item.kind, item.id, item.title, item.record.model_copy(update={"items": made}))


def find_lists(name: str, scene: Scene) -> list[Item]:
    """The lists that a name may mean; an unnamed one is the only list there is."""
    there = [item for item in lists(scene) if isinstance(item.record, Note) and item.record.status == "active"]
    found = candidates(name, there) if name else there
    return [item for item in found if item.id == scene.chosen] or found


def shopping_lists(scene: Scene) -> list[Item]:
    """The lists of what is to be bought."""
    return [item for item in lists(scene) if P.SHOPPING.search(item.title)]


def add_to_list(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """More lines for a list; a list that does not exist yet is begun."""
    items, name = entries(intent.parts["items"]), name_of(intent)
    found = find_lists(name, scene)
    if not name and (not found or is_verb(intent.parts["items"].split()[0].lower())):
        return tasks.add(Intent("add_task", 0.85, {"rest": intent.parts["items"]}), clause, scene)
    if not found:
        fields = {"category": "list", "summary": f"{name} list".strip(), "items": items}
        return change(
            clause.text, Proposal(op="create", kind="note", fields=fields, reason="there was no such list yet")
        )
    if len(found) == 1:
        return _filled(found[0], items, clause)
    return choose.which(found, "update", scene, fields={"items": items}, reason="more lines for the list")


def need(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """What is lacking goes on the one shopping list there is; without such a list it becomes a task."""
    there = shopping_lists(scene)
    thing = P.LATELY.sub("", intent.parts["rest"])
    if set(words_of(thing)) & set(words_of(scene.later)):
        scene.tell(clause.text)
        return Share(text=clause.text)
    if len(there) == 1 and not find_times(thing, scene.clock):
        return _filled(there[0], entries(thing), clause)
    return tasks.add(Intent("add_task", intent.sure, {"rest": f"get {thing}"}), clause, scene)


def _filled(item: Item, added: list[str], clause: Clause) -> Share:
    """A list with more lines; what stands on it already is said so."""
    wanted = _with(item, added)
    if len(wanted.fields["items"]) == len(lines_of(item)):
        there = "are" if len(added) > 1 else "is"
        return answer(
            clause.text, f"{say_list([quoted(line) for line in added])} {there} on {quoted(item.title)} already."
        )
    return change(clause.text, wanted)


def _with(item: Item, added: list[str]) -> Proposal:
    return choose.propose(item, "update", {"items": joined(item, added)}, "more lines for the list")


def joined(item: Item, added: list[Any]) -> list[Any]:
    """All lines of a list afterwards."""
    old = lines_of(item)
    there = {line["text"].lower() for line in old if not line["done"]}
    added = [line for line in added if (line["text"] if isinstance(line, dict) else line).lower() not in there]
    return [*old, *[line if isinstance(line, dict) else {"text": line, "done": False} for line in added]]


def take_off_list(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Remove lines from a list, or tick them."""
    found = find_lists(name_of(intent), scene)
    if len(found) > 1:
        having = [item for item in found if _split(item, entries(intent.parts["items"]))[0]]
        found = having or found
        if not name_of(intent) and not having:
            return lost(clause.text)
    if not found and not name_of(intent):
        return lost(clause.text)
    if len(found) != 1:
        return choose.settle(found, "update", name_of(intent) or "list", scene)
    hits, kept = _split(found[0], _of_story(entries(intent.parts["items"]), found[0], scene))
    if not hits and not name_of(intent):
        return lost(clause.text)
    if not hits:
        return choose.none(intent.parts["items"], scene)
    mark = MARKED.match(trim(clause.text))
    if mark:
        kept = [{**line, "done": not mark["un"] if line in hits else line["done"]} for line in lines_of(found[0])]
    return change(clause.text, choose.propose(found[0], "update", {"items": kept}, "you took it off the list"))


def lines_of(item: Item) -> list[dict[str, Any]]:
    """The lines of a list as stored."""
    return [line.model_dump(mode="json") for line in item.record.items] if isinstance(item.record, Note) else []


def _of_story(items: list[str], item: Item, scene: Scene) -> list[str]:
    """For "check it off": the lines that were talked about just before."""
    if len(items) != 1 or not choose.PRONOUN.match(items[0]):
        return items
    told = set(words_of(scene.told)) | set(words_of(scene.story))
    scene.explained = bool(told)
    return [line["text"] for line in lines_of(item) if told & set(words_of(line["text"]))] or items


def _split(item: Item, wanted: list[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    lines = lines_of(item)
    hits = [line for line in lines if any(same_line(word, line["text"]) for word in wanted)]
    return hits, [line for line in lines if line not in hits]


def same_line(wanted: str, line: str) -> bool:
    """Whether a line of a list is the one that was said."""
    said, have = words_of(wanted), words_of(line)
    return bool(said) and all(any(alike(stem(word), other) for other in have) for word in said)
