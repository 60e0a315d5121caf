"""The child that reads and changes files of events for one caller, and can do nothing else.

Arguments: the form of the files (caldav, caldav-tasks or google), seconds of the processor, bytes of memory. Each
message is {"zone", "read": [text]} or {"zone", "write": [{"uid", "text", "parts"}]}, each answer a list with one thing
for each, or {"refused": reason}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from app.boundary.confinement import frames, sandbox
from app.calendars import items, todo_items
from app.calendars.forgiving import UNREADABLE
from app.calendars.google import items as google
from app.calendars.items import MASTER, PendingWrite, ReadItem, Target, Written, read_item, write_item
from app.calendars.known_zones import need_no_files
from app.calendars.lines import Unreadable
from app.calendars.plain import GROUPS
from app.calendars.read_child import SAMPLE, TOO_MUCH_MEMORY

# Like the sample of the other child: whatever the libraries import late, they import with this.
EVENT = {
    "title": "sample",
    "start": "2026-01-01T10:00:00+01:00",
    "end": "2026-01-01T11:00:00+01:00",
    "zone": "Europe/Berlin",
    "recurrence": "FREQ=WEEKLY;UNTIL=20270101T000000Z",
    "exdates": ["2026-01-08"],
    "location": None,
    "notes": "",
    "busy": True,
}


TASK = {
    "title": "sample",
    "notes": "",
    "due": "2026-01-01T10:00:00+00:00",
    "zone": "Europe/Berlin",
    "recurrence": "FREQ=WEEKLY;UNTIL=20270101T000000Z",
    "done": True,
}
FORMS: Mapping[str, Any] = {"caldav": items, "caldav-tasks": todo_items, "google": google}


def main() -> None:
    """Answer until the other side closes."""
    sandbox.follow_parent()
    requests, replies = frames.take_pipes()
    provider, seconds, memory = sys.argv[1:]
    need_no_files()
    _warm()
    sandbox.confine(cpu_seconds=int(seconds), memory_bytes=int(memory))
    while (message := frames.read(requests)) is not None:
        frames.write(replies, json.dumps(_answer(json.loads(message), FORMS[provider])).encode())


def _warm() -> None:
    home = ZoneInfo("Europe/Lisbon")
    read_item(SAMPLE.decode(), home)
    made = write_item(PendingWrite("sample", None, {MASTER: Target(EVENT, ())}), home)
    write_item(PendingWrite("sample", made.text, {MASTER: Target(EVENT, ("time",))}), home)
    read_item("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:wrong\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", home)
    todo_items.write_item(PendingWrite("sample", None, {MASTER: Target(TASK, tuple(todo_items.SETTERS))}), home)
    kept = google.write_item(PendingWrite("sample", None, {MASTER: Target(EVENT, tuple(GROUPS))}), home).text
    google.read_item(str(kept), home)


def _answer(asked: Mapping[str, Any], form: Any) -> Any:
    home = ZoneInfo(asked["zone"])
    try:
        if "read" in asked:
            return [asdict(form.read_item(text, home)) for text in asked["read"]]
        return [asdict(_write_item(one, home, form)) for one in asked["write"]]
    except MemoryError:
        return {"refused": TOO_MUCH_MEMORY}


def _write_item(one: Mapping[str, Any], home: ZoneInfo, form: Any) -> Written:
    parts = {key: Target(part["fields"], tuple(part["groups"])) for key, part in one["parts"].items()}
    try:
        made: Written = form.write_item(PendingWrite(one["uid"], one["text"], parts), home)
    except (Unreadable, *UNREADABLE) as error:
        return Written(None, ReadItem(one["uid"], {}, f"It cannot be written as iCalendar ({type(error).__name__})."))
    return made


if __name__ == "__main__":
    main()
