"""One occurrence of a recurring event, or all of it: cancelled and moved as said, and asked where that is open."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from agents.contract import Pending, Proposal
from agents.dates_in_words import say_day, say_when
from agents.index.items import Item
from agents.index.words import tokens
from agents.phrases import quote
from agents.records import Event
from agents.recurrence.days_of_month import CODES
from agents.rendering.agenda import Slot
from agents.time import FoundTime
from agents.understanding.scene import Scene
from agents.understanding.series import apart
from agents.understanding.series.occurrences import of_event
from agents.understanding.share import Share, answer, ask, change
from agents.understanding.values.days import days_of, whole_days
from agents.understanding.values.moves import shifted_event
from agents.understanding.values.slots import Slots

WHOLE_SERIES_WORDS = frozenset(
    """series mondays tuesdays wednesdays thursdays fridays saturdays sundays every each all whole entire entirely
    recurring repeating altogether completely""".split()
)
"""Words that mean a series as a whole."""
PLURAL_DAYS = frozenset(f"{day}days" for day in "mon tues wednes thurs fri satur sun".split())
ONE_OF = frozenset("next this last".split())
FOR_GOOD = (("for", "good"), ("from", "now"))
ONLY_WORDS, SINGLE = frozenset(("just", "only")), frozenset("one time once next this that".split())
SERIES_HORIZON = timedelta(days=800)
ChangeOfSome = Callable[[list[Slot]], list[Proposal]]


def series_of(found: Sequence[Item]) -> Event | None:
    """The recurring event, if that is the one thing found."""
    record = found[0].record if len(found) == 1 else None
    return record if isinstance(record, Event) and record.recurrence else None


def cancel(event: Event, text: str, slots: Slots, scene: Scene) -> Share:
    """Take out what was said: some occurrences, or the series; which of them is asked when nothing says it."""
    whole = Proposal(op="delete", kind="event", record_id=event.id, reason="you asked to delete the series")
    return _change(event, text, slots, scene, whole, lambda out: [apart.without(event, out)])


def move(event: Event, text: str, slots: Slots, to: FoundTime | timedelta, scene: Scene) -> Share:
    """Move what was said: one occurrence becomes an event of its own, the series keeps its others."""
    whole = apart.change_series(event, _all_moved(event, to, scene), "you moved the series")
    return _change(event, text, slots, scene, whole, lambda out: apart.move_occurrences(event, out, to, scene))


def _change(event: Event, text: str, slots: Slots, scene: Scene, whole: Proposal, some: ChangeOfSome) -> Share:
    """Change the occurrences that are meant, or the whole series; or ask which of both."""
    meant = _meant_occurrences(event, text, slots, scene)
    following = _following(event, scene)
    if meant == "all" or (meant is None and following is None):
        return change(text, whole)
    if meant is None and following:
        return _ask(event, some([following]), whole, following, scene)
    if not isinstance(meant, list) or not meant:
        return _not_then(event, slots, scene)
    changed = some(meant)
    return change(text, *changed) if changed else answer(text, f"{quote(event.title)} is at that time already.")


def alter(event: Event, text: str, slots: Slots, fields: dict[str, Any], scene: Scene) -> Share | None:
    """Change details of the occurrences that the words name; None when they mean the series."""
    meant = _meant_occurrences(event, text, slots, scene)
    if not isinstance(meant, list):
        return None
    if not meant:
        return _not_then(event, slots, scene)
    return change(text, *apart.alter_occurrences(event, meant, fields))


def _meant_occurrences(event: Event, text: str, slots: Slots, scene: Scene) -> list[Slot] | str | None:
    """The occurrences that the words name, "all" of them, or None when the words leave it open."""
    said = tokens(re.sub(re.escape(event.title), " ", text, flags=re.IGNORECASE))
    plural = {then for first, then in pairwise(said) if first in ONE_OF} & PLURAL_DAYS  # "next wednesdays", in haste
    if (WHOLE_SERIES_WORDS - plural) & set(said) or any(pair in FOR_GOOD for pair in pairwise(said)):
        return "all"
    days = [found for found in slots.times if found.moment is not None and found.kind not in ("set", "duration")]
    if days:
        return [slot for found in days for slot in on_days(event, *days_of(found, scene), scene)]
    following = _following(event, scene)
    return [following] if _is_once(said) and following else None


def _is_once(said: Sequence[str]) -> bool:
    """Whether words mean one time of a series: "only this one", "just once", "this time", "the next lesson"."""
    pairs = set(pairwise(said))
    single = {"once", "next"} & set(said) or ("this", "time") in pairs
    return bool(single) or any(first in ONLY_WORDS and then in SINGLE for first, then in pairs)


def on_days(event: Event, first: date, last: date, scene: Scene) -> list[Slot]:
    """The occurrences that begin between two days, both included."""
    since, until = whole_days(first, last, scene)
    return [slot for slot in of_event(event, scene, since, until) if slot.start >= since]


def _following(event: Event, scene: Scene) -> Slot | None:
    ahead = of_event(event, scene, scene.now, scene.now + SERIES_HORIZON)
    return next((slot for slot in ahead if slot.start > scene.now), None)


def _all_moved(event: Event, to: FoundTime | timedelta, scene: Scene) -> dict[str, Any]:
    """The series at another time; on another weekday its rule names that one."""
    if isinstance(to, timedelta) or not to.day_said or to.moment is None:
        return shifted_event(event, to, scene)
    rule = event.recurrence or ""
    one_day = re.sub(r"BYDAY=[A-Z]{2}(?=;|$)", f"BYDAY={CODES[to.moment.weekday()]}", rule)
    return shifted_event(event, to, scene) | ({"recurrence": one_day} if one_day != rule else {})


def _ask(event: Event, one: list[Proposal], whole: Proposal, slot: Slot, scene: Scene) -> Share:
    """Which part of a series is meant: the last of the waiting proposals is about all of it."""
    when = say_day(slot.start.date(), scene.now) if slot.whole_day else say_when(slot.start, scene.now)
    options = [f"only the next one, {when}", "the whole series"]
    text = f"{quote(event.title)} repeats: {options[0]}, or {options[1]}?"
    pending = Pending(missing="scope", text=scene.ask.text, at=scene.ask.at, proposals=[*one, whole])
    return ask(text, text, pending, options)


def _not_then(event: Event, slots: Slots, scene: Scene) -> Share:
    first, last = days_of(slots.when, scene) if slots.when else (scene.now.date(), scene.now.date())
    when = say_day(first, scene.now) if first == last else f"{say_day(first, scene.now)} to {say_day(last, scene.now)}"
    following = _following(event, scene)
    ahead = f"; it is next {say_when(following.start, scene.now)}" if following else ""
    return answer(slots.text, f"{quote(event.title)} does not take place {when}{ahead}.")
