"""The user's busy time as a batch sees it: what clashes with what, and where there is room instead."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Conflict, Opening
from agents.conventions import Conventions
from agents.ledger.free_slots import LOOK_DAYS, clock_on_day, free_days, merge_spans, nearest_free_slots, working_spans
from agents.records import Event, EventFields
from agents.recurrence.expand import OccurrenceSpan, first_span, occurrences

OWN_SOURCE = "own"
MOST_CONFLICTS = 10
ALTERNATIVES = 3
DAYS_AHEAD = 400
PER_SERIES = 5000
HALF_A_DAY = timedelta(hours=12)
Record = dict[str, Any] | None
Pair = tuple[Record, Record]


@dataclass(frozen=True, slots=True)
class BusySlot:
    """Busy time: an occurrence of the user's own event or of one in an imported calendar, which ``source`` names."""

    span: OccurrenceSpan
    item: str
    title: str
    source: str = OWN_SOURCE
    calendar: str | None = None
    whole_day: bool = False


@dataclass
class BusyCalendar:
    """Busy time around what a batch wants.

    ``now`` is the turn's clock and ``timezone`` its speaker's. Of a series only what begins within ``days_ahead`` is
    looked at, and of that the first ``per_series`` occurrences. ``slots`` are what may clash, and ``taken`` is, where
    alternatives are looked for, the busy time of events that the batch leaves alone.
    """

    now: datetime
    timezone: str
    conventions: Conventions = field(default_factory=Conventions)
    days_ahead: int = DAYS_AHEAD
    per_series: int = PER_SERIES
    slots: list[BusySlot] = field(default_factory=list)
    taken: list[OccurrenceSpan] = field(default_factory=list)

    def new_busy_spans(self, before: Record, after: Record) -> list[OccurrenceSpan]:
        """The busy time that an event takes after a change and did not take before it."""
        known = set(self._spans(before))
        return [span for span in self._spans(after) if span not in known]

    def clashes(self, record_id: str, claimed: Sequence[OccurrenceSpan]) -> list[BusySlot]:
        """What overlaps with newly claimed time, each item once, earliest first. Back to back is no clash."""
        others = sorted(
            (slot for slot in self.slots if not _is(slot, record_id)),
            key=lambda slot: (slot.span, slot.title, slot.item),
        )
        found: dict[tuple[str, str], BusySlot] = {}
        for slot in _overlapping(claimed, others):
            found.setdefault((slot.source, slot.item), slot)
        return list(islice(found.values(), MOST_CONFLICTS))

    def enter(self, record_id: str, before: Record, after: Record) -> dict[str, Any]:
        """What a change of an event runs into, for its ledger row; the calendar then holds the event as it is after."""
        told = self.foresee(record_id, before, after)
        self.slots = [slot for slot in self.slots if not _is(slot, record_id)]
        self.slots += self._slots(after and {**after, "id": record_id})
        return told

    def leave(self, record_ids: Iterable[str | None]) -> None:
        """Drop the slots of events that change together: two that swap their times do not clash."""
        going = set(record_ids)
        self.slots = [slot for slot in self.slots if slot.source != OWN_SOURCE or slot.item not in going]

    def foresee(self, record_id: str, before: Record, after: Record) -> dict[str, Any]:
        """What a change of an event would run into, and where there is room instead; the calendar stays as it is."""
        claimed = self.new_busy_spans(before, after)
        clashes = self.clashes(record_id, claimed)
        room = self._room(record_id, after, next(_hit(claimed, clashes))) if after and clashes else []
        return {"conflicts": [self._conflict(slot) for slot in clashes], "alternatives": room}

    def hold(self, changed: Sequence[Pair], found: Iterable[BusySlot]) -> list[OccurrenceSpan]:
        """Take in what may clash and the events of the batch as they are before it; returns where to look for room."""
        self.slots = [*found, *(slot for before, _ in changed for slot in self._slots(before))]
        claims = [claimed for pair in changed if (claimed := self.new_busy_spans(*pair))]
        if len(claims) > 1:
            return merge_spans(self._window(claimed[0]) for claimed in claims)
        return [self._window(next(_hit(claimed, self.slots), claimed[0])) for claimed in claims if self.slots]

    def _slots(self, record: Record) -> Iterator[BusySlot]:
        spans = self._spans(record)
        return (BusySlot(one, record["id"], record["title"], whole_day=record["all_day"]) for one in spans if record)

    def _window(self, wanted: OccurrenceSpan) -> OccurrenceSpan:
        first, length = self._first_day(wanted), wanted.end - wanted.start
        days = timedelta(days=LOOK_DAYS) + 2 * (length if length >= timedelta(days=1) else timedelta(0))
        return OccurrenceSpan(clock_on_day(first, time(), self._zone), clock_on_day(first + days, time(), self._zone))

    def _first_day(self, wanted: OccurrenceSpan) -> date:
        return max(wanted.start, self.now).astimezone(self._zone).date()

    def _room(self, record_id: str, after: dict[str, Any], wanted: OccurrenceSpan) -> list[Opening]:
        busy = [*self.taken, *(slot.span for slot in self.slots if not _is(slot, record_id))]
        first = self._first_day(wanted)
        if after["all_day"]:
            days = date.fromisoformat(after["end"]) - date.fromisoformat(after["start"])
            free = free_days(busy, first, days.days + 1, self._zone, self.conventions)
            return [Opening(start=f"{day}", end=f"{day + days}") for day in islice(free, ALTERNATIVES)]
        hours = list(working_spans(first, LOOK_DAYS, self._zone, self.conventions))
        found = nearest_free_slots(busy, wanted, hours, self.now.astimezone(UTC), ALTERNATIVES)
        return [Opening(start=self._local_iso(span.start), end=self._local_iso(span.end)) for span in found]

    def _spans(self, record: Record) -> Iterator[OccurrenceSpan]:
        if record is None or not record["busy"]:
            return iter(())
        # A field that came later is missing in older rows.
        event = EventFields.model_validate({name: record[name] for name in EventFields.model_fields if name in record})
        if event.recurrence is None:
            return iter((first_span(event),))
        until = self.now + timedelta(days=self.days_ahead)
        return islice(occurrences(event, self.now - timedelta(days=1), until), self.per_series)

    def _conflict(self, slot: BusySlot) -> Conflict:
        instants = self._local_iso(slot.span.start), self._local_iso(slot.span.end)
        start, end = self._days(slot.span) if slot.whole_day else instants
        return Conflict(record_id=slot.item, title=slot.title, start=start, end=end, calendar=slot.calendar)

    def _days(self, span: OccurrenceSpan) -> tuple[str, str]:
        """First and last day, which are the same in every zone: noon lies on them where midnight does not."""
        first = (span.start + HALF_A_DAY).astimezone(self._zone).date()
        return f"{first}", f"{first + timedelta(days=round((span.end - span.start) / timedelta(days=1)) - 1)}"

    def _local_iso(self, instant: datetime) -> str:
        return instant.astimezone(self._zone).isoformat()

    @property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)


def changed_event_ids(changed: Sequence[Pair]) -> list[str]:
    """The ids of the events that a batch changes; one that it makes has none yet."""
    return [before["id"] for before, _ in changed if before]


def busy_slots(events: Iterable[Event], wanted: Sequence[OccurrenceSpan]) -> list[BusySlot]:
    """The busy time of events that overlaps any of these spans, worked out here and now."""
    if not wanted:
        return []
    since, until = min(span.start for span in wanted), max(span.end for span in wanted)
    return [
        BusySlot(span, event.id, event.title, whole_day=event.all_day)
        for event in events
        if event.busy
        for span in islice(occurrences(event, since, until), PER_SERIES)
        if any(span.overlaps(asked) for asked in wanted)
    ]


def _is(slot: BusySlot, record_id: str) -> bool:
    return slot.source == OWN_SOURCE and slot.item == record_id


def _hit(claimed: Sequence[OccurrenceSpan], slots: Sequence[BusySlot]) -> Iterator[OccurrenceSpan]:
    return (span for span in claimed if any(span.overlaps(slot.span) for slot in slots))


def _overlapping(wanted: Sequence[OccurrenceSpan], slots: Sequence[BusySlot]) -> Iterator[BusySlot]:
    """The slots, in their order, that overlap a wanted span; these follow one another and are equally long."""
    ends = [span.end for span in wanted]
    for slot in slots:
        place = bisect_right(ends, slot.span.start)
        if place < len(wanted) and wanted[place].overlaps(slot.span):
            yield slot
