"""Calls about appointments as proposals: once, one of a series, from one on, or all of it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Proposal
from agents.records import Event, EventFields
from agents.recurrence.expand import SEVERAL_A_DAY, Span, occurrences
from agents.recurrence.rules import parts_of
from app.llm.call_context import CallContext, CannotDo
from app.llm.chosen_records import AHEAD
from app.llm.record_lines import LATER
from app.llm.times import DAY_LENGTH, read_day, read_time

ASKED = "you asked for it"
DIRECT = ("title", "location", "notes")
KEPT = tuple(
    name for name in EventFields.model_fields if name not in ("start", "end", "all_day", "recurrence", "exdates")
)
ONE_DAY, ONE_WEEK = timedelta(days=1), timedelta(days=7)


def create_event(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return a new appointment."""
    fields = _values(args) | _times(args, context, moves=False)
    return [Proposal(op="create", kind="event", fields=fields, reason=ASKED)]


def update_event(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return what becomes of an appointment; of a series as far as its scope says."""
    event = context.one_of(Event, args["id"])
    fields = _values(args) | _times(args, context, moves=True)
    if not fields:
        raise CannotDo("that changes nothing")
    scope = args.get("scope") or ("one" if args.get("occurrence") else "all")
    if not event.recurrence or scope == "all":
        return [_update(event, _as_series(event, _from_the_first(event, fields, context)))]
    slot = occurrence_of(event, args.get("occurrence"), context)
    if scope == "one":
        return _apart(event, slot, fields)
    return _from_then_on(event, slot, fields)


def cancel_occurrence(event: Event, said: str, context: CallContext) -> Proposal:
    """Return the series without the occurrence on a day."""
    return _without(event, occurrence_of(event, said, context))


def occurrence_of(event: Event, said: str | None, context: CallContext) -> Span:
    """Return the occurrence on a day, or the next one where none is said. Raises CannotDo."""
    zone = ZoneInfo(context.ask.timezone)
    if not said:
        ahead = (
            one
            for one in occurrences(event, context.ask.at, context.ask.at + LATER, zone)
            if one.start >= context.ask.at
        )
    else:
        begin = datetime.fromisoformat(read_day("occurrence", said)).replace(tzinfo=zone)
        ahead = (one for one in occurrences(event, begin, begin + ONE_DAY, zone) if one.start >= begin)
    slot = next(ahead, None)
    if slot is None:
        coming = [
            f"{one.start.astimezone(zone):%Y-%m-%d}"
            for one in occurrences(event, context.ask.at, context.ask.at + AHEAD, zone)
        ]
        raise CannotDo(f"it does not take place then; it does on {', '.join(coming[:5]) or 'no day soon'}")
    return slot


def _update(event: Event, fields: dict[str, Any]) -> Proposal:
    return Proposal(op="update", kind="event", record_id=event.id, fields=fields, reason=ASKED)


def _values(args: dict[str, Any]) -> dict[str, Any]:
    return {name: args[name] or None if name != "title" else args[name] for name in DIRECT if name in args}


def _times(args: dict[str, Any], context: CallContext, *, moves: bool) -> dict[str, Any]:
    words, found = args.get("when_words", ""), dict[str, Any]()
    for name in ("start", "end"):
        if args.get(name):
            found[name] = read_time(name, args[name], words if name == "start" else "", context.ask, moves=moves)
    if "start" in found and "end" in found:
        found["end"] = _on_the_same_side(args, found, context)
    if "repeat" in args:
        found["recurrence"] = args["repeat"] or None
    return found


def _on_the_same_side(args: dict[str, Any], found: dict[str, Any], context: CallContext) -> str:
    """Return the end as far behind the start as the model has it, also where code reads another day."""
    stated = read_time("start", args["start"], "", context.ask)
    begins, ends, moved = (_parsed(text) for text in (stated, found["end"], found["start"]))
    if type(begins) is not type(ends) or type(begins) is not type(moved):
        return str(found["end"])
    return str((ends + (moved - begins)).isoformat())


def _parsed(text: str) -> Any:
    return date.fromisoformat(text) if len(text) == DAY_LENGTH else datetime.fromisoformat(text)


def _as_series(event: Event, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a whole series: on another weekday its rule names that one."""
    if not event.recurrence or "start" not in fields or "recurrence" in fields:
        return fields
    start = _parsed(fields["start"])
    parts = parts_of(event.recurrence)
    if "," not in parts.get("BYDAY", ",") and start.weekday() != event.start.weekday():
        parts["BYDAY"] = "MO TU WE TH FR SA SU".split()[start.weekday()]
        rule = ";".join(f"{name}={value}" for name, value in parts.items())
        return fields | {"recurrence": rule}
    return fields


def _from_the_first(event: Event, fields: dict[str, Any], context: CallContext) -> dict[str, Any]:
    """Return the new times of a series as those of its first occurrence."""
    if not event.recurrence or "start" not in fields:
        return fields
    zone, start = ZoneInfo(event.zone or context.ask.timezone), _parsed(fields["start"])
    if isinstance(start, datetime) != isinstance(event.start, datetime):
        return fields
    near = _wall(start, zone)
    begin = near.replace(tzinfo=zone)
    slots = occurrences(event, begin - ONE_WEEK, begin + ONE_WEEK, zone)
    meant = min((_wall(one.start, zone) for one in slots), key=lambda wall: abs(wall - near), default=None)
    if meant is None:
        return fields
    back = _wall(event.start, zone) - meant
    return fields | {name: _moved(fields[name], back, zone) for name in ("start", "end") if name in fields}


def _wall(when: date, zone: ZoneInfo) -> datetime:
    if isinstance(when, datetime):
        return when.astimezone(zone).replace(tzinfo=None)
    return datetime(when.year, when.month, when.day)  # noqa: DTZ001 - a wall clock


def _moved(text: str, by: timedelta, zone: ZoneInfo) -> str:
    when = _parsed(text)
    moved = _wall(when, zone) + by
    return moved.replace(tzinfo=zone).isoformat() if isinstance(when, datetime) else moved.date().isoformat()


def _day_of(event: Event, slot: Span) -> str:
    zone = ZoneInfo(event.zone or "UTC")
    return slot.start.astimezone(zone).date().isoformat()


def _without(event: Event, slot: Span) -> Proposal:
    known = [value.isoformat() for value in event.exdates]
    day = _day_of(event, slot)
    return _update(event, {"exdates": [*known, *([day] if day not in known else [])]})


def _apart(event: Event, slot: Span, fields: dict[str, Any]) -> list[Proposal]:
    """Return the series without an occurrence, and that one as an event of its own: both or neither."""
    own = Proposal(op="create", kind="event", fields=_standing_alone(event, slot) | fields, reason=ASKED)
    if "start" in fields and "end" not in fields:
        own.fields.pop("end")
        own.fields |= _as_long(slot, fields["start"])
    group = f"apart {event.id} {_day_of(event, slot)}"
    return [one.model_copy(update={"group": group}) for one in (_without(event, slot), own)]


def _standing_alone(event: Event, slot: Span) -> dict[str, Any]:
    kept = {name: value for name in KEPT if (value := getattr(event, name)) not in (None, "")}
    zone = ZoneInfo(event.zone or "UTC")
    start, end = slot.start.astimezone(zone), slot.end.astimezone(zone)
    if isinstance(event.start, datetime):
        return kept | {"start": start.isoformat(), "end": end.isoformat()}
    return kept | {"start": start.date().isoformat(), "end": (end - ONE_DAY).date().isoformat()}


def _as_long(slot: Span, start: str) -> dict[str, Any]:
    begins = _parsed(start)
    if isinstance(begins, datetime):
        return {"end": (begins + (slot.end - slot.start)).isoformat()}
    return {"end": (begins + (slot.end - slot.start) - ONE_DAY).isoformat()}


def _end_before(event: Event, slot: Span) -> str:
    """Return the last day before an occurrence as a rule has it; an instant where there are several on a day."""
    if SEVERAL_A_DAY.search(event.recurrence or ""):
        return (slot.start - timedelta(seconds=1)).strftime("%Y%m%dT%H%M%SZ")
    return f"{slot.start.astimezone(ZoneInfo(event.zone or 'UTC')) - ONE_DAY:%Y%m%d}"


def _from_then_on(event: Event, slot: Span, fields: dict[str, Any]) -> list[Proposal]:
    """Return the series that ends before an occurrence, and another one from that on: both or neither."""
    last = _end_before(event, slot)
    parts = {name: value for name, value in parts_of(event.recurrence or "").items() if name != "COUNT"}
    ended = ";".join(f"{name}={value}" for name, value in {**parts, "UNTIL": last}.items())
    rest = _standing_alone(event, slot) | {"recurrence": event.recurrence} | fields
    if "start" in fields and "end" not in fields:
        rest.pop("end")
        rest |= _as_long(slot, fields["start"])
    began = Proposal(op="create", kind="event", fields=_as_series(event, rest), reason=ASKED)
    group = f"from {event.id} {_day_of(event, slot)}"
    return [one.model_copy(update={"group": group}) for one in (_update(event, {"recurrence": ended}), began)]
