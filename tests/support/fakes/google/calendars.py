"""Calendars as Google keeps them: events with ETags, what changed since a token, and occurrences that are their own."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

ID = re.compile(r"[a-v0-9]{5,1024}")
READ_ONLY = ("etag", "kind", "updated", "created", "htmlLink", "recurringEventId", "originalStartTime")
NOT_WITH_A_TOKEN = ("iCalUID", "orderBy", "timeMin", "timeMax", "updatedMin", "q")
SAID = ("summary", "location", "description", "transparency")
CANCELLED = "cancelled"
Resource = dict[str, Any]


class Refused(Exception):  # noqa: N818 - an answer
    """What Google answers instead."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


@dataclass
class GoogleCalendarState:
    """One calendar; ``generation`` counts how often Google forgot its tokens, ``refusal`` is how it says so."""

    id: str
    summary: str
    role: str = "owner"
    primary: bool = False
    zone: str = "Europe/Berlin"
    events: dict[str, Resource] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    number: int = 0
    generation: int = 0
    refusal: int = 410
    writes: int = 0
    rests: dict[str, tuple[list[Resource], str]] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def listed(self) -> Resource:
        """As the list of calendars shows it."""
        about = {"id": self.id, "summary": self.summary, "timeZone": self.zone, "accessRole": self.role}
        return {"kind": "calendar#calendarListEntry", **about, "backgroundColor": "#9FE1E7", "primary": self.primary}

    def token(self) -> str:
        return f"{self.generation}.{self.number}"

    def page(self, query: Mapping[str, str], kinds: Sequence[str], most: int) -> Resource:
        """A page of a list, which is as it was when its first page was asked for; the last has the token of then."""
        if "pageToken" in query:
            found, token = self.rests.pop(query["pageToken"])
        else:
            found, token = self._listed(query, kinds), self.token()
        size = min(most, int(query.get("maxResults", "250")))
        told: Resource = {"kind": "calendar#events", "items": found[:size]}
        if len(found) <= size:
            return {**told, "nextSyncToken": token}
        more = uuid4().hex
        self.rests[more] = found[size:], token
        return {**told, "nextPageToken": more}

    def _listed(self, query: Mapping[str, str], kinds: Sequence[str]) -> list[Resource]:
        since = query.get("syncToken")
        if since is None:
            uid = query.get("iCalUID")
            found = [one for one in self.events.values() if self._is_shown(one) and uid in (None, one["iCalUID"])]
        else:
            if any(name in query for name in NOT_WITH_A_TOKEN):
                raise Refused(400, "badRequest")
            generation, _, number = since.partition(".")
            if generation != str(self.generation):
                raise Refused(self.refusal, "fullSyncRequired")
            ids = sorted((at, id_) for id_, at in self.changed.items() if at > int(number))
            found = [_bare(self.events[id_]) for _, id_ in ids]
        return [one for one in found if not kinds or one.get("eventType", "default") in kinds]

    def get(self, id_: str) -> Resource:
        if id_ not in self.events:
            raise Refused(404, "notFound")
        return self.events[id_]

    def insert(self, body: Resource) -> Resource:
        id_ = body.get("id") or uuid4().hex
        if not ID.fullmatch(id_) or ("id" in body and "iCalUID" in body):
            raise Refused(400, "invalid")
        if id_ in self.events:
            raise Refused(409, "duplicate")
        made = {"id": id_, "status": "confirmed", "iCalUID": f"{id_}@google.com", "eventType": "default", **body}
        return self._keep(made)

    def patch(self, id_: str, body: Resource, match: str | None) -> Resource:
        old = self.get(id_)
        self._check(old, match)
        if old["status"] == CANCELLED and body.get("status", CANCELLED) == CANCELLED:
            raise Refused(403, "forbidden")
        if any(name in body for name in READ_ONLY):
            raise Refused(400, "invalid")
        if old["status"] == CANCELLED and "recurringEventId" in old and "start" not in old:
            old = self._usual(old)
        return self._keep(_merged(old, body))

    def delete(self, id_: str, match: str | None) -> None:
        old = self.get(id_)
        if old["status"] == CANCELLED:
            raise Refused(410, "deleted")
        self._check(old, match)
        self._keep({**old, "status": CANCELLED})
        for one in [one for one in self.events.values() if one.get("recurringEventId") == id_]:
            if one["status"] != CANCELLED:
                self._keep({**one, "status": CANCELLED})

    def add(self, summary: str, at: str = "2026-12-01T10:00:00+00:00", **more: Any) -> Resource:
        """A person makes an event of an hour with Google."""
        end = (datetime.fromisoformat(at) + timedelta(hours=1)).isoformat()
        start, end_ = ({"dateTime": one, "timeZone": self.zone} for one in (at, end))
        with self.lock:
            return self.insert({"summary": summary, "start": start, "end": end_, **more})

    def change(self, id_: str, **body: Any) -> Resource:
        """A person changes an event with Google."""
        with self.lock:
            return self.patch(id_, body, None)

    def remove(self, id_: str) -> None:
        """A person deletes one."""
        with self.lock:
            self.delete(id_, None)

    def change_one(self, series: str, at: str, **body: Any) -> Resource:
        """A person changes, or leaves out (``status``), one occurrence of a series."""
        with self.lock:
            master = self.get(series)
            timed = "dateTime" in master["start"]
            stamp = f"{datetime.fromisoformat(at).astimezone(UTC):%Y%m%dT%H%M%SZ}" if timed else at.replace("-", "")
            original = {"dateTime": at, "timeZone": master["start"]["timeZone"]} if timed else {"date": at}
            known: Resource = {"id": f"{series}_{stamp}", "recurringEventId": series, "originalStartTime": original}
            made = self._usual({**known, "iCalUID": master["iCalUID"], "status": "confirmed"})
            if body.get("status") == CANCELLED:
                made = {**known, "iCalUID": master["iCalUID"], "status": CANCELLED}
            return self._keep(_merged(self.events.get(known["id"], made), body))

    def there(self) -> dict[str, Resource]:
        """The events that a person sees, by id; series once, and each changed occurrence."""
        return {id_: one for id_, one in self.events.items() if one["status"] != CANCELLED}

    def named(self, summary: str) -> Resource:
        """The one event of that name."""
        [found] = [one for one in self.there().values() if one.get("summary") == summary]
        return found

    def forget_tokens(self) -> None:
        self.generation += 1

    def empty(self) -> None:
        """All events are gone for good, and no token counts any more."""
        with self.lock:
            self.events.clear()
            self.changed.clear()
            self.forget_tokens()

    def _is_shown(self, one: Resource) -> bool:
        if one["status"] != CANCELLED:
            return True
        master = self.events.get(str(one.get("recurringEventId")))
        return master is not None and master["status"] != CANCELLED

    def _usual(self, one: Resource) -> Resource:
        """An occurrence as its series has it."""
        master = self.get(one["recurringEventId"])
        lasts = _instant(master["end"]) - _instant(master["start"])
        end = _instant(one["originalStartTime"]) + lasts
        timed = "dateTime" in master["start"]
        ends = {"dateTime": end.isoformat()} if timed else {"date": end.date().isoformat()}
        said = {name: value for name, value in master.items() if name in SAID}
        return {**said, "eventType": "default", "start": one["originalStartTime"], "end": ends, **one}

    def _check(self, old: Resource, match: str | None) -> None:
        if match is not None and match != old["etag"]:
            raise Refused(412, "conditionNotMet")

    def _keep(self, event: Resource) -> Resource:
        if event["status"] != CANCELLED or "start" in event:
            _check_times(event)
        self.number += 1
        self.writes += 1
        about = {"kind": "calendar#event", "etag": f'"{self.number}"', "updated": f"{datetime.now(UTC).isoformat()}"}
        kept = {**event, **about, "sequence": event.get("sequence", -1) + 1}
        for name in ("start", "end"):
            if "dateTime" in kept.get(name, {}):
                kept[name] = {"timeZone": self.zone, **kept[name], "dateTime": self._shown(kept[name]["dateTime"])}
        self.events[kept["id"]] = kept
        self.changed[kept["id"]] = self.number
        return kept

    def _shown(self, moment: str) -> str:
        """Google shows times by the clock of the calendar, whatever zone they are in."""
        return datetime.fromisoformat(moment).astimezone(ZoneInfo(self.zone)).isoformat()


def _bare(event: Resource) -> Resource:
    """Of what is deleted, Google tells little more than its id."""
    if event["status"] != CANCELLED:
        return event
    names = ("id", "status", "kind", "etag", "recurringEventId", "originalStartTime")
    return {name: event[name] for name in names if name in event}


def _merged(old: Resource, body: Resource) -> Resource:
    """A patch (RFC 7396)."""
    found = dict(old)
    for name, value in body.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = _merged(found.get(name) or {}, value) if isinstance(value, dict) else value
    return found


def _check_times(event: Resource) -> None:
    """What Google refuses of times."""
    start, end = event["start"], event["end"]
    kinds = {tuple(sorted(set(one) - {"timeZone"})) for one in (start, end)}
    if kinds not in ({("date",)}, {("dateTime",)}):
        raise Refused(400, "invalid")
    if _instant(end) < _instant(start):
        raise Refused(400, "timeRangeEmpty")
    zones = [one["timeZone"] for one in (start, end) if "timeZone" in one]
    list(map(ZoneInfo, zones))
    if event.get("recurrence") and "dateTime" in start and not zones:
        raise Refused(400, "required")
    if any(line.startswith(("DTSTART", "DTEND")) for line in event.get("recurrence", [])):
        raise Refused(400, "invalid")


def _instant(said: Resource) -> datetime:
    if "date" in said:
        return datetime.combine(date.fromisoformat(said["date"]), datetime.min.time(), UTC)
    return datetime.fromisoformat(said["dateTime"])
