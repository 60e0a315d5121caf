"""The child that reads one calendar file from standard input and can do nothing else.

Arguments: the window's two instants, the user's zone, most events, most occurrences, seconds, bytes of memory. Answers
one message of JSON: {"refused": reason} or what the file says.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple
from datetime import datetime
from typing import Any

from app.boundary.confinement import frames, sandbox
from app.calendars.known_zones import need_no_files
from app.calendars.lines import Unreadable
from app.calendars.reading import FileReading, read_calendar
from app.calendars.series import ReadWindow

# Holds whatever makes the libraries import something late, when no file can be opened any more.
SAMPLE = b"""BEGIN:VCALENDAR
REFRESH-INTERVAL:wrong
wrong
BEGIN:VTIMEZONE
TZID:Sample
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0117
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:sample
DTSTART;TZID=Sample:20260101T100000
DTEND;TZID=/x/Europe/Berlin:20260101T110000
RRULE:FREQ=WEEKLY;UNTIL=20270101T000000Z
EXDATE:20260102
RDATE;VALUE=PERIOD:20260105T100000Z/PT1H
SUMMARY:sample
END:VEVENT
BEGIN:VEVENT
DTSTART:wrong
END:VEVENT
END:VCALENDAR
"""
TOO_MUCH_MEMORY = "This calendar needs more memory than a calendar may."


def main() -> None:
    """Read standard input within the limits and report."""
    sandbox.follow_parent()
    since, until, zone, most_events, most_occurrences, seconds, memory = sys.argv[1:]
    file, replies = sys.stdin.buffer, sys.stdout.buffer
    need_no_files()
    window = ReadWindow(datetime.fromisoformat(since), datetime.fromisoformat(until))
    read_calendar(SAMPLE, window, zone, most_events=10, most_occurrences=1000)
    sandbox.confine(cpu_seconds=int(seconds), memory_bytes=int(memory))
    try:
        report = reading_as_json(
            read_calendar(
                file.read(), window, zone, most_events=int(most_events), most_occurrences=int(most_occurrences)
            )
        )
    except Unreadable as refused:
        report = {"refused": str(refused)}
    except MemoryError:
        report = {"refused": TOO_MUCH_MEMORY}
    frames.write(replies, json.dumps(report, default=str).encode())


def reading_as_json(reading: FileReading) -> dict[str, Any]:
    """The reading as JSON."""
    return {
        "name": reading.name,
        "events": reading.events,
        "refresh_seconds": reading.refresh.total_seconds() if reading.refresh else None,
        "warnings": reading.warnings,
        "busy": [astuple(one) for one in reading.busy],
    }


if __name__ == "__main__":
    main()
