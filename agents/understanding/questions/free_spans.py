"""The free spans between appointments, in the hours that words ask about."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from agents.ledger.free_slots import working_spans
from agents.recurrence.expand import OccurrenceSpan
from agents.time import FoundTime
from agents.understanding.scene import Scene
from agents.understanding.series.occurrences import busy
from agents.understanding.values.days import PART_HOURS, days_of, span_of

NEXT_DAYS = 14
USUAL_MINUTES = 30


def at_clock(when: FoundTime) -> bool:
    """Whether one hour is said: a part of a day or a stretch of it leaves room to look for one."""
    return when.timed and when.kind == "point" and not any(part in when.text.lower() for part in PART_HOURS)


def hours_asked(when: FoundTime | None, text: str, scene: Scene) -> list[OccurrenceSpan]:
    """Where to look: the hours that were said, else working hours of the days said or of the coming two weeks."""
    zone = scene.clock.zone
    if when is None or when.moment is None:
        return list(working_spans(scene.now.date(), NEXT_DAYS, zone, scene.ask.conventions))
    if when.timed and when.start and when.end:
        return [OccurrenceSpan(when.start.astimezone(UTC), when.end.astimezone(UTC))]
    if any(part in text.lower() for part in PART_HOURS) and when.start:
        first, last = span_of(when, USUAL_MINUTES)
        return [OccurrenceSpan(first.astimezone(UTC), last.astimezone(UTC))]
    first_day, last_day = days_of(when, scene)
    days = min((last_day - first_day).days + 1, NEXT_DAYS * 4)
    said = list(working_spans(first_day, days, zone, scene.ask.conventions))
    every = scene.ask.conventions.model_copy(update={"working_days": _EVERY_DAY})
    return said or list(working_spans(first_day, days, zone, every))


_EVERY_DAY = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def busy_spans(within: Iterable[OccurrenceSpan], scene: Scene) -> list[OccurrenceSpan]:
    """What is taken between the first and the last of these hours."""
    hours = list(within)
    if not hours:
        return []
    slots = busy(scene, hours[0].start, hours[-1].end)
    return [OccurrenceSpan(slot.start.astimezone(UTC), slot.end.astimezone(UTC)) for slot in slots if slot.event.busy]


def local(instant: datetime, scene: Scene) -> datetime:
    """An instant on the speaker's clock."""
    return instant.astimezone(scene.clock.zone)
