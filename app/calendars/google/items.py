"""An event of Google Calendar as fields, and changed fields as what is to be asked of Google; in a confined child only.

A file is JSON: ``events`` are the resources of a single event, or of a series and of its occurrences that were changed
or left out, and ``writes`` what is still to be asked. Both are put into the form of iCalendar and read as that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from icalendar import Component
from icalendar import Event as Appointment

from app.calendars import items
from app.calendars.items import MASTER, MOST_EVENTS, Fields, PendingWrite, ReadItem, Target, Written
from app.calendars.known_zones import every_zone
from app.calendars.lines import Unreadable
from app.calendars.moments import Moment, Zones, moment

OURS = "@summit"
MARK = "summit"
CANCELLED, CONFIRMED = "cancelled", "confirmed"
REPEATS = ("RRULE", "EXDATE", "RDATE", "EXRULE")
TEXTS = {"SUMMARY": "summary", "LOCATION": "location", "DESCRIPTION": "description"}
FIELDS: Mapping[str, tuple[str, ...]] = {
    "title": ("summary",),
    "time": ("start", "end", "recurrence"),
    "location": ("location",),
    "notes": ("description",),
    "busy": ("transparency",),
}
"""What Google calls the fields of a group."""
NO_EVENT = "Google says what is no event."
Resource = dict[str, Any]


def read_item(text: str, home: ZoneInfo) -> ReadItem:
    """See app.calendars.items."""
    return items.reading(lambda: list(_components(_resources(text)).values()), home)


def write_item(wanted: PendingWrite, home: ZoneInfo) -> Written:
    """The file as it is to be, with the writes that make it so; of what Summit knows nothing, all stays."""
    zones = Zones(home, datetime.now(UTC))
    resources = _by_instance(_resources(wanted.text) if wanted.text else [], zones)
    writes = [
        write
        for instance, part in sorted(wanted.parts.items())
        for write in _change(resources, instance, part, wanted.uid, zones)
    ]
    left = list(resources.values())
    master = resources.get(MASTER)
    if all(one.get("status") == CANCELLED for one in left) or (master and master.get("status") == CANCELLED):
        return Written(None, ReadItem(wanted.uid, {}))
    text = json.dumps({"events": left, "writes": writes})
    return Written(text, read_item(text, home))


def _resources(text: str) -> list[Resource]:
    found = json.loads(text)["events"]
    if len(found) > MOST_EVENTS or not all(isinstance(one, dict) and isinstance(one.get("id"), str) for one in found):
        raise Unreadable(NO_EVENT)
    return list(found)


def _components(resources: Sequence[Resource]) -> dict[str, Component]:
    """Resources in the form of iCalendar, by their id."""
    return {one["id"]: _component(one) for one in resources}


def _component(resource: Resource) -> Component:
    event = _repeating(resource)
    event.add("uid", _uid(resource))
    for name, key in TEXTS.items():
        if isinstance(said := resource.get(key), str) and said:
            event.add(name, said)
    for name, key in (("dtstart", "start"), ("dtend", "end"), ("recurrence-id", "originalStartTime")):
        if (found := _moment(resource.get(key))) is not None:
            event.add(name, found)
    if resource.get("status") == CANCELLED:
        event.add("status", "CANCELLED")
    if resource.get("transparency") == "transparent":
        event.add("transp", "TRANSPARENT")
    return event


def _repeating(resource: Resource) -> Component:
    """An event with the lines of iCalendar that Google keeps as they are."""
    lines = [str(line).strip() for line in resource.get("recurrence") or []]
    if any(not line.upper().startswith(REPEATS) or not line.isprintable() for line in lines):
        raise Unreadable(NO_EVENT)
    made = Appointment.from_ical("\r\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT", ""]))
    if not isinstance(made, Appointment):
        raise Unreadable(NO_EVENT)
    return made


def _uid(resource: Resource) -> str:
    """The UID of an event; one that began here carries its id with it."""
    own = ((resource.get("extendedProperties") or {}).get("private") or {}).get(MARK)
    # A copy of an event carries the mark, too; only the event itself has the id that follows from it.
    if isinstance(own, str) and _id_of(own) == (resource.get("recurringEventId") or resource["id"]):
        return f"{own}{OURS}"
    return str(resource.get("iCalUID") or resource["id"])


def _id_of(record_id: str) -> str:
    try:
        return UUID(record_id).hex
    except ValueError:
        return ""


def _moment(said: Any) -> Moment | None:
    if not isinstance(said, dict):
        return None
    if said.get("date"):
        return date.fromisoformat(said["date"])
    if not said.get("dateTime"):
        return None
    found = datetime.fromisoformat(said["dateTime"])
    zone = every_zone().get(said.get("timeZone") or "")
    if found.tzinfo is None:
        return found.replace(tzinfo=zone)
    return found.astimezone(zone or UTC)


def _by_instance(resources: Sequence[Resource], zones: Zones) -> dict[str, Resource]:
    components = _components(resources)
    return {items.instance_of(components[one["id"]], zones): one for one in resources}


def _change(
    resources: dict[str, Resource], instance: str, part: Target, uid: str, zones: Zones
) -> Iterator[dict[str, Any]]:
    """Make one resource say something else; what is to be asked of Google for it."""
    old = resources.get(instance)
    if part.fields is None:
        if old is not None and old.get("status") != CANCELLED:
            resources[instance] = {**old, "status": CANCELLED}
            yield _write(old, None)
        return
    if old is None and instance != MASTER:
        raise Unreadable(NO_EVENT)  # an occurrence that was changed there has a resource of its own
    if instance == MASTER and "time" in part.groups:
        yield from _taken_back(resources, part.fields)
    body = _body(resources, old, part, zones)
    if old is None:
        own = uid.removesuffix(OURS)
        old, body = {"id": _id_of(own)}, {"extendedProperties": {"private": {MARK: own}}, **body}
    if old.get("status") == CANCELLED:
        body["status"] = CONFIRMED
    resources[instance] = {key: value for key, value in {**old, **body}.items() if value is not None}
    yield _write(old, body)


def _write(resource: Resource, body: Resource | None) -> dict[str, Any]:
    return {"id": resource["id"], "etag": resource.get("etag"), "body": body}


def _taken_back(resources: dict[str, Resource], fields: Fields) -> Iterator[dict[str, Any]]:
    """Occurrences that were left out there and are left out no longer take place again."""
    skipped = {_key(one) for one in fields["exdates"]}
    for instance, one in list(resources.items()):
        if one.get("status") == CANCELLED and not skipped & {instance, _day(instance, fields)}:
            yield _write(resources.pop(instance), {"status": CONFIRMED})


def _key(skipped: str) -> str:
    """A left-out time in the form in which instances are named."""
    return datetime.fromisoformat(skipped).astimezone(UTC).isoformat() if "T" in skipped else skipped


def _day(instance: str, fields: Fields) -> str:
    """The day of an occurrence, by the clock of its series."""
    if "T" not in instance:
        return instance
    zone = every_zone().get(fields["zone"] or "UTC")
    return datetime.fromisoformat(instance).astimezone(zone).date().isoformat()


def _body(resources: Mapping[str, Resource], old: Resource | None, part: Target, zones: Zones) -> dict[str, Any]:
    """The fields of the changed groups as Google calls them; null for what is to be empty."""
    others = [_component(one) for one in resources.values() if one is not old]
    event = _component({"id": "new"} if old is None else old)
    said: dict[str, Any] = {}
    for group in part.groups:
        items.SETTERS[group](_calendar_of([*others, event]), event, part.fields or {}, zones)
        said |= {key: _google_value(event, key, zones) for key in FIELDS[group]}
    if old is None or "recurringEventId" in old:  # what is new has nothing to be emptied
        said = {key: value for key, value in said.items() if (key, value) != ("recurrence", None)}
    return said


def _calendar_of(events: Sequence[Component]) -> Component:
    calendar = Component()
    calendar.subcomponents = list(events)
    return calendar


def _google_value(event: Component, key: str, zones: Zones) -> Any:
    if key == "recurrence":
        return [str(line) for line in event.content_lines() if line.upper().startswith(REPEATS)] or None
    if key == "transparency":
        return "transparent" if str(event.get("TRANSP", "")).upper() == "TRANSPARENT" else "opaque"
    if key in ("start", "end"):
        return _time(moment(event, f"DT{key.upper()}", zones))
    name = next(name for name, said in TEXTS.items() if said == key)
    return str(event.get(name, ""))


def _time(value: Moment | None) -> dict[str, Any]:
    """A time as Google writes it; the other kind of time is emptied."""
    if isinstance(value, datetime):
        return {"dateTime": value.isoformat(), "timeZone": getattr(value.tzinfo, "key", "UTC"), "date": None}
    return {"date": value.isoformat() if value else None, "dateTime": None, "timeZone": None}
