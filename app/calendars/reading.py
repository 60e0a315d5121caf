"""A calendar file as busy times within a window of time; runs in a confined child only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, vDuration

from app.calendars import forgiving
from app.calendars.lines import Unreadable, prepare_body
from app.calendars.moments import Zones
from app.calendars.series import Busy, ReadWindow, Skipped, busy_times, limit_cpu_time, words

LONGEST_NAME = 200
BROKEN = "cannot be read"
NAMELESS = "event {number} of the file"
TASKS = "{count} left out: tasks, as only events take time."


@dataclass(frozen=True)
class FileReading:
    """What a file says. ``warnings`` are sentences for people; ``refresh`` is how often its author wants it read."""

    name: str
    events: int
    busy: list[Busy]
    refresh: timedelta | None
    warnings: list[str]


def read_calendar(
    body: bytes, window: ReadWindow, zone: str, *, most_events: int, most_occurrences: int
) -> FileReading:
    """The busy times of a file that overlap the window; raises Unreadable."""
    calendars, broken_lines = _parse_calendars(prepare_body(body, most_events))
    zones, problems, busy = Zones(ZoneInfo(zone), window.since), Counter[str](), list[Busy]()
    groups = _by_uid(calendars)
    for versions in groups:
        try:
            with limit_cpu_time():
                busy += list(islice(busy_times(versions, window, zones), most_occurrences + 1 - len(busy)))
        except Skipped as skipped:
            problems[str(skipped)] += 1
        except forgiving.UNREADABLE:
            problems[BROKEN] += 1
        if len(busy) > most_occurrences:
            raise Unreadable(
                f"This calendar has more than {most_occurrences} appointments in the time that is looked at."
            )
    tasks = sum(len(calendar.walk("VTODO")) for calendar in calendars)
    warnings = [*_warnings(problems, zones), *([TASKS.format(count=tasks)] if tasks else []), *broken_lines]
    return FileReading(_name(calendars), len(groups), busy, _refresh(calendars), warnings)


def _parse_calendars(body: bytes) -> tuple[list[Calendar], list[str]]:
    try:
        return forgiving.parse_calendars(body)
    except forgiving.UNREADABLE as error:
        raise Unreadable("This calendar breaks the rules of iCalendar, so that it cannot be read.") from error


def _by_uid(calendars: Sequence[Component]) -> list[list[Component]]:
    groups: dict[str, list[Component]] = defaultdict(list)
    for number, event in enumerate(_events(calendars)):
        if not str(event.get("UID", "")):
            event["UID"] = NAMELESS.format(number=number)  # two of them at one time would pass for one
        groups[str(event["UID"])].append(event)
    return list(groups.values())


def _events(calendars: Sequence[Component]) -> Iterator[Component]:
    for calendar in calendars:
        yield from calendar.walk("VEVENT")


def _name(calendars: Sequence[Component]) -> str:
    stated = (calendar.get(key) for calendar in calendars for key in ("NAME", "X-WR-CALNAME"))
    return next((words(name, LONGEST_NAME) for name in stated if name), "")


def _refresh(calendars: Sequence[Component]) -> timedelta | None:
    stated = (calendar.get(key) for calendar in calendars for key in ("REFRESH-INTERVAL", "X-PUBLISHED-TTL"))
    return next((found for value in stated if (found := _duration(value)) is not None), None)


def _duration(value: Any) -> timedelta | None:
    if value is None:
        return None
    try:
        found = getattr(value, "td", None) or vDuration.from_ical(str(value))  # type: ignore[no-untyped-call]
    except (ValueError, OverflowError, TypeError):
        return None
    return found if isinstance(found, timedelta) and found > timedelta(0) else None


def _warnings(problems: Counter[str], zones: Zones) -> list[str]:
    found = [f"{count} left out: {'it' if count == 1 else 'each'} {why}." for why, count in sorted(problems.items())]
    if zones.unknown:
        found.append(f"{zones.unknown} times name a zone that nobody knows; they are read in yours.")
    if zones.peculiar:
        found.append(f"{zones.peculiar} times are in a zone of their own; repetitions may be off when clocks change.")
    return found
