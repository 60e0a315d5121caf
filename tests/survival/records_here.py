"""This side of what is kept in step: events, or tasks, as a script changes them through the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from app.calendars.build import RULES
from app.calendars.model.synced import Form, Holds

MASTER_ZONE = "Europe/Lisbon"


@dataclass(frozen=True)
class Here:
    """``compared`` fields are equal in the end; ``there_alone`` is changed on the other side alone.

    Tasks do not repeat: the day of one that does moves when it is done.
    """

    form: Form
    holds: Holds
    path: str
    title: str
    there_alone: str
    compared: Sequence[str]
    rule: str

    def named(self, record: Mapping[str, Any]) -> str:
        return str(record[self.title])

    def new(self, title: str, start: datetime, *, repeats: bool) -> dict[str, Any]:
        """The fields of something new."""
        when = {"start" if self.holds == "events" else "deadline": start.isoformat()}
        return {self.title: title, **when, "zone": MASTER_ZONE} | (
            {"recurrence": self.rule} if repeats and self.rule else {}
        )

    def state(self, record: Mapping[str, Any]) -> dict[str, Any]:
        return dict(RULES[self.form].state(record) or {})


EVENTS = Here(
    "caldav",
    "events",
    "/v1/events",
    "title",
    "location",
    ("title", "start", "end", "recurrence", "exdates", "location", "notes", "all_day"),
    "FREQ=WEEKLY;COUNT=5",
)
TASKS = Here("google-tasks", "tasks", "/v1/todos", "task", "due", ("title", "notes", "due", "done"), rule="")
TODOS = replace(TASKS, form="caldav-tasks")
