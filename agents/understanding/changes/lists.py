"""Lists and their lines: begun, added to, ticked, crossed off, cleared, moved from one to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from agents.contract import Proposal
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.phrases import quote, say_list, say_some
from agents.reading.reading import Clause, Slot
from agents.understanding.ground import Meant, is_open, is_pointing, names_in, pointed_at
from agents.understanding.matching import has_words
from agents.understanding.outcome import Outcome, do, do_or_ask, not_there, not_understood, tell, update, yes_or_no
from agents.understanding.records import pointed
from agents.understanding.records.lists import (
    TASK_LIST,
    add_lines,
    errand_lists,
    find_lists,
    is_list,
    lines_added,
    lines_of,
    lists,
    new_line,
    reword_line,
)
from agents.understanding.share import bind, delete, propose
from agents.understanding.situation import STORED, Situation
from agents.understanding.slot_values import EDGES, loose_words, picture_before, text_between

Line = dict[str, Any]
Changing = Callable[[Line, bool], Line | None]
"""What becomes of a line that is meant, or of another one; None where it goes."""
MAKING = frozenset("new start make create begin".split())
TICKED = frozenset("ticked done bought finished completed crossed".split())
UNDONE = frozenset("untick uncheck back not isn't undone reopen".split())
ARTICLES = frozenset(("a", "an", "the", "some", "more", "my", "our"))
MIN_TITLE_WORDS, MOST_NAMED = 3, 10
LEAST_END = 4
"""Letters of a word that tells a line by its end."""
RUN_TOGETHER, OF_SEVERAL = 0.7, 0.4
"""How well lines fit that nothing parts from each other, and several lines for one: "the milk" of two kinds."""


def lines_said(clause: Clause) -> list[str]:
    """Return the things that a clause puts on a list or takes off it.

    Where a comma parts some of them, words side by side are one thing; an article goes with what follows.
    """
    slots = clause.all("i")
    gaps = [text_between(clause, a.end, b.start) for a, b in pairwise(slots)]
    signed = any("," in gap for gap in gaps)
    lines: list[str] = []
    for slot, gap in zip(slots, ["", *gaps], strict=False):
        if lines and (lines[-1].lower() in ARTICLES or (signed and not gap.strip())):
            lines[-1] += f" {slot.text}"
        else:
            lines.append(picture_before(clause, slot) + slot.text)
    return list(dict.fromkeys(line for text in lines if (line := text.strip(EDGES))))


def _run_together(clause: Clause) -> bool:
    """Return whether several lines stand side by side with nothing that parts them, so that they may be fewer."""
    return sum(not text_between(clause, a.end, b.start).strip() for a, b in pairwise(clause.all("i"))) > 1


def list_name(clause: Clause) -> str:
    """Return the name of the list that a clause names, without the word itself."""
    name = " ".join(clause.words("l").split()).strip(EDGES) or _name_before(clause)
    return name[:-5].strip(EDGES) if name.lower().endswith(" list") else "" if name.lower() == "list" else name


def _name_before(clause: Clause) -> str:
    """Return the word in front of "list", where no slot has the name."""
    said = loose_words(clause)
    at = said.index("list") if "list" in said else 0
    name = said[at - 1] if at else ""
    return "" if name in {*ARTICLES, *MAKING, "my", "our", "this", "that", "to", "do", "new"} else name


def meant_lists(clause: Clause, situation: Situation) -> list[Item]:
    """Return the lists that a clause may mean: by name, or the one just spoken of, the shopping list, the only one."""
    name = list_name(clause)
    if name:
        return find_lists(name, situation.scene)
    asked = [list_name(other) for other in situation.clauses[: situation.at] if other.all("l")]
    asked = asked or [list_name(other) for other in situation.clauses[situation.at + 1 :][:1] if other.act == "list"]
    if asked and asked[-1]:
        return find_lists(asked[-1], situation.scene)
    there = lists(situation.scene)
    touched = [*(change.record_id for change in situation.just_done()), *situation.touched]
    latest = [item for known in reversed(touched) for item in there if item.id == known]
    shopping = errand_lists(situation.scene)
    shown = [item for item in pointed.lately(situation.scene, ("note",)) if item in there]
    latest = latest[:1] or (shown if len(shown) == 1 else [])
    named = bool(clause.all("l")) or "list" in loose_words(clause)
    return latest[:1] or (shopping if len(shopping) == 1 else there if len(there) == 1 or named else [])


def put_on(clause: Clause, situation: Situation) -> Outcome:
    """Return more lines for a list; one that does not exist yet is begun, and things for no list are tasks to get."""
    parts = _by_list(clause)
    if len(parts) > 1:
        outcomes = [put_on(part, situation) for part in parts]
        return do(clause.text, *(item for one in outcomes for item in one.share.proposals))
    lines = lines_said(clause) or [name.strip(EDGES) for name in names_in(clause, "t", "c")]
    name, fit = list_name(clause), RUN_TOGETHER if _run_together(clause) else 1.0
    if any(map(is_pointing, lines)) and situation.remarks:
        lines = [situation.remarks[0].text.strip(EDGES)]
    found = meant_lists(clause, situation)
    if is_task_list(clause) and not found:
        return do(clause.text, *(_task(line, "") for line in lines))
    same = [item for item in found if item.title.lower() in (name.lower(), f"{name} list".lower())]
    other = _swap_lines(clause, lines, situation) if clause.all("x") else None
    other = other or (_tasks_put_on(name, found, clause, situation) if name and all(map(is_pointing, lines)) else None)
    if other:
        return other
    if lines and (same or (found and not MAKING & set(loose_words(clause)))):
        target = Meant(same or found, fit, name)
        return do_or_ask(clause.text, target, [[_with(item, lines)] for item in target.items], situation)
    if name and (lines or MAKING & set(loose_words(clause))):
        return do(clause.text, _new_list(name, lines, named=_is_named(clause)), fit=fit)
    return _errands(lines, clause, situation) if lines else not_understood(clause.text)


def _tasks_put_on(name: str, found: Sequence[Item], clause: Clause, situation: Situation) -> Outcome | None:
    """Return the tasks that were just spoken of as lines of one list, and put away; None where there are none."""
    meant = pointed_at(" ".join(loose_words(clause)), situation, ("todo",))
    if not meant or len(found) > 1:
        return None
    lines = [item.title for item in meant]
    there = _with(found[0], lines) if found else _new_list(name, lines, named=_is_named(clause))
    away = [propose(item, "archive", reason="it is on a list now") for item in meant]
    return do(clause.text, *bind(f"on {name}", there, *away))


def _errands(lines: Sequence[str], clause: Clause, situation: Situation) -> Outcome:
    """Return things for no list as tasks, or the question which of several shopping lists they are for."""
    several = errand_lists(situation.scene)
    if len(several) > 1:
        return do_or_ask(clause.text, Meant(several, 1.0, ""), [[_with(item, lines)] for item in several], situation)
    return do(clause.text, *(_task(line, "get ") for line in lines), fit=0.5)


def is_task_list(clause: Clause) -> bool:
    """Return whether the list that is named is that of the tasks."""
    said = set(tokens(clause.words("l")))
    return bool(said) and said <= TASK_LIST


def _task(line: str, verb: str) -> Proposal:
    return Proposal(op="create", kind="todo", fields={"task": f"{verb}{line}"}, reason="you asked for it")


def _by_list(clause: Clause) -> list[Clause]:
    """Return a clause that names several lists, each behind its lines, as one for each."""
    groups: list[list[Slot]] = [[]]
    for slot in clause.slots:
        if slot.name == "i" and {"i", "l"} <= {one.name for one in groups[-1]}:
            groups.append([])
        groups[-1].append(slot)
    whole = [group for group in groups if {"i", "l"} <= {slot.name for slot in group}]
    if len(whole) < len(groups) or len({slot.text for group in groups for slot in group if slot.name == "l"}) < 2:  # noqa: PLR2004
        return [clause]
    return [replace(clause, slots=tuple(group)) for group in groups]


def _is_named(clause: Clause) -> bool:
    """Return whether a list is called as it is said, "a list called Bikes", "list: bikes", and not "a bikes list"."""
    before = tokens(clause.text[: clause.all("l")[0].start - clause.start])[-1:] if clause.all("l") else []
    return before in (["list"], ["called"], ["named"])


def _new_list(name: str, lines: Sequence[str], *, named: bool = False) -> Proposal:
    summary = name if named or len(name.split()) >= MIN_TITLE_WORDS else f"{name} list"
    fields = {"category": "list", "summary": summary, "items": list(lines)}
    return Proposal(op="create", kind="note", fields=fields, reason="you asked for a list")


def _with(item: Item, lines: Sequence[str]) -> Proposal:
    return propose(item, "update", {"items": add_lines(item, list(lines))}, "more lines for the list")


def owners(lines: Sequence[str], clause: Clause, situation: Situation) -> list[tuple[Item, list[Line]]]:
    """Return the lists that have lines said, with these; of several with that name or just spoken of, those."""
    lines = whole_names(lines, situation)
    rather = {item.id for item in meant_lists(clause, situation)}
    found = [(item, hits) for item in lists(situation.scene) if (hits := _hits(item, lines))]
    named = [pair for pair in found if pair[0].id in rather]
    return named or ([] if list_name(clause) and rather else found)


def whole_names(said: Sequence[str], situation: Situation) -> list[str]:
    """Return names of lines, one that only ends the word of a line as this line: the "bulbs" are "lightbulbs"."""
    texts = [str(line["text"]) for item in lists(situation.scene) for line in lines_of(item)]
    return [_whole_name(one, texts) for one in said]


def _whole_name(name: str, texts: Sequence[str]) -> str:
    """Return the one line of which a word ends with a name that no line has; else the name."""
    ends = words_of(name)
    if len(ends) != 1 or len(ends[0]) < LEAST_END or any(has_words(text, name) for text in texts):
        return name
    ended = [text for text in texts if any(word.endswith(ends[0]) for word in words_of(text))]
    return ended[0] if len(ended) == 1 else name


def _hits(item: Item, said: Sequence[str]) -> list[Line]:
    return called_so(lines_of(item), said)


def called_so(lines: Sequence[Line], said: Sequence[str]) -> list[Line]:
    """Return the lines that are called as said: "milk" is no "oat milk" where there is plain milk."""
    hits = list[Line]()
    for name in said:
        called = [line for line in lines if has_words(str(line["text"]), name)]
        hits += [line for line in called if has_words(name, str(line["text"]))] or called
    return [line for line in lines if line in hits]


def take_off(clause: Clause, situation: Situation) -> Outcome:
    """Return a list without the lines said, or cleared."""
    return _change_lines(clause, situation, lambda line, hit: None if hit else line)


def tick(clause: Clause, situation: Situation) -> Outcome:
    """Return a list with the lines said ticked, or not ticked after all."""
    done = not UNDONE & set(loose_words(clause))
    return _change_lines(clause, situation, lambda line, hit: {**line, "done": done} if hit else line)


def _change_lines(clause: Clause, situation: Situation, change: Changing) -> Outcome:
    said = lines_said(clause) or [name for name in names_in(clause) if not is_pointing(name)]
    if clause.all("a") or not said:
        return _whole(clause, names_in(clause, "x"), situation, change)
    said = whole_names(said, situation)
    found = owners(said, clause, situation)
    several = any(len(_hits(item, [one])) > 1 and not one.endswith("s") for item, _ in found for one in said)
    drafts = [[_rewritten(item, hits, change)] for item, hits in found]
    missed = [one for item, _ in found[:1] for one in said if not _hits(item, [one])]
    fit = min(1 - len(missed) / len(said), OF_SEVERAL if several else 1)
    target = Meant([item for item, _ in found], fit, say_list(said))
    return do_or_ask(clause.text, target, drafts, situation)


def _rewritten(item: Item, hits: Sequence[Line], change: Changing) -> Proposal:
    lines = [changed for line in lines_of(item) if (changed := change(line, line in hits)) is not None]
    return propose(item, "update", {"items": lines}, "you changed the list")


def _whole(clause: Clause, spared: Sequence[str], situation: Situation, change: Changing) -> Outcome:
    """Return a list with all its lines changed but those excepted; clearing one is asked about."""
    found = meant_lists(clause, situation)
    if not found:
        return _clear_tasks(clause, situation)
    if len(found) > 1:
        drafts = [[_rewritten(item, lines_of(item), change)] for item in found]
        return do_or_ask(clause.text, Meant(found, 1.0, ""), drafts, situation)
    hits = [line for line in lines_of(found[0]) if not any(has_words(str(line["text"]), one) for one in spared)]
    if TICKED & {*tokens(clause.words("st", "a")), *loose_words(clause)} and clause.act == "listout":
        hits = [line for line in hits if line["done"]]
    draft = _rewritten(found[0], hits, change)
    if hits and change(hits[0], True) is None:  # noqa: FBT003 - what becomes of a line that is meant
        lines = say_some([str(line["text"]) for line in hits], MOST_NAMED)
        return yes_or_no(f"Take {lines} off {quote(found[0].title)}?", [draft], clause.text, situation)
    return do(clause.text, draft)


def _clear_tasks(clause: Clause, situation: Situation) -> Outcome:
    """Return the question whether all tasks are to go, where these are the list that is meant."""
    tasks = list(situation.items("todo").where(is_open))
    if not is_task_list(clause) or not tasks:
        known = "You have no open tasks." if is_task_list(clause) else "I don't know which list you mean."
        return tell(clause.text, known)
    names = say_some([quote(item.title) for item in tasks], MOST_NAMED)
    asked = f"Delete {'all your open tasks: ' if len(tasks) > 1 else ''}{names}?"
    return yes_or_no(asked, list(map(delete, tasks)), clause.text, situation)


def _swap_lines(clause: Clause, lines: Sequence[str], situation: Situation) -> Outcome:
    """Return a list with lines in place of others, or a line that moves from one list to another."""
    old = names_in(clause, "x")
    found = owners(old, clause, situation)
    if not found:
        return not_there(clause.text, say_list(old))
    item, hits = found[0]
    kept = [line for line in lines_of(item) if line not in hits]
    return update(clause.text, item, {"items": [*kept, *map(new_line, lines)]}, "you swapped a line")


def move_line(clause: Clause, situation: Situation) -> Outcome | None:
    """Return a line moved to the list that is named, or reworded; None where the clause means no line of a list."""
    said = whole_names(lines_said(clause) or _lines_pointed_at(clause, situation) or names_in(clause), situation)
    found = owners(said, clause, situation) if said else []
    new = clause.words("n").strip(EDGES)
    if new and found:
        item, hits = found[0]
        lines = [{**line, "text": reword_line(line["text"], new)} if line in hits else line for line in lines_of(item)]
        return update(clause.text, item, {"items": lines}, "you changed a line")
    named = [slot.text.strip(EDGES) for slot in clause.all("l")]
    name = named[-1] if len(named) > 1 else list_name(clause)
    to = find_lists(name, situation.scene) if name else []
    source = [(item, hits) for item in lists(situation.scene) if (hits := _hits(item, said)) and item not in to]
    rather = [pair for pair in source if pair[0] in find_lists(named[0], situation.scene)] if len(named) > 1 else []
    source = rather or source
    if len(to) > 1 or not name or len(source) != 1 or (not to and len(named) == 1):
        return None
    item, hits = source[0]
    texts = [str(line["text"]) for line in hits]
    left = propose(item, "update", {"items": [line for line in lines_of(item) if line not in hits]}, "you moved a line")
    return do(clause.text, left, _with(to[0], texts) if to else _new_list(name, texts))


def _lines_pointed_at(clause: Clause, situation: Situation) -> list[str]:
    """Return the lines that "them" means: those that the remark before tells of, or those just added."""
    names = names_in(clause)
    if not names or not all(map(is_pointing, names)) or not clause.all("l"):
        return []
    other = find_lists(list_name(clause), situation.scene)
    owned = [line for item in lists(situation.scene) if item not in other for line in lines_of(item)]
    texts = [str(line["text"]) for line in owned]
    if situation.remarks:
        told = situation.remarks[0].text
        ended = [name for word in words_of(told) if (name := _whole_name(word, texts)) != word]
        return [text for text in texts if has_words(told, text)] or ended[:1]
    latest, since = situation.latest(), pointed.told_since(situation.scene, STORED)
    latest = None if since and not situation.touched else latest
    return lines_added(latest, situation.scene) if latest and is_list(latest) else []
