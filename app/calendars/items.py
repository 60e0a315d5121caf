"""The file of one event, read as fields and changed in place; runs in a confined child only.

A file holds an event or a series, and those of its occurrences that were changed: each of these is an instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component
from icalendar import Event as Appointment
from pydantic import ValidationError

from agents.records import Event
from app.calendars import forgiving
from app.calendars.described_zones import describe_zones
from app.calendars.lines import Unreadable, prepare_body
from app.calendars.moments import Moment, Zones, as_in_series, moment, moments
from app.calendars.plain import CONTROLS, PRODUCT, canonical, plain_text, span_of
from app.calendars.repeating import exceptions_of, first_start, rule_of
from app.calendars.series import Skipped, is_cancelled, is_from_then_on, limit_cpu_time, one_rule, words
from app.calendars.texts import Text

Fields = Mapping[str, Any]
MASTER = ""
MOST_EVENTS = 500
MOST_LEFT_OUT = 1000
LONGEST_LINE, LONGEST_NOTES, LONGEST_UID = 500, 100_000, 1000
NO_TITLE = "(no title)"
MIN_DURATION = timedelta(minutes=1)
TIMES = ("DTSTART", "DTEND", "DURATION", "RRULE", "EXDATE")
SEVERAL = "This event repeats on dates of its own, which Summit does not keep."
FROM_THEN_ON = "This series changes from a day on in a way that Summit does not keep."
BROKEN = "It breaks the rules of iCalendar, so that it cannot be read."
NO_START = "This event has no start that can be read."


@dataclass(frozen=True)
class ReadItem:
    """See app.calendars.model.synced, whose shapes are not loaded into the child."""

    uid: str
    parts: Mapping[str, Fields]
    problem: str | None = None


@dataclass(frozen=True)
class Target:
    """See app.calendars.model.synced."""

    fields: Fields | None
    groups: Sequence[str] = ()


@dataclass(frozen=True)
class PendingWrite:
    """See app.calendars.model.synced."""

    uid: str
    text: str | None
    parts: Mapping[str, Target]


@dataclass(frozen=True)
class Written:
    """See app.calendars.model.synced."""

    text: str | None
    reading: ReadItem


def read_item(text: str, home: ZoneInfo) -> ReadItem:
    """What a file says; times without a zone are read in ``home``. What cannot be kept whole is not taken over."""
    return reading(lambda: _events(parse_calendar(text)), home)


def reading(events: Callable[[], Sequence[Component]], home: ZoneInfo) -> ReadItem:
    """What the events of a file say; ``events`` makes them out of it."""
    return read_safely(lambda zones: _read(events(), zones), home)


def read_safely(read: Callable[[Zones], ReadItem], home: ZoneInfo) -> ReadItem:
    """What reading comes to: the file, or why it is not taken over."""
    try:
        with limit_cpu_time():
            return read(Zones(home, datetime.now(UTC)))
    except Unreadable as refused:
        return ReadItem("", {}, str(refused))
    except Skipped as skipped:
        return ReadItem("", {}, f"It {skipped}." if str(skipped)[:1].islower() else str(skipped))
    except ValidationError as error:
        return ReadItem("", {}, f"It says what Summit cannot keep ({error.errors()[0]['msg']}).")
    except forgiving.UNREADABLE:
        return ReadItem("", {}, BROKEN)


def write_item(wanted: PendingWrite, home: ZoneInfo) -> Written:
    """The changed file; of what Summit knows nothing, all stays."""
    calendar = parse_calendar(wanted.text) if wanted.text else empty()
    zones = Zones(home, datetime.now(UTC))
    for instance, part in sorted(wanted.parts.items()):
        _change(calendar, instance, part, wanted.uid, zones)
    if not any(not is_cancelled(event) for event in _events(calendar)):
        return Written(None, ReadItem(wanted.uid, {}))
    years = [start.year for event in _events(calendar) if (start := moment(event, "DTSTART", zones))]
    describe_zones(calendar, years)
    text = calendar.to_ical().decode()
    return Written(text, read_item(text, home))


def parse_calendar(text: str) -> Calendar:
    """The calendar in a file. Raises Unreadable."""
    try:
        [found], _ = forgiving.parse_calendars(prepare_body(text.encode("utf-8", "replace"), MOST_EVENTS))
    except forgiving.UNREADABLE as error:
        raise Unreadable(BROKEN) from error
    return found


def empty() -> Calendar:
    """A file to be."""
    calendar = Calendar()
    for name, value in (("prodid", PRODUCT), ("version", "2.0"), ("calscale", "GREGORIAN")):
        calendar.add(name, value)
    return calendar


def _events(calendar: Component) -> list[Component]:
    return [part for part in calendar.subcomponents if part.name == "VEVENT"]


def _read(events: Sequence[Component], zones: Zones) -> ReadItem:
    changed = {key: event for event in events if (key := instance_of(event, zones)) != MASTER}
    master = next((event for event in events if "RECURRENCE-ID" not in event), None)
    if any(is_from_then_on(event) for event in changed.values()):
        raise Skipped(FROM_THEN_ON)
    uid = str(events[0].get("UID", ""))[:LONGEST_UID] if events else ""
    parts = {key: _fields(event, zones, ()) for key, event in changed.items() if not is_cancelled(event)}
    if master is not None and not is_cancelled(master):
        parts[MASTER] = _fields(master, zones, _replaced_moments(changed.values(), zones))
    return ReadItem(uid, parts)


def instance_of(event: Component, zones: Zones) -> str:
    """Which occurrence an event replaces, by the time at which it would take place."""
    found = moment(event, "RECURRENCE-ID", zones)
    if found is None:
        return MASTER
    return found.astimezone(UTC).isoformat() if isinstance(found, datetime) else found.isoformat()


def _replaced_moments(events: Any, zones: Zones) -> tuple[Moment, ...]:
    return tuple(found for event in events if (found := moment(event, "RECURRENCE-ID", zones)) is not None)


def _fields(event: Component, zones: Zones, replaced: Sequence[Moment]) -> dict[str, Any]:
    start = moment(event, "DTSTART", zones)
    if start is None:
        raise Skipped(NO_START)
    if "RDATE" in event or "EXRULE" in event:
        raise Skipped(SEVERAL)
    rule = one_rule(event, start, zones)
    zone = _zone(start, zones, repeats=rule is not None)
    timed = isinstance(start, datetime)
    skips = _in_form([*moments(event, "EXDATE", zones), *replaced], start, zones) if rule else []
    if len(skips) > MOST_LEFT_OUT:
        raise Skipped(f"leaves out more than {MOST_LEFT_OUT} of its times")
    return canonical(
        {
            "title": words(event.get("SUMMARY", ""), LONGEST_LINE) or NO_TITLE,
            "start": start,
            "end": _end(event, start, zones),
            "zone": zone if timed else None,
            "recurrence": rule,
            "exdates": skips,
            "location": words(event.get("LOCATION", ""), LONGEST_LINE) or None,
            "notes": notes_of(event),
            "busy": str(event.get("TRANSP", "")).upper() != "TRANSPARENT",
        }
    )


def _zone(start: Moment, zones: Zones, *, repeats: bool) -> str:
    """The zone whose clock the event goes by; a single moment in UTC is read by the user's own."""
    named = getattr(getattr(start, "tzinfo", None), "key", None) or "UTC"
    return zones.home.key if named == "UTC" and not repeats else named


def _end(event: Component, start: Moment, zones: Zones) -> Moment:
    stated = moment(event, "DTEND", zones)
    if stated is None:
        lasts = getattr(event.get("DURATION"), "dt", None)
        lasts = lasts if isinstance(lasts, timedelta) else timedelta(0)
        stated = (start.astimezone(UTC) if isinstance(start, datetime) else start) + lasts
    if isinstance(stated, datetime) != isinstance(start, datetime):
        raise Skipped("ends on another kind of time than it starts")
    if isinstance(start, datetime):
        return max(stated, start.astimezone(UTC) + MIN_DURATION)
    return max(stated - timedelta(days=1), start)


def notes_of(event: Component) -> str:
    """Its description, in lines."""
    said = event.get("DESCRIPTION", "")
    text = str(said[0] if isinstance(said, list) and said else said).encode("utf-8", "replace").decode()
    return CONTROLS.sub("", text.replace("\r\n", "\n"))[:LONGEST_NOTES]


def _change(calendar: Component, instance: str, part: Target, uid: str, zones: Zones) -> None:
    event = next((one for one in _events(calendar) if instance_of(one, zones) == instance), None)
    if part.fields is None:
        _remove(calendar, instance, event, zones)
        return
    if event is None:
        event = _new(calendar, instance, uid, part.fields, zones)
    for group in part.groups:
        SETTERS[group](calendar, event, part.fields, zones)
    stamp(event)


def _remove(calendar: Component, instance: str, event: Component | None, zones: Zones) -> None:
    """Take an instance out; an occurrence that is gone is left out of its series, too."""
    if event is not None:
        calendar.subcomponents.remove(event)
    series = next((one for one in _events(calendar) if "RECURRENCE-ID" not in one), None)
    if instance != MASTER and series is not None and "RRULE" in series:
        gone = _moment_of(instance, series, zones) if event is None else moment(event, "RECURRENCE-ID", zones)
        said = [*moments(series, "EXDATE", zones), *([gone] if gone else [])]
        skips = _in_form(said, moment(series, "DTSTART", zones), zones)
        _left_out(series, sorted(set(skips), key=str))
        stamp(series)


def _in_form(times: Iterable[Moment], start: Moment | None, zones: Zones) -> list[Moment]:
    return [one if start is None else as_in_series(one, start, zones) for one in times]


def _moment_of(instance: str, series: Component, zones: Zones) -> Moment:
    if "T" not in instance:
        return date.fromisoformat(instance)
    found, start = datetime.fromisoformat(instance), moment(series, "DTSTART", zones)
    return found.astimezone(start.tzinfo) if isinstance(start, datetime) else found


def _new(calendar: Component, instance: str, uid: str, fields: Fields, zones: Zones) -> Component:
    event = Appointment()
    event.add("uid", uid)
    event.add("dtstamp", datetime.now(UTC))
    event.add("created", datetime.now(UTC))
    if instance != MASTER:
        series = next((one for one in _events(calendar) if "RECURRENCE-ID" not in one), None)
        event.add("recurrence-id", _moment_of(instance, event if series is None else series, zones))
    calendar.add_component(event)
    for setter in SETTERS.values():
        setter(calendar, event, fields, zones)
    return event


def stamp(event: Component) -> None:
    """Say that it is changed now."""
    now, number = datetime.now(UTC), event.pop("SEQUENCE", 0)
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        event.pop(name, None)
        event.add(name, now)
    event.add("sequence", (int(number) if str(number).isdigit() else 0) + 1)


def _set_title(_: Component, event: Component, fields: Fields, zones: Zones) -> None:  # noqa: ARG001 - see SETTERS
    put(event, "SUMMARY", plain_text(fields["title"]))


def _set_location(_: Component, event: Component, fields: Fields, zones: Zones) -> None:  # noqa: ARG001 - see SETTERS
    put(event, "LOCATION", plain_text(fields["location"] or ""))


def _set_notes(_: Component, event: Component, fields: Fields, zones: Zones) -> None:  # noqa: ARG001 - see SETTERS
    put(event, "DESCRIPTION", plain_text(fields["notes"] or ""))


def _set_busy(_: Component, event: Component, fields: Fields, zones: Zones) -> None:  # noqa: ARG001 - see SETTERS
    put(event, "TRANSP", "OPAQUE" if fields["busy"] else "TRANSPARENT")


def _set_time(calendar: Component, event: Component, fields: Fields, zones: Zones) -> None:
    """Start, end, rule and exceptions; an occurrence that was changed is no exception of its series."""
    said = Event.model_validate({**fields, **_NO_RECORD})
    zone = ZoneInfo(said.zone or zones.home.key)
    start, end = span_of(said, zone)
    for name in TIMES:
        event.pop(name, None)
    if said.recurrence:
        length = end - start  # type: ignore[operator] # both days or both instants
        start = first_start(said, start, zone)
        end = start + length
        event.add("rrule", rule_of(said.recurrence, start, zone))
        changed = set(_in_form(_replaced_moments(_events(calendar), zones), start, zones))
        _left_out(event, [one for one in exceptions_of(said, zone) if not changed & {one, _day(one)}])
    event.add("dtstart", start)
    event.add("dtend", end)


_NO_RECORD: Mapping[str, Any] = {
    "id": "",
    "created_at": datetime(2026, 1, 1, tzinfo=UTC),
    "updated_at": datetime(2026, 1, 1, tzinfo=UTC),
}


def _day(value: Moment) -> date:
    return value.date() if isinstance(value, datetime) else value


def _left_out(event: Component, skips: Sequence[Moment]) -> None:
    event.pop("EXDATE", None)
    times = [one for one in skips if isinstance(one, datetime)]
    days = [one for one in skips if not isinstance(one, datetime)]
    for some, parameters in ((times, {}), (days, {"VALUE": "DATE"})):
        if some:
            event.add("exdate", some, parameters=parameters)


def put(event: Component, name: str, value: str) -> None:
    """Say something else, or nothing."""
    event.pop(name, None)
    if value:
        event.add(name, Text(value))


SETTERS = {
    "title": _set_title,
    "time": _set_time,
    "location": _set_location,
    "notes": _set_notes,
    "busy": _set_busy,
}
