"""Events as they stand on the calendar in a span, repetitions included."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from dateutil.rrule import rrulestr

from agents.contract import Imported
from agents.records import Event
from agents.understanding.scene import Scene
from agents.understanding.time.resolve import real

MOST = 500


@dataclass(frozen=True, slots=True)
class Slot:
    """One occurrence of an event, in the speaker's zone; ``end`` is exclusive, ``calendar`` an imported one's name."""

    event: Event
    start: datetime
    end: datetime
    whole_day: bool
    calendar: str = ""


def busy(scene: Scene, first: datetime, last: datetime) -> list[Slot]:
    """The occurrences that overlap a span, of one's own events and imported ones, earliest first."""
    scene.wanted.append((first, last))
    found = [slot for event in scene.ask.records.events for slot in _of(event, scene, first, last)]
    found += [_imported(one, scene.clock.zone) for one in scene.ask.imported or ()]
    return sorted((slot for slot in found if slot.start < last and slot.end > first), key=lambda slot: slot.start)


def _imported(one: Imported, zone: tzinfo) -> Slot:
    """An appointment of another calendar: shown like an event, but never found as one that could be changed."""
    event = Event.model_construct(
        id=one.item,
        title=one.title,
        start=one.start,
        end=one.end,
        all_day=one.whole_day,
        busy=one.busy,
        created_at=one.start,
        updated_at=one.start,
    )
    return Slot(event, one.start.astimezone(zone), one.end.astimezone(zone), one.whole_day, one.calendar)


def _of(event: Event, scene: Scene, first: datetime, last: datetime) -> list[Slot]:
    start, end = _bounds(event, scene)
    once = Slot(event, start, end, not isinstance(event.start, datetime))
    if not event.recurrence:
        return [once]
    walls = _walls(event.recurrence, start, first - (end - start), last)
    skipped = {_day(value) for value in event.exdates}
    real_starts = [real(wall, scene.clock.zone) for wall in walls if wall.date() not in skipped]
    return [Slot(event, begin, begin + (end - start), once.whole_day) for begin in real_starts]


def _walls(rule: str, start: datetime, first: datetime, last: datetime) -> list[datetime]:
    series = rrulestr(rule, dtstart=start.replace(tzinfo=None), ignoretz=True)
    found: list[datetime] = []
    for wall in series.xafter(first.replace(tzinfo=None) - timedelta(days=1), inc=True):
        if wall > last.replace(tzinfo=None) or len(found) >= MOST:
            break
        found.append(wall)
    return found


def _day(value: date | datetime) -> date:
    return value.date() if isinstance(value, datetime) else value


def _bounds(event: Event, scene: Scene) -> tuple[datetime, datetime]:
    zone = scene.clock.zone
    if isinstance(event.start, datetime):
        start = event.start.astimezone(zone)
        end = event.end.astimezone(zone) if isinstance(event.end, datetime) else start + timedelta(hours=1)
        return start, end
    last = event.end if event.end is not None and not isinstance(event.end, datetime) else event.start
    return real(datetime.combine(event.start, time()), zone), real(
        datetime.combine(last + timedelta(days=1), time()), zone
    )
