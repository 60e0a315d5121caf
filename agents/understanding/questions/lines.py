"""Whether something stands on a list, and how much does: "do i still need oats?", "how many things are on packing?"."""

from __future__ import annotations

from dataclasses import replace

from agents.phrases import quoted, say_count, say_list
from agents.records import Note
from agents.understanding.grammar import patterns_of
from agents.understanding.questions.stored import list_lines
from agents.understanding.references import Item
from agents.understanding.requests.list_changes import list_in_hand
from agents.understanding.requests.lists import find_lists, lists, same_line
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
TAKEN_ALONG = ("pack", "brin", "take")


def list_lines_answer(clause: Clause, scene: Scene) -> Share | None:
    """The answer from the lists there are; None when it is no question about them."""
    if P.READ.fullmatch(clause.text.strip()) and (name := list_in_hand(scene)):
        return list_lines(Intent("list_query", 0.9, {"list": name}), clause, scene)
    if P.ON_THERE.search(clause.text) and (name := list_in_hand(scene)):
        clause = replace(clause, text=P.ON_THERE.sub(f"on the {name} list", clause.text))
    left = P.LEFT.match(clause.text.strip())
    there = find_lists(left["list"], scene) if left else _remaining(clause.text.strip(), scene)
    if len(there) == 1:
        return answer(clause.text, _count(there[0]))
    counted = P.COUNTED.match(clause.text)
    if counted:
        found = find_lists(counted["list"], scene)
        return answer(clause.text, *[_count(item) for item in found[:5]]) if found else None
    needed = P.NEEDED.match(clause.text)
    if needed is None:
        return None
    name = (needed["list"] or needed["named"] or "").strip()
    there = find_lists(name, scene) if name else lists(scene)
    having = [(item, line) for item in there for line in _open(item) if same_line(needed["what"], line)]
    if having:
        return answer(clause.text, *[f"Yes, {line} is on {quoted(item.title)}." for item, line in having[:5]])
    if name and there:
        return answer(
            clause.text, f"No, {needed['what']} is not on {say_list([quoted(item.title) for item in there])}."
        )
    return None


def _remaining(said: str, scene: Scene) -> list[Item]:
    """The list whose lines are asked for by what is done with them: the one in hand, else the one for packing."""
    match = P.REMAINING.fullmatch(said) if said.lower().startswith(("what", "so", "ok", "and", "right")) else None
    if match is None:
        return []
    name = list_in_hand(scene)
    in_hand = [item for item in lists(scene) if item.title == name]
    verb = next((word.lower() for word in match.groups() if word), "")
    packing = [item for item in lists(scene) if P.PACKING.search(item.title)] if verb[:4] in TAKEN_ALONG else []
    return in_hand or packing


def _open(item: Item) -> list[str]:
    return [line.text for line in item.record.items if not line.done] if isinstance(item.record, Note) else []


def _count(item: Item) -> str:
    left = _open(item)
    are = "is" if len(left) == 1 else "are"
    return f"There {are} {say_count(len(left), 'thing')} on {quoted(item.title)}{': ' if left else ''}{say_list(left)}."
