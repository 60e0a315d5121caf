"""The other side of a calendar that is kept in step: how a program or a person changes it, and how it goes away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx

from app.calendars.google import items as google_items
from app.calendars.google.calendar import _item
from app.calendars.items import read_item
from app.ports.synced import Provider
from tests.fakes.google.calendars import GoogleCalendarState, Refused
from tests.fakes.google.server import Google, google_account
from tests.radicale import PASSWORD, USER, OtherProgram, Radicale, event


class Elsewhere(Protocol):
    """One calendar; an event of it is known by the name of its file. What was gone meanwhile is told by False."""

    settings: Mapping[str, str]

    def connect(self, client: httpx.Client) -> dict[str, Any]:
        """Connect the account with Summit."""

    def names(self) -> list[str]: ...

    def title(self, name: str) -> str | None: ...

    def create(self, title: str, start: datetime, rule: str | None) -> None: ...

    def change(self, name: str, what: str, words: str) -> bool:
        """Change the location or the notes of an event."""

    def delete(self, name: str) -> bool: ...

    def fields(self, name: str, home: ZoneInfo) -> dict[str, Any]:
        """An event as Summit reads it."""

    def kill(self) -> None: ...

    def start(self) -> None: ...


@dataclass
class CalDavSide:
    """See Elsewhere; a real Radicale."""

    program: OtherProgram
    settings: Mapping[str, str] = field(default_factory=dict)

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
        changed = _with(answer.text, {"location": "LOCATION", "notes": "DESCRIPTION"}[what], words)
        return self.program.put(name, changed, answer.headers["etag"]).status_code in (201, 204)

    def delete(self, name: str) -> bool:
        answer = self.program.get(name)
        return answer.status_code == 200 and self.program.delete(name, answer.headers["etag"]).status_code == 200

    def fields(self, name: str, home: ZoneInfo) -> dict[str, Any]:
        return dict(read_item(self.program.get(name).text, home).parts[""])

    def kill(self) -> None:
        self.program.server.kill()

    def start(self) -> None:
        self.program.server.start()


@dataclass
class GoogleSide:
    """See Elsewhere; answers of Google get lost, too."""

    google: Google
    calendar: GoogleCalendarState
    settings: Mapping[str, str] = field(default_factory=dict)

    def connect(self, client: httpx.Client) -> dict[str, Any]:
        asked = client.post("/v1/google-accounts/begin").json()
        answer = self.google.allow(asked["url"], asked["redirect"])
        return dict(client.post("/v1/google-accounts", json={"answer": answer}).json())

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

    def kill(self) -> None:
        self.google.faults.extend(["lost", "unavailable", "lost"])
        self.calendar.forget_tokens()
        self.google.stop()

    def start(self) -> None:
        self.google.start()


@contextmanager
def elsewhere(provider: Provider, folder: Path) -> Iterator[Elsewhere]:
    """The other side; it is gone at the end."""
    if provider == "google":
        with google_account() as google:
            [own] = [one for one in google.calendars.values() if one.primary]
            google.calendars = {own.id: own}
            settings = {f"SUMMIT_{name.upper()}": value for name, value in google.settings().items()}
            yield GoogleSide(google, own, settings)
        return
    server = Radicale(folder)
    try:
        program = OtherProgram(server)
        program.make()
        yield CalDavSide(program)
    finally:
        server.close()


def _with(text: str, name: str, value: str) -> str:
    """A file with another value of a property of its event, as a program would write it."""
    lines = [line for line in text.replace("\r\n ", "").replace("\n ", "").splitlines() if not line.startswith(name)]
    lines.insert(lines.index("BEGIN:VEVENT") + 1, f"{name}:{value}")
    return "\r\n".join([*lines, ""])
