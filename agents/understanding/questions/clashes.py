"""What overlaps on the calendar: "what clashes this week", "am I double booked on friday", told in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from agents.phrases import quoted, say_count, say_list
from agents.records import Event
from agents.rendering.agenda import Slot, say_stretch
from agents.understanding.grammar import patterns_of
from agents.understanding.items import pointed
from agents.understanding.items.occurrences import busy
from agents.understanding.requests.tasks import filled
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.slots.days import days_of, on_days, whole_days
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
COMING_DAYS = 14
MOST = 10


def conflicts_answer(clause: Clause, scene: Scene) -> Share | None:
    """Each pair of appointments that overlaps in the days said, or in the coming two weeks; None for other words."""
    said = clause.text.strip(" ?.!")
    if P.OF_IT.fullmatch(said):
        return _of_it(clause, scene)
    if not P.CONFLICT_QUESTION.fullmatch(said):
        return None
    when = filled(clause.text, scene, clause).when
    today = scene.now.date()
    days = days_of(when, scene) if when and when.moment else None
    first, last = days or (today, today + timedelta(days=COMING_DAYS - 1))
    label = on_days(first, last, scene) if days else "in the next two weeks"
    taken = [slot for slot in busy(scene, *whole_days(first, last, scene)) if slot.event.busy]
    pairs = list(islice(_pairs(taken), MOST + 1))
    if not pairs:
        return answer(clause.text, f"Nothing clashes {label}.")
    told = "; ".join(f"{_named(one, scene)} with {_named(two, scene)}" for one, two in pairs[:MOST])
    more = "; and more" if len(pairs) > MOST else ""
    count = f"More than {MOST} clashes" if more else say_count(len(pairs), "clash")
    return answer(clause.text, f"{count} {label}: {told}{more}.")


def _of_it(clause: Clause, scene: Scene) -> Share | None:
    """What stands where the one event just talked about does."""
    found = pointed.lately(scene, ("event",))
    event = found[0].record if len(found) == 1 else None
    if not isinstance(event, Event) or not isinstance(event.start, datetime) or not isinstance(event.end, datetime):
        return None
    others = [slot for slot in busy(scene, event.start, event.end) if slot.event.id != event.id and slot.event.busy]
    if not others:
        return answer(clause.text, f"No, nothing else is on then: {quoted(event.title)} has that time to itself.")
    return answer(clause.text, f"Yes, it overlaps with {say_list([_named(slot, scene) for slot in others[:MOST]])}.")


def _pairs(slots: Sequence[Slot]) -> Iterator[tuple[Slot, Slot]]:
    """Those that overlap; they come by their starts, so only the next few can overlap one."""
    for place, one in enumerate(slots):
        for two in slots[place + 1 :]:
            if two.start >= one.end:
                break
            yield one, two


def _named(slot: Slot, scene: Scene) -> str:
    return f"{quoted(slot.event.title)} ({say_stretch(slot, scene.now)})"
