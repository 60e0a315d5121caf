"""Deleting: one clearly named item at once, many only after a yes."""

from __future__ import annotations

import re
from datetime import datetime

from agents.contract import Proposal
from agents.phrases import quoted, say_count, say_list
from agents.records import AnyRecord, Event, Kind
from agents.time import Found
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.references import Item, apart
from agents.understanding.requests import edits, rounds
from agents.understanding.requests.fewer_days import without_days
from agents.understanding.requests.tasks import complete, filled, hint_day, is_closed, is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change, lost
from agents.understanding.slots.days import days_of, part_of_day
from agents.understanding.slots.slots import fill, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

ANY: tuple[Kind, ...] = ("todo", "event", "note")
P = patterns_of(__name__)


def delete(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Delete one clearly named item; what is struck off because it is done is completed."""
    struck = P.STRUCK.fullmatch(clause.text.strip())
    if struck and P.DID_IT.match(scene.later):
        return complete(Intent("complete", intent.sure, {"rest": struck["what"]}), clause, scene)
    rest = (
        re.sub(r",\s.*$", "", edits.P.REASON.sub("", intent.parts["rest"]))
        if '"' not in clause.text
        else intent.parts["rest"]
    )
    rest = P.RELATIVE.sub("", P.FROM_CALENDAR.sub("", rest)).strip() or rest
    slots = filled(rest, scene, clause)
    pointed = choose.PRONOUN.match(rest.strip()) is not None
    phrase, day = rest.strip() if pointed else slots.title or tidy(rest) or "it", hint_day(slots)

    def find(words: str) -> list[Item]:
        open_ones = choose.search(words, scene, ANY, is_open, day)
        return open_ones or choose.search(words, scene, ANY, lambda _: True, day)

    several = (
        choose.each(tidy(intent.parts["rest"]), find, scene, ANY)
        or choose.each(tidy(rest), find, scene, ANY)
        or choose.all_alike(slots.title, scene, ANY, day)
    )
    if several:
        return _by_kind(clause.text, [choose.propose(item, "delete", {}, "you asked to delete it") for item in several])
    if choose.PRONOUN.match(phrase) and _left_out_before(scene):
        return Share(text=clause.text)
    found = find(phrase) or series.named(phrase, scene, day)
    recurring = series.series_of(found)
    if recurring:
        fewer = without_days(recurring, clause.text)
        return change(clause.text, fewer) if fewer else series.cancel(recurring, clause.text, slots, scene)
    round_ = rounds.left_out(found, clause.text, slots.when, scene)
    if round_ is not None:
        return round_
    if len(found) == 1 and found[0].title.lower().startswith("cancel ") and P.CANCELLED.search(clause.text):
        return change(clause.text, choose.propose(found[0], "complete", {}, "you said it is done"))
    if not found and slots.repeat:  # "trash night every sunday" is nothing to delete
        return lost(clause.text)
    return choose.settle(found, "delete", phrase, scene, reason="you asked to delete it")


def _left_out_before(scene: Scene) -> bool:
    """Whether this message has just taken an occurrence out of a series: "no yoga on friday so drop it"."""
    return any("exdates" in item.fields for share in scene.before for item in share.proposals)


def _by_kind(text: str, proposals: list[Proposal]) -> Share:
    """One share; its worker is that of the first kind, the others follow by kind when shares are gathered."""
    return change(text, *proposals)


def delete_all(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Everything at once is never deleted without a yes."""
    rest = "" if intent.parts.get("kind") else intent.parts.get("rest", "")
    recurring = series.series_of(series.named(f"all {rest}", scene, None)) if rest else None
    if recurring:
        return series.cancel(recurring, clause.text, fill(clause.text, scene.clock), scene)
    said = " ".join(intent.parts.values()).lower()
    kinds: tuple[Kind, ...] = ANY
    if re.search(r"task|todo|to-do|chore|habit", said):
        kinds = ("todo",)
    elif re.search(r"event|meeting|appointment|calendar|schedule", said):
        kinds = ("event",)
    elif re.search(r"note|list", said):
        kinds = ("note",)
    when = fill(clause.text, scene.clock).when
    if when is not None and kinds == ANY:
        kinds = ("event",)
    open_ones = [item for item in scene.items(*kinds) if not is_closed(item)]
    gone = {item.id: proposal for item in open_ones if (proposal := _gone(item, when, scene))}
    if not gone:
        what = "nothing" if len(kinds) > 1 else f"no {choose.NOUNS[kinds[0]]}s"
        return answer(clause.text, f"I see {what} to delete{' then' if when else ''}, so I left everything as it is.")
    items = [item for item in open_ones if item.id in gone]
    what = say_count(len(items), "item" if len(kinds) > 1 else choose.NOUNS[kinds[0]])
    return choose.confirm(f"Shall I really delete {what}: {_titles(items, gone)}?", list(gone.values()), scene)


def _gone(item: Item, when: Found | None, scene: Scene) -> Proposal | None:
    """What takes an item away, or of a series what it has on the days said; None when it has nothing then."""
    whole = choose.propose(item, "delete", {}, "you asked to delete everything")
    if when is None:
        return whole
    first, last = days_of(when, scene)
    hours = part_of_day(when)
    if isinstance(item.record, Event) and item.record.recurrence:
        return series.left_out(item.record, first, last, scene, hours)
    there = item.day is not None and first <= item.day <= last
    return whole if there and (hours is None or _takes_of(item.record, hours)) else None


def _takes_of(record: AnyRecord, hours: tuple[datetime, datetime]) -> bool:
    """Whether something takes time of these hours."""
    start, end = getattr(record, "start", None), getattr(record, "end", None)
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return False
    return start < hours[1] and end > hours[0]


def _titles(items: list[Item], gone: dict[str, Proposal]) -> str:
    shown = [
        f"{quoted(item.title)}{' (only then)' if gone[item.id].op == 'update' else ''}" for item in apart(items[:5])
    ]
    return say_list(shown) if len(items) <= 5 else f"{', '.join(shown)} and {len(items) - 5} more"
