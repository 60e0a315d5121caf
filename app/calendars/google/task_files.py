"""A task of Google's as fields, and changed fields as what is to be asked of Google.

A file is JSON: ``task`` is the resource, ``body`` what is still to be written of it, and ``mark`` what a new one is
known again by. Google names tasks itself, so that a new one carries the mark as the last line of its notes until it is
known by its name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import ValidationError

from agents.records import ToDoFields
from app.calendars.model.synced import MASTER, OURS, Fields, PendingWrite, ReadItem, Written
from app.calendars.task_rules import task_state

MARK = re.compile(r"(?:\A|\n)summit:([\w-]{1,200})\s*\Z")
MOST_NOTES = 8192
"""Characters of notes that Google keeps."""
NO_TITLE = "(no title)"
TOO_LONG = f"Its notes are longer than the {MOST_NOTES:,} characters that Google keeps."
NO_TASK = "Google says what no task can say ({why})."
OPEN, DONE = "needsAction", "completed"
Resource = dict[str, Any]


class TaskFiles:
    """See app.calendars.model.synced.ItemFiles; there is nothing in them that a confined child would have to parse."""

    async def read(self, texts: Sequence[str], timezone: str) -> Sequence[ReadItem]:  # noqa: ARG002 - days have no zone
        """What each file says."""
        return [read_task(json.loads(text)["task"]) for text in texts]

    async def write(self, wanted: Sequence[PendingWrite], timezone: str) -> Sequence[Written]:  # noqa: ARG002
        """The changed files."""
        return [write_task(one) for one in wanted]

    async def close(self) -> None:
        """Nothing was begun."""


def read_task(task: Resource) -> ReadItem:
    """What a task says."""
    notes, mark = split_mark(task.get("notes") or "")
    uid = f"{mark}{OURS}" if mark else str(task.get("id", ""))
    try:
        due = date.fromisoformat(task["due"][:10]).isoformat() if task.get("due") else None
        said = task_state(task.get("title") or "", notes, due, done=task.get("status") == DONE)
        said["title"] = said["title"] or NO_TITLE
        ToDoFields(task=said["title"], notes=said["notes"])
    except ValidationError as error:
        return ReadItem(uid, {}, NO_TASK.format(why=error.errors()[0]["msg"]))
    except (ValueError, TypeError, AttributeError):
        return ReadItem(uid, {}, NO_TASK.format(why="its day"))
    return ReadItem(uid, {MASTER: said})


def write_task(wanted: PendingWrite) -> Written:
    """The file as it is to be; without any changed part it is written without its mark."""
    part = wanted.parts.get(MASTER)
    if part is not None and part.fields is None:
        return Written(None, ReadItem(wanted.uid, {}))
    old: Resource = json.loads(wanted.text)["task"] if wanted.text else {}
    notes, mark = split_mark(old.get("notes") or "")
    body: Resource = {"notes": notes} if mark else {}
    for group in part.groups if part else ():
        body |= _google_fields(group, (part and part.fields) or {})
    task = {name: value for name, value in {**old, **body}.items() if value is not None}
    own = wanted.uid.removesuffix(OURS)
    reading = ReadItem(wanted.uid, read_task(task).parts)
    if len(add_mark(task.get("notes", ""), own)) > MOST_NOTES:
        reading = ReadItem(wanted.uid, {}, TOO_LONG)
    return Written(json.dumps({"task": task, "body": body, "mark": own}), reading)


def split_mark(notes: str) -> tuple[str, str | None]:
    """Notes without their mark, and the mark."""
    found = MARK.search(notes)
    return (notes[: found.start()], found[1]) if found else (notes, None)


def add_mark(notes: str, mark: str) -> str:
    """Notes with a mark."""
    return f"{notes}\nsummit:{mark}" if notes else f"summit:{mark}"


def _google_fields(group: str, fields: Fields) -> Mapping[str, Any]:
    """A group of fields as Google calls them; null for what is to be empty."""
    if group == "due":
        return {"due": f"{fields['due']}T00:00:00.000Z" if fields["due"] else None}
    if group == "done":
        return {"status": DONE} if fields["done"] else {"status": OPEN, "completed": None}
    return {group: fields[group]}
