"""The file of one task (VTODO), read as fields and changed in place; runs in a confined child only."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Todo

from agents.records import ToDoFields
from app.calendars import items
from app.calendars.described_zones import describe_zones
from app.calendars.items import LONGEST_LINE, LONGEST_UID, MASTER, NO_TITLE, Fields, PendingWrite, ReadItem, Written
from app.calendars.moments import Moment, Zones, moment
from app.calendars.plain import plain_text
from app.calendars.repeating import rule_of
from app.calendars.series import Skipped, rule_in, words
from app.calendars.todo_rules import todo_state

CLOSED = frozenset({"COMPLETED", "CANCELLED"})
SEVERAL = "This task repeats on dates of its own, which Summit does not keep."
CHANGED = "Single times of this task were changed, which Summit does not keep."
NEVER_DUE = "repeats, and is never due"
BY_ITS_START = "repeats by its start, and is due on another day"


def read_item(text: str, home: ZoneInfo) -> ReadItem:
    """What a file says; one without tasks says nothing."""
    return items.read_safely(lambda zones: _read(_todos(items.parse_calendar(text)), zones), home)


def write_item(wanted: PendingWrite, home: ZoneInfo) -> Written:
    """The changed file; of what Summit knows nothing, all stays."""
    part = wanted.parts.get(MASTER)
    if part is not None and part.fields is None:
        return Written(None, ReadItem(wanted.uid, {}))
    calendar, zones = (
        items.parse_calendar(wanted.text) if wanted.text else items.empty(),
        Zones(home, datetime.now(UTC)),
    )
    todo = next(iter(_todos(calendar)), None) or _new(calendar, wanted.uid)
    for group in part.groups if part else ():
        SETTERS[group](todo, (part and part.fields) or {}, zones)
    items.stamp(todo)
    due = _due(todo, zones)
    describe_zones(calendar, [due.year if due else datetime.now(UTC).year])
    text = calendar.to_ical().decode()
    return Written(text, read_item(text, home))


def _todos(calendar: Component) -> list[Component]:
    return [part for part in calendar.subcomponents if part.name == "VTODO"]


def _read(todos: list[Component], zones: Zones) -> ReadItem:
    if not todos:
        return ReadItem("", {})
    if len(todos) > 1 or "RECURRENCE-ID" in todos[0]:
        raise Skipped(CHANGED)
    [todo] = todos
    due = _due(todo, zones)
    said = todo_state(
        words(todo.get("SUMMARY", ""), LONGEST_LINE) or NO_TITLE,
        items.notes_of(todo),
        due.isoformat() if due else None,
        getattr(getattr(due, "tzinfo", None), "key", None) or "UTC",
        _rule(todo, due, zones),
        done=_is_closed(todo),
    )
    ToDoFields(task=said["title"], notes=said["notes"], deadline=said["due"], recurrence=said["recurrence"])
    return ReadItem(str(todo.get("UID", ""))[:LONGEST_UID], {MASTER: said})


def _due(todo: Component, zones: Zones) -> Moment | None:
    """When a task is due: as it says, or so long after its start."""
    stated, start = moment(todo, "DUE", zones), moment(todo, "DTSTART", zones)
    lasts = getattr(todo.get("DURATION"), "dt", None)
    return start + lasts if stated is None and start is not None and isinstance(lasts, timedelta) else stated


def _rule(todo: Component, due: Moment | None, zones: Zones) -> str | None:
    """The rule of a task, which counts from its start there, and from when it is due here."""
    if "RDATE" in todo or "EXRULE" in todo or "EXDATE" in todo:
        raise Skipped(SEVERAL)
    if "RRULE" not in todo:
        return None
    if due is None:
        raise Skipped(NEVER_DUE)
    rule, start = rule_in(todo, due), moment(todo, "DTSTART", zones)
    if start is not None and _day(start) != _day(due) and ";BY" in (rule or ""):
        raise Skipped(BY_ITS_START)
    return rule


def _day(value: Moment) -> date:
    return value.date() if isinstance(value, datetime) else value


def _is_closed(todo: Component) -> bool:
    return str(todo.get("STATUS", "COMPLETED" if "COMPLETED" in todo else "")).upper() in CLOSED


def _new(calendar: Calendar, uid: str) -> Component:
    made = Todo()
    made.add("uid", uid)
    made.add("created", datetime.now(UTC))
    made.add("status", "NEEDS-ACTION")
    calendar.add_component(made)
    return made


def _set_title(todo: Component, fields: Fields, zones: Zones) -> None:  # noqa: ARG001 - see SETTERS
    items.put(todo, "SUMMARY", plain_text(fields["title"]))


def _set_notes(todo: Component, fields: Fields, zones: Zones) -> None:  # noqa: ARG001 - see SETTERS
    items.put(todo, "DESCRIPTION", plain_text(fields["notes"]))


def _set_due(todo: Component, fields: Fields, zones: Zones) -> None:
    """When it is due; its start keeps its distance."""
    before, start = _due(todo, zones), moment(todo, "DTSTART", zones)
    due = _moment(fields, before)
    for name in ("DUE", "DURATION", "RRULE", "DTSTART"):
        todo.pop(name, None)
    if due is None:
        _add(todo, "DTSTART", start)
        return
    todo.add("due", due)
    if fields["recurrence"]:
        zone = ZoneInfo(fields["zone"] or zones.home.key)
        todo.add("rrule", rule_of(fields["recurrence"], due, zone))
    _add(todo, "DTSTART", _moved_start(start, before, due) or (due if fields["recurrence"] else None))


def _moment(fields: Fields, before: Moment | None) -> Moment | None:
    """A day, or a time by the clock of its series, or by the clock by which it was told before."""
    said = fields["due"]
    if said is None or "T" not in said:
        return date.fromisoformat(said) if said else None
    told = before.tzinfo if isinstance(before, datetime) else None
    return datetime.fromisoformat(said).astimezone(ZoneInfo(fields["zone"]) if fields["zone"] else told or UTC)


def _moved_start(start: Moment | None, before: Moment | None, due: Moment) -> Moment | None:
    """The start of a task that is due at another time; none where the two cannot be compared."""
    if start is None or before is None or len({isinstance(one, datetime) for one in (start, before, due)}) > 1:
        return None
    return due - (before - start)


def _add(todo: Component, name: str, value: Moment | None) -> None:
    if value is not None:
        todo.add(name.lower(), value)


def _set_done(todo: Component, fields: Fields, zones: Zones) -> None:  # noqa: ARG001 - see SETTERS
    """Done or not; what is under way there stays so until it is done."""
    if fields["done"] == _is_closed(todo):
        return
    for name in ("STATUS", "COMPLETED", "PERCENT-COMPLETE"):
        todo.pop(name, None)
    todo.add("status", "COMPLETED" if fields["done"] else "NEEDS-ACTION")
    if fields["done"]:
        todo.add("completed", datetime.now(UTC))
        todo.add("percent-complete", 100)


SETTERS: Any = {"title": _set_title, "notes": _set_notes, "due": _set_due, "done": _set_done}
