"""Many tasks at once: "move all overdue to monday", "complete everything on the groceries list", "tag all p1 as work"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agents.contract import Op
from agents.phrases import quoted, say_count, say_list
from agents.records import Note
from agents.rendering.item_names import titles_of
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests import lists
from agents.understanding.requests.groups import OF_LIST, group_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.slots import forms
from agents.understanding.slots.moves import moved
from agents.understanding.text.clauses import Clause

OFTEN = r"(?!\s+(?:mon|tue|wed|thu|fri|sat|sun|day|week|month|year|morning|afternoon|evening|night|other|second|\d))"
ALL = rf"(?:all|everything|(?:every|each){OFTEN}|whatever|anything)"
WHICH = rf"(?P<which>(?:just\s+)?{ALL}\b.{{0,80}}?|(?:my |the )?overdue(?:\s+\w+)?)"
REASON = "you asked for all of them"
SHOWN = 5
DEEDS = {"complete": "mark {} as done", "archive": "archive {}"}
"""What is asked about first when every open task is meant."""
FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(words, re.IGNORECASE))
    for name, words in (
        ("complete", rf"(?:complete|finish|close|tick|check|tick off|check off|cross off|do)\s+(?:off\s+)?{WHICH}$"),
        (
            "complete",
            rf"(?:mark|set|check|tick)\s+{WHICH}\s+(?:as\s+|off\s+as\s+|to\s+)?(?:done|complete[d]?|finished|off)$",
        ),
        ("archive", rf"archive\s+{WHICH}$"),
        ("delete", rf"(?:delete|remove|clear|erase|trash|drop)\s+{WHICH}$"),
        ("snooze", rf"(?:snooze|hide)\s+{WHICH}\s+(?P<to>(?:until|till|til|for|to)\s+.{{2,40}})$"),
        (
            "priority",
            rf"(?:set|make|mark|change|raise|lower)\s+{WHICH}\s+(?:(?:to|as|a)\s+)?(?P<to>p[123]|(?:high|medium|low|top)"
            r"(?:[\s-]+prio(?:rity)?)?|urgent)$",
        ),
        ("tag", rf"(?:tag|label)\s+{WHICH}\s+(?:as|with)\s+#?(?P<to>[\w-]{{2,40}})$"),
        (
            "list",
            rf"(?:move|put)\s+{WHICH}\s+(?:on|onto|to|in|into)\s+(?:my |the |our )?(?P<to>[\w' -]{{2,40}}?)\s+list$",
        ),
        (
            "move",
            rf"(?:move|push|shift|reschedule|bump|postpone|defer|delay)\s+{WHICH}\s+(?P<to>(?:to|until|till)\s+.{{2,40}})$",
        ),
    )
)
P = patterns_of(__name__)
Fields = dict[str, Any]


def together(clause: Clause, scene: Scene) -> Share | None:
    """One change to each task of a group; None when the words mean no group of tasks."""
    said = P.EMPTIED.sub(r"clear everything from the \1 list", clause.text.strip(" .!"))
    for name, words in FORMS:
        match = words.match(said)
        if match and name == "delete" and P.EVERY_KIND.match(match["which"]):
            return None
        if match and (share := _carried_out(name, match, clause, scene)):
            return share
    return None


def _carried_out(name: str, match: re.Match[str], clause: Clause, scene: Scene) -> Share | None:
    of_note = _lines(name, match["which"], clause, scene)
    if of_note is not None:
        return of_note
    group = group_of(match["which"], scene)
    if group.rest or not (group.tests or name in DEEDS):
        return None
    found = group.items(scene)
    if not found and not group.tests:
        return answer(clause.text, "You have no open tasks, so I left everything as it is.")
    if not found:
        return answer(clause.text, f"You have no open tasks {' '.join(group.label)}, so I left everything as it is.")
    if name == "delete" or not group.tests:
        return _asked(name, found, scene)
    making = MAKERS.get(name)
    if making is None:
        return change(clause.text, *[choose.propose(item, _closing(name), {}, REASON) for item in found])
    made = [(item, making(item, match["to"], scene)) for item in found]
    if any(fields is None for _, fields in made):
        return None
    return change(clause.text, *[choose.propose(item, "update", fields or {}, REASON) for item, fields in made])


def _closing(name: str) -> Op:
    return "archive" if name == "archive" else "complete"


def _asked(name: str, found: list[Item], scene: Scene) -> Share:
    op: Op = "delete" if name == "delete" else _closing(name)
    proposals = [choose.propose(item, op, {}, REASON) for item in found]
    if len(found) == 1:
        return change(scene.ask.text, *proposals)
    titles = [quoted(title) for title in titles_of(found[:SHOWN])]
    named = say_list(titles) if len(found) <= SHOWN else f"{', '.join(titles)} and {len(found) - SHOWN} more"
    deed = DEEDS.get(name, "delete {}").format(say_count(len(found), "task"))
    return choose.confirm(f"Shall I really {deed}: {named}?", proposals, scene)


def _lines(name: str, which: str, clause: Clause, scene: Scene) -> Share | None:
    """All lines of a list of notes: ticked or taken off."""
    match = OF_LIST.search(which)
    found = lists.find_lists(match["list"], scene) if match and name in ("complete", "delete") else []
    if len(found) != 1 or not isinstance(found[0].record, Note) or group_of(which, scene).items(scene):
        return None
    lines = [{"text": line.text, "done": True} for line in found[0].record.items] if name == "complete" else []
    reason = "you ticked all of it" if lines else "you cleared the list"
    return change(clause.text, choose.propose(found[0], "update", {"items": lines}, reason))


def _moved(item: Item, to: str, scene: Scene) -> Fields | None:
    times = find_times(to, scene.clock, bare=True)
    return moved(item, times[0], scene) if times else None


def _snoozed(_item: Item, to: str, scene: Scene) -> Fields | None:
    times = find_times(re.sub(r"^(?:for|to)\s+(?=an?\b|\d|one|two|three|half)", "in ", to), scene.clock, bare=True)
    until = forms.due(times[0]) if times else None
    return {"snooze_until": until} if until else None


def _priority(_item: Item, to: str, _scene: Scene) -> Fields:
    levels = {"p1": "high", "p2": "medium", "p3": "low", "top": "high", "urgent": "high"}
    word = to.lower().replace("-", " ").split()[0]
    return {"priority": levels.get(word, word)}


def _tagged(item: Item, to: str, _scene: Scene) -> Fields:
    return {"tags": list(dict.fromkeys([*getattr(item.record, "tags", []), to.lower()]))}


def _listed(_item: Item, to: str, _scene: Scene) -> Fields:
    return {"list": to.strip()}


MAKERS: dict[str, Callable[[Item, str, Scene], Fields | None]] = {
    "move": _moved,
    "snooze": _snoozed,
    "priority": _priority,
    "tag": _tagged,
    "list": _listed,
}
