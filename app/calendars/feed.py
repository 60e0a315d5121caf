"""The feed: a user's events and tasks as one iCalendar file (RFC 5545, with the refresh hints of RFC 7986)."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Todo, vDuration
from icalendar import Event as Appointment

from agents.records import Event, ToDo
from app.calendars.described_zones import describe_zones
from app.calendars.model.calendars import FeedItems
from app.calendars.plain import PRODUCT, plain_text, span_of
from app.calendars.repeating import exceptions_of, first_start, rule_of
from app.calendars.texts import Text

NAME = "Summit"
PRIORITIES = {"high": 1, "medium": 5, "low": 9}
STATUSES = {"not started": "NEEDS-ACTION", "in progress": "IN-PROCESS"}


class FeedWriter:
    """Writes feeds in a thread of their own; ``refresh`` is the interval that readers are asked to keep."""

    def __init__(self, refresh: timedelta) -> None:
        self._refresh = refresh

    async def __call__(self, items: FeedItems) -> bytes:
        """The file of these items."""
        return await asyncio.to_thread(write_feed, items, self._refresh)


def write_feed(items: FeedItems, refresh: timedelta) -> bytes:
    """The feed as UTF-8; the same items give the same bytes."""
    calendar = Calendar()
    for name, value in (("prodid", PRODUCT), ("version", "2.0"), ("calscale", "GREGORIAN"), ("method", "PUBLISH")):
        calendar.add(name, value)
    calendar.add("name", NAME)
    calendar.add("x-wr-calname", NAME)
    calendar.add("refresh-interval", refresh, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(refresh))
    for event in items.events:
        calendar.add_component(_appointment(event, ZoneInfo(event.zone or items.timezone)))
    as_component = _task if items.todos_as == "task" else _due
    for todo in items.todos if items.todos_as != "none" else ():
        calendar.add_component(as_component(todo, ZoneInfo(todo.zone or items.timezone)))
    _add_zones(calendar, items)
    written: bytes = calendar.to_ical()
    return written


def _add_zones(calendar: Calendar, items: FeedItems) -> None:
    """The rules of each zone that is named, from the earliest event on."""
    stamps = [*(event.start for event in items.events), *(todo.updated_at for todo in items.todos)]
    years = [stamp.year for stamp in stamps]
    if years:
        describe_zones(calendar, years)


def _appointment(event: Event, zone: ZoneInfo) -> Component:
    made = _component(Appointment(), event, event.title, event.notes)
    start, end = span_of(event, zone)
    if event.recurrence:
        length = end - start  # type: ignore[operator] # both days or both instants
        start = first_start(event, start, zone)
        end = start + length
        made.add("rrule", rule_of(event.recurrence, start, zone))
        if skipped := exceptions_of(event, zone):
            made.add("exdate", skipped, parameters={} if isinstance(start, datetime) else {"VALUE": "DATE"})
    made.add("dtstart", start)
    made.add("dtend", end)
    made.add("transp", "OPAQUE" if event.busy else "TRANSPARENT")
    if event.location:
        made.add("location", Text(plain_text(event.location)))
    return made


def _task(todo: ToDo, zone: ZoneInfo) -> Component:
    made = _component(Todo(), todo, todo.task, todo.notes)
    due = _deadline(todo, zone)
    made.add("due", due)
    if todo.recurrence:
        made.add("dtstart", due)  # a rule counts from there
        made.add("rrule", rule_of(todo.recurrence, due, zone))
    made.add("status", STATUSES[todo.status])
    if todo.priority:
        made.add("priority", PRIORITIES[todo.priority])
    return made


def _due(todo: ToDo, zone: ZoneInfo) -> Component:
    """A deadline as an appointment that keeps nobody busy, for readers that show no tasks."""
    made = _component(Appointment(), todo, todo.task, todo.notes)
    due = _deadline(todo, zone)
    made.add("dtstart", due)
    if todo.recurrence:
        made.add("rrule", rule_of(todo.recurrence, due, zone))
    made.add("transp", "TRANSPARENT")
    return made


def _deadline(todo: ToDo, zone: ZoneInfo) -> datetime | date:
    """A deadline as a feed tells it: what repeats goes by the clock of its zone, anything else is plain in UTC."""
    due = todo.deadline
    if due is None:
        raise ValueError("only tasks with a deadline are shown")
    return due.astimezone(zone if todo.recurrence else UTC) if isinstance(due, datetime) else due


def _component(made: Component, record: Event | ToDo, title: str, notes: str) -> Component:
    made.add("uid", f"{record.id}@summit")
    made.add("dtstamp", record.updated_at.astimezone(UTC))
    made.add("created", record.created_at.astimezone(UTC))
    made.add("last-modified", record.updated_at.astimezone(UTC))
    made.add("sequence", record.version - 1)
    made.add("summary", Text(plain_text(title)))
    if notes:
        made.add("description", Text(plain_text(notes)))
    return made
