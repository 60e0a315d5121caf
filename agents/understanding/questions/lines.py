"""Lists: what stands on one, whether something does, how much does, and which list something is on."""

from __future__ import annotations

from collections.abc import Sequence

from agents.index.items import Item
from agents.phrases import NOTHING_CALLED, quote, say_count, say_list
from agents.records import Note
from agents.understanding.ground import pointed_at
from agents.understanding.matching import has_words
from agents.understanding.questions.query import Query, meant_lists
from agents.understanding.questions.todos import todos
from agents.understanding.questions.vocabulary import GROUPS
from agents.understanding.records.lists import TASK_LIST
from agents.understanding.situation import Situation

MOST_LISTS, MOST_NAMES = 5, 15


def lists_of(situation: Situation) -> list[Item]:
    """Return the lists that are kept."""
    notes = situation.items("note").find_under("list")
    return [item for item in notes if isinstance(item.record, Note) and item.record.status == "active"]


def asked_lists(query: Query, situation: Situation) -> list[Item]:
    """Return the lists that a question means: by name, by their use, the one named lately, or the only one."""
    there = lists_of(situation)
    found = meant_lists(query.listed or query.about, there) or [item for item in query.named if item in there]
    for group in ("shop", "pack"):
        if not found and query.has(group) and (query.has("list") or not query.listed):
            found = [item for item in there if GROUPS[group] & set(item.title.lower().split())]
    if found or query.listed or set(query.about.lower().split()) - GROUPS["shop"]:
        return found
    shown = [item for item in pointed_at("it", situation, ("note",)) if item in there]
    return shown or (there if len(there) == 1 else [])


def say_lists(query: Query, situation: Situation) -> list[str]:
    """Return what stands on the lists asked for; "my list" without a name may be all the tasks as well."""
    if query.listed and set(query.listed.lower().split()) <= TASK_LIST:
        return todos(query, situation)
    if query.lines:
        return _has_lines(query, situation)
    found = asked_lists(query, situation)
    told = [_say_line_count(item) if query.has("many") else _say_lines(item, query) for item in found[:MOST_LISTS]]
    if query.listed and not found:
        return [f"{NOTHING_CALLED} {quote(f'{query.listed} list')}."]
    if not query.listed and not set(query.about.lower().split()) - GROUPS["shop"] and "lists" not in query.word_set:
        open_tasks = todos(query, situation) if "my" in query.word_set or not found else []
        return [*open_tasks, *told]
    names = [item.title for item in lists_of(situation)]
    if told or query.about:
        return told
    listed = f"{say_count(len(names), 'list')}: {'; '.join(names[:MOST_NAMES])}" if names else "no lists"
    return [f"You have {listed}."]


def _say_lines(item: Item, query: Query) -> str:
    left, ticked = _lines(item, done=False), _lines(item, done=True)
    if ticked and query.word_set & {"ticked", "done", "checked", "crossed"}:
        return f"On {quote(item.title)}, ticked off: {say_list(ticked)}."
    extra = f" ({len(ticked)} ticked off)" if ticked else ""
    return f"On {quote(item.title)}: {say_list(left) if left else 'nothing'}{extra}."


def _say_line_count(item: Item) -> str:
    left = _lines(item, done=False)
    are = "is" if len(left) == 1 else "are"
    return f"There {are} {say_count(len(left), 'thing')} on {quote(item.title)}{': ' if left else ''}{say_list(left)}."


def _lines(item: Item, *, done: bool) -> list[str]:
    return [line.text for line in item.record.items if line.done == done] if isinstance(item.record, Note) else []


def _has_lines(query: Query, situation: Situation) -> list[str]:
    """Return for each line asked for whether it is on the lists meant, on any if none is; nothing where none is said.

    "Are we out of salt" may be asked of more than lists.
    """
    named = asked_lists(query, situation) if query.listed else []
    kept = lists_of(situation)
    lines = [line for item in kept for line in (*_lines(item, done=False), *_lines(item, done=True))]
    if not any(has_words(line, one) for one in query.lines for line in lines) and not query.has("list"):
        return []
    return [_has(line, named or kept, named) for line in query.lines]


def _has(wanted: str, lists: Sequence[Item], named: Sequence[Item]) -> str:
    found = [(item, line) for item in lists for line in _lines(item, done=False) if has_words(line, wanted)]
    if found:
        return " ".join(f"Yes, {line} is on {quote(item.title)}." for item, line in found[:MOST_LISTS])
    ticked = [(item, line) for item in lists for line in _lines(item, done=True) if has_words(line, wanted)]
    if ticked:
        return f"{ticked[0][1]} is ticked off on {quote(ticked[0][0].title)}."
    where = say_list([quote(item.title) for item in named]) if named else "any list"
    return f"No, {wanted} is not on {where}."
