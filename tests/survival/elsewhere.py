"""The other side of a calendar that is kept in step: how a program or a person changes it, and how it goes away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx

from app.calendars import todo_items
from app.calendars.google import items as google_items
from app.calendars.google.calendar import _item
from app.calendars.google.task_files import read_task
from app.calendars.items import read_item
from app.calendars.model.synced import Form
from tests.support.fakes.google.calendars import GoogleCalendarState, Refused
from tests.support.fakes.google.server import Google, google_account
from tests.support.fakes.google.tasks import GoogleTaskList
from tests.support.peers.radicale import PASSWORD, USER, OtherProgram, Radicale, event, task
from tests.survival.records_here import EVENTS, TASKS, TODOS, Here


class Elsewhere(Protocol):
    """One calendar; an event of it is known by the name of its file. What was gone meanwhile is told by False."""

    settings: Mapping[str, str]
    here: Here

    def connect(self, client: httpx.Client) -> dict[str, Any]:
        """Connect the account with Summit."""

    def names(self) -> list[str]: ...

    def title(self, name: str) -> str | None: ...

    def create(self, title: str, start: datetime, rule: str | None) -> None: ...

    def change(self, name: str, what: str, words: str) -> bool:
        """Change the notes, or what is changed there alone."""

    def delete(self, name: str) -> bool: ...

    def alone(self, number: int) -> str:
        """Another value of what is changed there alone."""

    def fields(self, name: str, home: ZoneInfo) -> dict[str, Any]:
        """An event as Summit reads it."""

    def kill(self) -> None: ...

    def start(self) -> None: ...


@dataclass
class CalDavSide:
    """See Elsewhere; a real Radicale."""

    program: OtherProgram
    settings: Mapping[str, str] = field(default_factory=dict)
    here: Here = EVENTS

    def connect(self, client: httpx.Client) -> dict[str, Any]:
        account = {"url": self.program.server.url, "username": USER, "password": PASSWORD}
        return dict(client.post("/v1/calendar-accounts", json=account).json())

    def names(self) -> list[str]:
        return self.program.names()

    def title(self, name: str) -> str | None:
        answer = self.program.get(name)
        if answer.status_code != 200:
            return None
        return next(line.partition(":")[2] for line in answer.text.splitlines() if line.startswith("SUMMARY"))

    def create(self, title: str, start: datetime, rule: str | None) -> None:
        more = (f"RRULE:{rule}",) if rule else ()
        self.program.write(
            f"{uuid4()}.ics", event(str(uuid4()), title, f"{start:%Y%m%dT%H%M%SZ}", "DURATION:PT1H", *more)
        )

    def change(self, name: str, what: str, words: str) -> bool:
        answer = self.program.get(name)
        if answer.status_code != 200:
            return False
        changed = _with(answer.text, "VEVENT", {"location": "LOCATION", "notes": "DESCRIPTION"}[what], words)
        return self.program.put(name, changed, answer.headers["etag"]).status_code in (201, 204)

    def delete(self, name: str) -> bool:
        answer = self.program.get(name)
        return answer.status_code == 200 and self.program.delete(name, answer.headers["etag"]).status_code == 200

    def fields(self, name: str, home: ZoneInfo) -> dict[str, Any]:
        return dict(read_item(self.program.get(name).text, home).parts[""])

    def alone(self, number: int) -> str:
        return f"place {number}"

    def kill(self) -> None:
        self.program.server.kill()

    def start(self) -> None:
        self.program.server.start()


@dataclass
class CalDavTasksSide(CalDavSide):
    """See Elsewhere; what is done there is done here."""

    here: Here = TODOS
    changes: int = 0

    def create(self, title: str, start: datetime, rule: str | None) -> None:
        self.program.write(f"{uuid4()}.ics", task(str(uuid4()), title, f"DUE:{start:%Y%m%dT%H%M%SZ}"))

    def change(self, name: str, what: str, words: str) -> bool:
        answer = self.program.get(name)
        if answer.status_code != 200:
            return False
        self.changes += 1
        if what == "due":
            changed = _with(answer.text, "VTODO", "DUE", words.replace("-", ""), ";VALUE=DATE")
        else:
            # What is done before it is known stays there alone; a title of here tells that it is known.
            done = self.changes % 4 == 0 and " new\r" not in answer.text
            noted = _with(answer.text, "VTODO", "DESCRIPTION", words)
            changed = _with(noted, "VTODO", "STATUS", "COMPLETED" if done else "NEEDS-ACTION")
        return self.program.put(name, changed, answer.headers["etag"]).status_code in (201, 204)

    def fields(self, name: str, home: ZoneInfo) -> dict[str, Any]:
        return dict(todo_items.read_item(self.program.get(name).text, home).parts[""])

    def alone(self, number: int) -> str:
        return f"{date(2028, 1, 1) + timedelta(days=number)}"


@dataclass
class GoogleSide:
    """See Elsewhere; answers of Google get lost, too."""

    google: Google
    calendar: GoogleCalendarState
    settings: Mapping[str, str] = field(default_factory=dict)
    here: Here = EVENTS

    def connect(self, client: httpx.Client) -> dict[str, Any]:
        return _connect_google(client, self.google)

    def names(self) -> list[str]:
        with self.calendar.lock:
            return sorted(self.calendar.there())

    def title(self, name: str) -> str | None:
        with self.calendar.lock:
            found = self.calendar.there().get(name)
        return found["summary"] if found else None

    def create(self, title: str, start: datetime, rule: str | None) -> None:
        end = {"dateTime": (start + timedelta(hours=1)).isoformat(), "timeZone": "UTC"}
        begin = {"dateTime": start.isoformat(), "timeZone": "UTC"}
        repeats: dict[str, Any] = {"recurrence": [f"RRULE:{rule}"]} if rule else {}
        self.calendar.add(title, start=begin, end=end, **repeats)

    def change(self, name: str, what: str, words: str) -> bool:
        try:
            self.calendar.change(name, **{{"location": "location", "notes": "description"}[what]: words})
        except Refused:
            return False
        return True

    def delete(self, name: str) -> bool:
        try:
            self.calendar.remove(name)
        except Refused:
            return False
        return True

    def fields(self, name: str, home: ZoneInfo) -> dict[str, Any]:
        return dict(google_items.read_item(_item([self.calendar.get(name)]).text, home).parts[""])

    def alone(self, number: int) -> str:
        return f"place {number}"

    def kill(self) -> None:
        self.google.faults.extend(["lost", "unavailable", "lost"])
        self.calendar.forget_tokens()
        self.google.stop()

    def start(self) -> None:
        self.google.start()


@dataclass
class GoogleTasksSide:
    """See Elsewhere; answers of Google get lost, too. What is done here is done there and the other way round."""

    google: Google
    tasks: GoogleTaskList
    settings: Mapping[str, str] = field(default_factory=dict)
    here: Here = TASKS
    changes: int = 0

    def connect(self, client: httpx.Client) -> dict[str, Any]:
        return _connect_google(client, self.google)

    def names(self) -> list[str]:
        with self.tasks.lock:
            return sorted(self.tasks.there())

    def title(self, name: str) -> str | None:
        with self.tasks.lock:
            found = self.tasks.there().get(name)
        return found["title"] if found else None

    def create(self, title: str, start: datetime, rule: str | None) -> None:
        self.tasks.add(title, due=f"{start.date()}T00:00:00.000Z")

    def change(self, name: str, what: str, words: str) -> bool:
        self.changes += 1
        try:
            if what == "due":
                self.tasks.change(name, due=f"{words}T00:00:00.000Z")
            else:
                # What is done before it is known stays there alone; a title of here tells that it is known.
                done = self.changes % 4 == 0 and not self.tasks.get(name)["title"].endswith(" new")
                self.tasks.change(name, notes=words, status="completed" if done else "needsAction")
        except Refused:
            return False
        return True

    def delete(self, name: str) -> bool:
        try:
            self.tasks.remove(name)
        except Refused:
            return False
        return True

    def fields(self, name: str, home: ZoneInfo) -> dict[str, Any]:
        return dict(read_task(self.tasks.get(name)).parts[""])

    def alone(self, number: int) -> str:
        return f"{date(2028, 1, 1) + timedelta(days=number)}"

    def kill(self) -> None:
        self.google.faults.extend(["lost", "unavailable", "lost"])
        self.google.stop()

    def start(self) -> None:
        self.google.start()


def _connect_google(client: httpx.Client, google: Google) -> dict[str, Any]:
    asked = client.post("/v1/google-accounts/begin").json()
    answer = google.allow(asked["url"], asked["redirect"])
    return dict(client.post("/v1/google-accounts", json={"answer": answer}).json())


@contextmanager
def elsewhere(form: Form, folder: Path) -> Iterator[Elsewhere]:
    """The other side; it is gone at the end."""
    if form.startswith("google"):
        with google_account() as google:
            settings = {f"SUMMIT_{name.upper()}": value for name, value in google.settings().items()}
            if form == "google-tasks":
                tasks = google.lists["list"] = GoogleTaskList("list", "My Tasks")
                yield GoogleTasksSide(google, tasks, settings)
                return
            [own] = [one for one in google.calendars.values() if one.primary]
            google.calendars = {own.id: own}
            yield GoogleSide(google, own, settings)
        return
    server = Radicale(folder)
    try:
        program = OtherProgram(server)
        program.make("Work", "VTODO" if form == "caldav-tasks" else "VEVENT")
        yield CalDavTasksSide(program) if form == "caldav-tasks" else CalDavSide(program)
    finally:
        server.close()


def _with(text: str, part: str, name: str, value: str, form: str = "") -> str:
    """A file with another value of a property of its event or task, as a program would write it."""
    lines = [line for line in text.replace("\r\n ", "").replace("\n ", "").splitlines() if not line.startswith(name)]
    lines.insert(lines.index(f"BEGIN:{part}") + 1, f"{name}{form}:{value}")
    return "\r\n".join([*lines, ""])
