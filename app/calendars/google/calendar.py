"""Google Calendar (API v3) behind the port of calendars that are kept in step.

A file is named by the id of a single event or of a series. Google keeps each changed occurrence as an event of its own
with an ETag of its own; a file holds them with their series, and its ETag speaks for all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from app.calendars.google.calls import NOT_THERE, GoogleCalls, Told, Wish, items_of
from app.calendars.model.synced import (
    Login,
    RemoteCalendar,
    RemoteChanges,
    RemoteItem,
    RemoteMoved,
    RemoteRefused,
    Stored,
)

KINDS = ("default", "focusTime", "fromGmail", "outOfOffice")
"""Events that take somebody's time: where somebody works, and birthdays, are not carried over."""
WRITERS = frozenset({"owner", "writer"})
PAGE_SIZE = "250"
MAX_EVENTS = 20_000
"""They are kept in memory until all of them are read."""
SILENT = ("sendUpdates", "none")
PRESERVED_KEYS = ("attendees", "colorId", "extendedProperties", "reminders", "visibility")
"""What an event keeps that is made again because Google has forgotten it."""
CANCELLED, CONFIRMED = "cancelled", "confirmed"
NO_ACCOUNT = "Google names no calendar of this account's own."
TOO_MANY = "The calendar has more than {most} events and changed occurrences."
NO_SERIES = "Its series is not there any more."
Resource = dict[str, Any]


class GoogleCalendar:
    """See app.calendars.model.synced.RemoteCalendars.

    ``most`` events and changed occurrences are read of one calendar.
    """

    def __init__(self, calls: GoogleCalls, *, most: int = MAX_EVENTS) -> None:
        self._calls = calls
        self._most = most

    async def find(self, login: Login) -> Sequence[RemoteCalendar]:
        """The calendars of an account whose events may be read."""
        return [_calendar(login, one) for one in await self._list_calendars(login)]

    async def owner(self, login: Login) -> str:
        """The address that the account goes by: the name of its own calendar."""
        own = next((one["id"] for one in await self._list_calendars(login) if one.get("primary")), None)
        if own is None:
            raise RemoteRefused(NO_ACCOUNT)
        return str(own)

    async def changes(self, login: Login, url: str, token: str | None) -> RemoteChanges:
        """What changed since the token; all that is there, where Google refuses the token."""
        if token:
            with suppress(RemoteRefused):
                return _since(*await self._events(login, url, ("syncToken", token)))
        return _all(*await self._events(login, url))

    async def fetch(self, login: Login, url: str, names: Sequence[str]) -> Mapping[str, RemoteItem]:
        """The events with these ids that are there, each series with its changed occurrences."""
        found = {name: await self._group(login, url, name) for name in names}
        return {name: _item(group) for name, group in found.items() if group}

    async def put(self, login: Login, url: str, name: str, item: RemoteItem) -> Stored:
        """Ask for each write of a file, over the very version that was read; the new ETags are read afterwards."""
        file = json.loads(item.text)
        known = {one["id"]: one for one in file["events"]}
        new = item.etag is None
        if new and not any(write["id"] == name for write in file["writes"]):
            raise RemoteRefused(NO_SERIES)
        for write in sorted(file["writes"], key=lambda one: bool(one["id"] != name)):
            if new and write["id"] == name:
                await self._make(login, url, known[name], write["body"])
            elif write["body"] is None:
                await self._remove(login, url, write)
            else:
                await self._change(login, url, write)
        return Stored(None)

    async def delete(self, login: Login, url: str, name: str, etag: str | None) -> None:
        """Delete an event, or a series with all that belongs to it, unless something of it has changed."""
        group = await self._group(login, url, name)
        if group and etag is not None and _etag(group) != etag:
            raise RemoteMoved
        master = [one for one in group if one["id"] == name]
        for one in master or [one for one in group if one.get("status") != CANCELLED]:
            await self._remove(login, url, one)

    async def _list_calendars(self, login: Login) -> list[Resource]:
        wish = Wish(
            "GET", f"{login.url}/users/me/calendarList", [("minAccessRole", "reader"), ("maxResults", PAGE_SIZE)]
        )
        return [one async for told in self._calls.pages(login, wish) for one in items_of(told)]

    async def _events(self, login: Login, url: str, *query: tuple[str, str]) -> tuple[list[Resource], str | None]:
        """Events, and the token from which the next list goes on."""
        wanted = [("maxResults", PAGE_SIZE), *(("eventTypes", kind) for kind in KINDS), *query]
        found, told = list[Resource](), Told(HTTPStatus.OK, {})
        async for told in self._calls.pages(login, Wish("GET", f"{url}/events", wanted)):
            found += items_of(told)
            if len(found) > self._most:
                raise RemoteRefused(TOO_MANY.format(most=self._most))
        token = told.body.get("nextSyncToken")
        return found, token if isinstance(token, str) else None

    async def _group(self, login: Login, url: str, name: str) -> list[Resource]:
        """The resources of one file; none where it is not there."""
        told = await self._calls.ask(login, Wish("GET", _at(url, name), allowed=NOT_THERE))
        if told.status not in NOT_THERE and told.body.get("status") == CANCELLED:
            return []
        if told.status not in NOT_THERE and not told.body.get("recurrence"):
            return [told.body]
        # Somebody may be a guest of some occurrences of a series, and not of the series.
        uid = str(told.body.get("iCalUID") or f"{name}@google.com")
        found, _ = await self._events(login, url, ("iCalUID", uid))
        others = [one for one in found if one.get("recurringEventId") == name]
        return [told.body, *others] if told.status not in NOT_THERE else others

    async def _make(self, login: Login, url: str, known: Resource, body: Resource) -> None:
        """Make an event under its id, or bring it back where Google still has it as deleted."""
        kept = {key: known[key] for key in PRESERVED_KEYS if key in known}
        wish = Wish(
            "POST",
            f"{url}/events",
            [SILENT],
            _without_nothing({**kept, **body, "id": known["id"]}),
            allowed=frozenset({HTTPStatus.CONFLICT}),
        )
        if (await self._calls.ask(login, wish)).status != HTTPStatus.CONFLICT:
            return
        there = (await self._calls.ask(login, Wish("GET", _at(url, known["id"]), allowed=NOT_THERE))).body
        if there.get("status") != CANCELLED:
            raise RemoteMoved
        await self._change(login, url, {**there, "body": {**body, "status": CONFIRMED}})

    async def _change(self, login: Login, url: str, write: Mapping[str, Any]) -> None:
        wish = Wish("PATCH", _at(url, write["id"]), [SILENT], write["body"], write["etag"], NOT_THERE)
        if (await self._calls.ask(login, wish)).status in NOT_THERE:
            raise RemoteMoved

    async def _remove(self, login: Login, url: str, one: Mapping[str, Any]) -> None:
        wish = Wish("DELETE", _at(url, one["id"]), [SILENT], etag=one.get("etag"), allowed=NOT_THERE)
        await self._calls.ask(login, wish)


def _all(events: Sequence[Resource], token: str | None) -> RemoteChanges:
    groups = defaultdict[str, list[Resource]](list)
    for one in events:
        if "recurringEventId" in one or one.get("status") != CANCELLED:
            groups[_name(one)].append(one)
    items = {name: _item(group) for name, group in groups.items()}
    return RemoteChanges({name: item.etag for name, item in items.items()}, [], token, whole=True, items=items)


def _since(events: Sequence[Resource], token: str | None) -> RemoteChanges:
    """What changed; a single event comes whole, and of a series not all that belongs to it is told."""
    last = {one["id"]: one for one in events}.values()
    gone = {one["id"] for one in last if one.get("status") == CANCELLED and "recurringEventId" not in one}
    changed = {_name(one): one for one in last if _name(one) not in gone}
    single = {
        name: _item([one]) for name, one in changed.items() if "recurringEventId" not in one and "recurrence" not in one
    }
    etags = {name: single[name].etag if name in single else None for name in changed}
    return RemoteChanges(etags, sorted(gone), token, whole=False, items=single)


def _name(event: Resource) -> str:
    return str(event.get("recurringEventId") or event["id"])


def _item(group: Sequence[Resource]) -> RemoteItem:
    return RemoteItem(_etag(group), json.dumps({"events": list(group)}))


def _etag(group: Sequence[Resource]) -> str:
    """The version of a file: of an event, or of everything that belongs to a series."""
    tags = sorted(f"{one['id']} {one.get('etag')}" for one in group)
    return str(group[0].get("etag")) if len(group) == 1 else hashlib.sha256("\n".join(tags).encode()).hexdigest()


def _at(url: str, event_id: str) -> str:
    return f"{url}/events/{quote(event_id, safe='')}"


def _calendar(login: Login, listed: Resource) -> RemoteCalendar:
    name = str(listed.get("summaryOverride") or listed.get("summary") or listed["id"])
    color = listed.get("backgroundColor")
    return RemoteCalendar(
        f"{login.url}/calendars/{quote(listed['id'], safe='')}",
        name[:200],
        color.lower() if isinstance(color, str) else None,
        listed.get("accessRole") in WRITERS,
    )


def _without_nothing(body: Mapping[str, Any]) -> Resource:
    """A body in which nothing is to be emptied: what is made has nothing yet."""
    return {
        key: _without_nothing(value) if isinstance(value, dict) else value
        for key, value in body.items()
        if value is not None
    }
