"""One occurrence of a recurring event, or all of it: cancelled and moved as said, and asked where that is open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from agents.contract import Pending, Proposal, Question
from agents.dates_in_words import say_day, say_when
from agents.phrases import quoted
from agents.records import Event
from agents.rendering.agenda import Slot
from agents.time import Found, find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import apart, choose, pointed
from agents.understanding.items.occurrences import of_event
from agents.understanding.references import Item, mentioned
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.slots.days import days_of, whole_days
from agents.understanding.slots.moves import shifted_event
from agents.understanding.slots.slots import Slots, blank

P = patterns_of(__name__)
AHEAD = timedelta(days=800)


def series_of(found: Sequence[Item]) -> Event | None:
    """The recurring event, if that is the one thing found."""
    record = found[0].record if len(found) == 1 else None
    return record if isinstance(record, Event) and record.recurrence else None


def named(phrase: str, scene: Scene, day: date | None) -> list[Item]:
    """Recurring events under a name that also says how much of them is meant: "the whole yoga series"."""
    for name in _bare_names(phrase):
        found = choose.search(name, scene, ("event",), lambda item: series_of([item]) is not None, day)
        if found:
            return found
    return _talked_of(phrase, scene)


def next_of(phrase: str, scene: Scene) -> list[Item]:
    """The one series of whose title a name for its next time has most: "next swimming lesson" of "Lily's swimming"."""
    series = [item for item in scene.items("event") if series_of([item])]
    found = mentioned(phrase, series) if "next" in phrase.lower().split() else []
    return found if len(found) == 1 else []


def _talked_of(phrase: str, scene: Scene) -> list[Item]:
    """The one series just talked about, for words that only say which of it: "this thursday", "both sessions next week"."""
    left = blank(phrase, [found.span for found in find_times(phrase, scene.clock)])
    talked = [item for item in pointed.row(scene, ("event",)) if item] if P.OF_IT.fullmatch(left) else []
    repeating = [item for item in talked if series_of([item])]
    return repeating if len(repeating) == 1 else []


def _bare_names(phrase: str) -> list[str]:
    name = phrase
    for _ in range(3):
        name = P.AROUND.sub("", name).strip()
    return [name for name in dict.fromkeys((name, P.KIND_OF.sub("", name))) if name and name != phrase]


def cancel(event: Event, text: str, slots: Slots, scene: Scene) -> Share:
    """Take out what was said: some occurrences, or the series; which of them is asked when nothing says it."""
    whole = Proposal(op="delete", kind="event", record_id=event.id, reason="you asked to delete the series")
    meant = _meant(event, text, slots, scene)
    if meant == "all":
        return change(text, whole)
    if isinstance(meant, list):
        return change(text, apart.without(event, meant)) if meant else _not_then(event, slots, scene)
    following = _following(event, scene)
    return (
        _ask(event, [apart.without(event, [following])], whole, following, scene) if following else change(text, whole)
    )


def move(event: Event, text: str, slots: Slots, to: Found | timedelta, scene: Scene) -> Share:
    """Move what was said: one occurrence becomes an event of its own, the series keeps its others."""
    meant = _meant(event, text, slots, scene)
    whole = Proposal(
        op="update",
        kind="event",
        record_id=event.id,
        fields=_all_moved(event, to, scene),
        reason="you moved the series",
    )
    if meant == "all":
        return change(text, whole)
    if isinstance(meant, list):
        moved = apart.moved(event, meant, to, scene)
        if not meant:
            return _not_then(event, slots, scene)
        return change(text, *moved) if moved else answer(text, f"{quoted(event.title)} is at that time already.")
    following = _following(event, scene)
    if following is None:
        return change(text, whole)
    return _ask(event, apart.moved(event, [following], to, scene), whole, following, scene)


def alter(event: Event, text: str, slots: Slots, fields: dict[str, Any], scene: Scene) -> Share | None:
    """Change details of the occurrences that the words name; None when they mean the series."""
    meant = _meant(event, text, slots, scene)
    if not isinstance(meant, list):
        return None
    if not meant:
        return _not_then(event, slots, scene)
    return change(text, *apart.altered(event, meant, fields))


def left_out(
    event: Event, first: date, last: date, scene: Scene, hours: tuple[datetime, datetime] | None = None
) -> Proposal | None:
    """The series without what it has on these days, or in these hours of them; None when it has nothing then."""
    out = on_days(event, first, last, scene)
    out = [slot for slot in out if hours is None or (slot.start < hours[1] and slot.end > hours[0])]
    return apart.without(event, out) if out else None


def _meant(event: Event, text: str, slots: Slots, scene: Scene) -> list[Slot] | str | None:
    """The occurrences that the words name, "all" of them, or None when the words leave it open."""
    said = re.sub(re.escape(event.title), " ", text, flags=re.IGNORECASE)
    if P.ALL.search(said):
        return "all"
    days = [found for found in slots.times if found.moment is not None and found.kind not in ("set", "duration")]
    if days:
        return [slot for found in days for slot in on_days(event, *days_of(found, scene), scene)]
    following = _following(event, scene)
    return [following] if P.ONCE.search(said) and following else None


def on_days(event: Event, first: date, last: date, scene: Scene) -> list[Slot]:
    """The occurrences that begin between two days, both included."""
    since, until = whole_days(first, last, scene)
    return [slot for slot in of_event(event, scene, since, until) if slot.start >= since]


def _following(event: Event, scene: Scene) -> Slot | None:
    ahead = of_event(event, scene, scene.now, scene.now + AHEAD)
    return next((slot for slot in ahead if slot.start > scene.now), None)


def occurrence(event: Event, slots: Slots, scene: Scene) -> Slot | None:
    """The occurrence on the day that the words name, else the next one."""
    days = next((found for found in slots.times if found.day_said and found.moment and found.kind != "set"), None)
    there = on_days(event, *days_of(days, scene), scene) if days else []
    return (there[0] if there else None) if days else _following(event, scene)


def _all_moved(event: Event, to: Found | timedelta, scene: Scene) -> dict[str, Any]:
    """The series at another time; on another weekday its rule names that one."""
    if isinstance(to, timedelta) or not to.day_said or to.moment is None:
        return shifted_event(event, to, scene)
    rule = event.recurrence or ""
    day = "MO TU WE TH FR SA SU".split()[to.moment.weekday()]
    one_day = re.sub(r"BYDAY=(?:MO|TU|WE|TH|FR|SA|SU)(?=;|$)", f"BYDAY={day}", rule)
    return shifted_event(event, to, scene) | ({"recurrence": one_day} if one_day != rule else {})


def _ask(event: Event, one: list[Proposal], whole: Proposal, slot: Slot, scene: Scene) -> Share:
    """Which part of a series is meant: the last of the waiting proposals is about all of it."""
    when = say_day(slot.start.date(), scene.now) if slot.whole_day else say_when(slot.start, scene.now)
    options = [f"only the next one, {when}", "the whole series"]
    text = f"{quoted(event.title)} repeats. Do you mean {choose.say_or(options)}?"
    pending = Pending(missing="scope", text=scene.ask.text, at=scene.ask.at, proposals=[*one, whole])
    return Share(text=text, questions=[Question(text=text, options=options, pending=pending)])


def _not_then(event: Event, slots: Slots, scene: Scene) -> Share:
    first, last = days_of(slots.when, scene) if slots.when else (scene.now.date(), scene.now.date())
    when = say_day(first, scene.now) if first == last else f"{say_day(first, scene.now)} to {say_day(last, scene.now)}"
    following = _following(event, scene)
    ahead = f"; it is next {say_when(following.start, scene.now)}" if following else ""
    return answer(slots.text, f"{quoted(event.title)} does not take place {when}{ahead}. I left everything as it is.")


def scoped(pending: Pending, text: str) -> list[Share] | None:
    """The answer to which part of a series is meant; None when it is not one."""
    if re.search(r"\b(?:all|series|every|each|whole|both|second|two)\b", text, re.IGNORECASE):
        return [change(text, pending.proposals[-1])]
    if re.search(r"\b(?:only|just|one|next|first|once|this|that)\b", text, re.IGNORECASE):
        return [change(text, *pending.proposals[:-1])]
    return None
