"""Free time: the first stretches of a length that nothing busy stands in, within working hours unless others are said."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from agents.dates_in_words import NEAR, say_day, say_duration, say_span
from agents.ledger.free_slots import first_free_slots, gaps, merge_spans, working_spans
from agents.phrases import say_either, say_list
from agents.recurrence.expand import Span
from agents.time import Found
from agents.understanding.grammar import patterns_of
from agents.understanding.items.occurrences import busy
from agents.understanding.requests.tasks import filled
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.slots.days import PARTS, days_of, span_of
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
NEXT_DAYS = 14
MOST, MOST_STRETCHES = 3, 8
SHORTEST = timedelta(minutes=15)
USUAL_MINUTES = 30


def openings(clause: Clause, scene: Scene) -> Share | None:
    """The answer to "when am I free for an hour"; None when no stretch of free time is asked for."""
    said = clause.text.strip()
    if not P.AVAILABILITY_QUESTION.match(said) and not P.WHEN_FREE.match(said):
        return None
    slots = filled(clause.text, scene, clause)
    if slots.minutes is None and P.WHEN_FREE.match(said):
        return answer(clause.text, _stretches(slots.when, clause.text, scene))
    minutes = slots.minutes or named_length(clause.text)
    within = hours_asked(slots.when, clause.text, scene)
    taken = [Span(slot.start, slot.end) for slot in busy_spans(within, scene)]
    found = first_free_slots(taken, timedelta(minutes=minutes), scene.now.astimezone(UTC), within, MOST)
    return answer(clause.text, _sentence(found, minutes, slots.when, scene))


def _stretches(when: Found | None, text: str, scene: Scene) -> str:
    """All free stretches of the hours asked about, the coming ones."""
    within = hours_asked(when, text, scene)
    taken = merge_spans([Span(slot.start, slot.end) for slot in busy_spans(within, scene)])
    now = scene.now.astimezone(UTC)
    gaps_left = [Span(max(gap.start, now), gap.end) for hours in within for gap in gaps(hours, taken)]
    found = [gap for gap in gaps_left if gap.end - gap.start >= SHORTEST][:MOST_STRETCHES]
    if not found:
        return f"You have no free time {_said_days(when, scene) if when else 'in the next two weeks'}."
    spans = [say_span(local(gap.start, scene), local(gap.end, scene), scene.now) for gap in found]
    return f"You are free {say_list(spans)}."


def named_length(text: str) -> int:
    """Minutes of "half an hour" and "an hour"; the usual length otherwise."""
    if P.HALF_HOUR.search(text):
        return 30
    return 60 if P.HOUR.search(text) else USUAL_MINUTES


def at_clock(when: Found) -> bool:
    """Whether one hour is said: a part of a day or a stretch of it leaves room to look for one."""
    return when.timed and when.kind == "point" and not any(part in when.text.lower() for part in PARTS)


def hours_asked(when: Found | None, text: str, scene: Scene) -> list[Span]:
    """Where to look: the hours that were said, else working hours of the days said or of the coming two weeks."""
    zone = scene.clock.zone
    if when is None or when.moment is None:
        return list(working_spans(scene.now.date(), NEXT_DAYS, zone, scene.ask.conventions))
    if when.timed and when.start and when.end:
        return [Span(when.start.astimezone(UTC), when.end.astimezone(UTC))]
    if any(part in text.lower() for part in PARTS) and when.start:
        first, last = span_of(when, USUAL_MINUTES)
        return [Span(first.astimezone(UTC), last.astimezone(UTC))]
    first_day, last_day = days_of(when, scene)
    days = min((last_day - first_day).days + 1, NEXT_DAYS * 4)
    said = list(working_spans(first_day, days, zone, scene.ask.conventions))
    every = scene.ask.conventions.model_copy(update={"working_days": _EVERY_DAY})
    return said or list(working_spans(first_day, days, zone, every))


_EVERY_DAY = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def busy_spans(within: Iterable[Span], scene: Scene) -> list[Span]:
    """What is taken between the first and the last of these hours."""
    hours = list(within)
    if not hours:
        return []
    slots = busy(scene, hours[0].start, hours[-1].end)
    return [Span(slot.start.astimezone(UTC), slot.end.astimezone(UTC)) for slot in slots if slot.event.busy]


def _sentence(found: list[Span], minutes: int, when: Found | None, scene: Scene) -> str:
    length = say_duration(minutes)
    if not found:
        asked = f" {_said_days(when, scene)}" if when else " in the next two weeks"
        return f"You have no free {length}{asked}."
    spans = [(local(span.start, scene), local(span.end, scene)) for span in found]
    first, *others = [say_span(start, end, scene.now) for start, end in spans]
    first = first if first.startswith(tuple(NEAR.values())) else f"on {first}"
    more = f" After that: {say_either(others)}." if others else ""
    return f"You are free for {length} {first}.{more}"


def _said_days(when: Found, scene: Scene) -> str:
    first, last = days_of(when, scene)
    return (
        say_day(first, scene.now)
        if first == last
        else f"from {say_day(first, scene.now)} to {say_day(last, scene.now)}"
    )


def local(instant: datetime, scene: Scene) -> datetime:
    """An instant on the speaker's clock."""
    return instant.astimezone(scene.clock.zone)
