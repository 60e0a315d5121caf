"""Reads calendars of which some lines break the rules: such a line is left out and named, and the rest is read.

RFC 5545 lets no reader go on after a broken line, but files with one are common, and the line is seldom about an event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from icalendar import Calendar
from icalendar.cal.component_factory import ComponentFactory
from icalendar.parser.ical.calendar import CalendarIcalParser

from app.calendars.texts import TEXTS

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, AssertionError)
"""What the library raises for what it cannot read."""
TIMES = frozenset({"DTSTART", "DTEND", "DURATION", "DUE", "RRULE", "RDATE", "EXRULE", "EXDATE", "RECURRENCE-ID"})
"""Of an event or a task nothing else says when it is."""
DATED_COMPONENTS = frozenset({"VEVENT", "VTODO"})
UNREAD_COMPONENTS = frozenset({"VALARM", "VAVAILABILITY", "VFREEBUSY", "VJOURNAL"})
"""Parts of which nothing is read."""
NAME = re.compile(r"[A-Za-z0-9-]{1,40}")
NAMELESS = "without a name"
MAX_NAMED_LINES = 20
LEFT_OUT = "Line {number} ({name}) breaks the rules of iCalendar; it is left out."
MORE_LEFT_OUT = "So do {more} more lines."


class ForgivingParser(CalendarIcalParser):
    """Parses what can be read; ``unreadable`` are the lines that mattered and could not be, as (number, name)."""

    def __init__(self, text: str) -> None:
        super().__init__(text, ComponentFactory(), TEXTS)
        self.unreadable: list[tuple[int, str]] = []
        self._numbers = _numbers(text)
        self._number, self._line = 0, ""

    def initialize_parsing(self) -> None:
        """Begin; zones that are described behind their events make it begin once more."""
        super().initialize_parsing()  # type: ignore[no-untyped-call]
        self.unreadable.clear()
        self._content_lines_iterator = self._track_lines(self._content_lines_iterator)

    def handle_begin_component(self, vals: str) -> None:
        """Let every part be as patient as events are."""
        super().handle_begin_component(vals)
        self._stack[-1].ignore_exceptions = True  # type: ignore[misc] # of this one, not of its class

    def handle_end_component(self, vals: str) -> None:
        """A zone whose description cannot be followed is one that nobody knows."""
        try:
            super().handle_end_component(vals)
        except UNREADABLE:
            self._note(f"END:{vals}")

    def handle_property(self, name: str, params: Any, vals: str, line: Any) -> None:
        """Leave out what belongs to nothing."""
        if self.component is None:
            self._note(name)
        else:
            super().handle_property(name, params, vals, line)

    def parse_and_add_property(self, name: str, params: Any, val: str, tzid: str | None, line: Any) -> None:
        """A value breaks in more ways than the library expects."""
        try:
            super().parse_and_add_property(name, params, val, tzid, line)
        except UNREADABLE as error:
            self.handle_property_parse_error(error, name, params, val, line)

    def handle_property_parse_error(self, exception: Exception, name: str, params: Any, val: str, line: Any) -> None:
        """Keep the value as it is written, which the library knows how to."""
        within = {str(part.name) for part in self._stack}
        if name in TIMES or not (within & DATED_COMPONENTS or name.startswith("X-")):
            self._note(name)
        super().handle_property_parse_error(exception, name, params, val, line)

    def handle_line_parse_error(self, exception: Exception) -> None:
        """Leave out what is no line of a calendar."""
        self._note(self._line)
        if self.component is not None:
            super().handle_line_parse_error(exception)

    def _track_lines(self, lines: Iterator[Any]) -> Iterator[Any]:
        for number, line in zip(self._numbers, lines, strict=False):
            self._number, self._line = number, str(line)
            yield line

    def _note(self, line: str) -> None:
        if not {str(part.name) for part in self._stack} & UNREAD_COMPONENTS:
            name = NAME.match(line)
            self.unreadable.append((self._number, name[0] if name else NAMELESS))


def parse_calendars(body: bytes) -> tuple[list[Calendar], list[str]]:
    """The calendars in a file, and sentences about lines that could not be read. Raises one of UNREADABLE."""
    parser = ForgivingParser(body.decode("utf-8", "replace"))
    found = [one for one in parser.parse() if isinstance(one, Calendar)]
    told = [LEFT_OUT.format(number=number, name=name) for number, name in parser.unreadable[:MAX_NAMED_LINES]]
    more = len(parser.unreadable) - len(told)
    return found, [*told, MORE_LEFT_OUT.format(more=more)] if more else told


def _numbers(text: str) -> list[int]:
    """The number in the file of each line of the calendar, some of which go on in the next ones."""
    lines = enumerate(text.split("\n"), start=1)
    return [number for number, line in lines if line.rstrip("\r") and line[0] not in " \t"]
