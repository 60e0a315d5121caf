"""Appointments that repeat: one occurrence, those from one on, or the whole series."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Proposal
from agents.records import Event, EventFields
from agents.recurrence.expand import SEVERAL_A_DAY, occurrences
from agents.recurrence.rules import parts_of
from app.models.understanding.call_context import CallContext, CannotDo
from app.models.understanding.chosen_records import AHEAD
from app.models.understanding.record_fields import change, create, day_of, read_day
from app.models.understanding.record_lines import NEXT_START_HORIZON

KEPT_FIELDS = tuple(
    name for name in EventFields.model_fields if name not in ("start", "end", "all_day", "recurrence", "exdates")
)
WEEKDAYS = "MO TU WE TH FR SA SU".split()
ONE_DAY, ONE_WEEK = timedelta(days=1), timedelta(days=7)
MOST_NAMED = 5


def change_series(
    event: Event, fields: dict[str, Any], scope: str | None, occurrence: str | None, context: CallContext
) -> list[Proposal]:
    """Return what becomes of a series: of one occurrence, of those from it on, or of all. Raises CannotDo."""
    scope = scope or ("one" if occurrence else "all")
    if scope == "all":
        return [change(event, _with_weekday(event, _from_the_first(event, fields, context)))]
    slot = _occurrence(event, occurrence, context)
    if scope == "one":
        parts = [_without(event, slot), create("event", _standing_alone(event, slot, fields))]
    else:
        parts = _from_then_on(event, slot, fields)
    group = f"{'apart' if scope == 'one' else 'from'} {event.id} {day_of(slot)}"  # both or neither
    return [part.model_copy(update={"group": group}) for part in parts]


def leave_out(event: Event, said: str | None, context: CallContext) -> Proposal:
    """Return the series without the occurrence on a day."""
    return _without(event, _occurrence(event, said, context))


def _occurrence(event: Event, said: str | None, context: CallContext) -> date | datetime:
    """Return when the occurrence on a day begins, by the event's own clock; the next one where no day is said."""
    now, zone = context.ask.at, ZoneInfo(context.ask.timezone)
    since, until = now, now + NEXT_START_HORIZON
    if said:
        since = datetime.combine(read_day("occurrence", said), time(), zone)
        until = since + ONE_DAY
    begin = next((one.start for one in occurrences(event, since, until, zone) if one.start >= since), None)
    if begin is None:
        coming = [f"{one.start.astimezone(zone):%Y-%m-%d}" for one in occurrences(event, now, now + AHEAD, zone)]
        raise CannotDo(f"it does not take place then; it does on {', '.join(coming[:MOST_NAMED]) or 'no day soon'}")
    if isinstance(event.start, datetime):
        return begin.astimezone(ZoneInfo(event.zone or "UTC"))
    return begin.astimezone(zone).date()


def _without(event: Event, slot: date | datetime) -> Proposal:
    known = [value.isoformat() for value in event.exdates]
    return change(event, {"exdates": list(dict.fromkeys([*known, day_of(slot).isoformat()]))})


def _from_then_on(event: Event, slot: date | datetime, fields: dict[str, Any]) -> list[Proposal]:
    """Return the series that ends before an occurrence, and another one from that on: both or neither."""
    parts = {name: value for name, value in parts_of(event.recurrence or "").items() if name != "COUNT"}
    ended = _rule({**parts, "UNTIL": _end_before(event, slot)})
    rest = {"recurrence": event.recurrence, **_with_weekday(event, fields)}
    return [change(event, {"recurrence": ended}), create("event", _standing_alone(event, slot, rest))]


def _standing_alone(event: Event, slot: date | datetime, fields: dict[str, Any]) -> dict[str, Any]:
    """Return an occurrence as an event with these fields; it lasts as long as the series does, unless they say."""
    kept = {name: value for name in KEPT_FIELDS if (value := getattr(event, name)) not in (None, "")}
    start = fields.get("start", slot)
    alike = event.end is not None and type(start) is type(slot)
    lasts = {"end": start + (event.end - event.start)} if alike and event.end else {}
    return {**kept, "start": start, **lasts, **fields}


def _end_before(event: Event, slot: date | datetime) -> str:
    """Return the last day before an occurrence as a rule has it; an instant where there are several on a day."""
    if isinstance(slot, datetime) and SEVERAL_A_DAY.search(event.recurrence or ""):
        return f"{slot.astimezone(UTC) - timedelta(seconds=1):%Y%m%dT%H%M%SZ}"
    return f"{day_of(slot) - ONE_DAY:%Y%m%d}"


def _with_weekday(event: Event, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a whole series: on another weekday its rule names that one."""
    start, parts = fields.get("start"), parts_of(event.recurrence or "")
    if start is None or start.weekday() == event.start.weekday() or "," in parts.get("BYDAY", ","):
        return fields
    return {"recurrence": _rule({**parts, "BYDAY": WEEKDAYS[start.weekday()]}), **fields}


def _rule(parts: dict[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _from_the_first(event: Event, fields: dict[str, Any], context: CallContext) -> dict[str, Any]:
    """Return the new times of a series, said of the occurrence near them, as those of its first one."""
    zone, start = ZoneInfo(event.zone or context.ask.timezone), fields.get("start")
    if start is None or type(start) is not type(event.start):
        return fields
    near = _wall(start, zone)
    slots = occurrences(event, (near - ONE_WEEK).replace(tzinfo=zone), (near + ONE_WEEK).replace(tzinfo=zone), zone)
    meant = min((_wall(one.start, zone) for one in slots), key=lambda wall: abs(wall - near), default=None)
    if meant is None:
        return fields
    back = _wall(event.start, zone) - meant
    times = {name: fields[name] for name in ("start", "end") if name in fields}
    local = {name: when.astimezone(zone) if isinstance(when, datetime) else when for name, when in times.items()}
    return fields | {name: when + back for name, when in local.items()}


def _wall(when: date, zone: ZoneInfo) -> datetime:
    if isinstance(when, datetime):
        return when.astimezone(zone).replace(tzinfo=None)
    return datetime.combine(when, time())
