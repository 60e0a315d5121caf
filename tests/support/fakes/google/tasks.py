"""Task lists as Google keeps them: ids of its own, days without a time, and what changed since a time."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

from tests.support.fakes.google.calendars import Refused

MOST_TITLE, MOST_NOTES = 1024, 8192
WRITABLE = ("title", "notes", "due", "status", "completed", "deleted")
OPEN, DONE = "needsAction", "completed"
Resource = dict[str, Any]


@dataclass
class GoogleTaskList:
    """One list; deleted tasks are kept, as Google does for a while."""

    id: str
    title: str
    tasks: dict[str, Resource] = field(default_factory=dict)
    writes: int = 0
    last: datetime = field(default_factory=lambda: datetime.now(UTC))
    rests: dict[str, list[Resource]] = field(default_factory=dict)
    tells_since: bool = True
    lock: threading.RLock = field(default_factory=threading.RLock)

    def listed(self) -> Resource:
        """As the list of lists shows it."""
        return {"kind": "tasks#taskList", "id": self.id, "title": self.title}

    def page(self, query: Mapping[str, str], most: int) -> Resource:
        """A page of the tasks that are asked for."""
        found = self.rests.pop(query["pageToken"]) if "pageToken" in query else self._listed(query)
        size = min(most, int(query.get("maxResults", "20")), 100)
        told: Resource = {"kind": "tasks#tasks", "items": found[:size]}
        if len(found) <= size:
            return told
        more = uuid4().hex
        self.rests[more] = found[size:]
        return {**told, "nextPageToken": more}

    def _listed(self, query: Mapping[str, str]) -> list[Resource]:
        since = datetime.fromisoformat(query["updatedMin"]) if "updatedMin" in query else None
        if since and not self.tells_since:
            raise Refused(400, "updatedMinTooLongAgo")
        hidden = {"deleted": query.get("showDeleted") != "true", "hidden": query.get("showHidden") != "true"}
        return [
            one
            for one in self.tasks.values()
            if not any(one.get(name) and away for name, away in hidden.items())
            and not (one["status"] == DONE and query.get("showCompleted") == "false")
            and (since is None or datetime.fromisoformat(one["updated"]) >= since)
        ]

    def get(self, id_: str) -> Resource:
        if id_ not in self.tasks:
            raise Refused(404, "notFound")
        return self.tasks[id_]

    def insert(self, body: Resource) -> Resource:
        return self._keep({"id": uuid4().hex[:22], "title": "", "status": OPEN}, body)

    def patch(self, id_: str, body: Resource) -> Resource:
        return self._keep(self.get(id_), body)

    def delete(self, id_: str) -> None:
        if self.get(id_).get("deleted"):
            raise Refused(404, "notFound")
        self._keep(self.get(id_), {"deleted": True})

    def add(self, title: str, **body: Any) -> Resource:
        """A person makes a task with Google."""
        with self.lock:
            return self.insert({"title": title, **body})

    def change(self, id_: str, **body: Any) -> Resource:
        """A person changes one."""
        with self.lock:
            if self.get(id_).get("deleted"):
                raise Refused(404, "notFound")
            return self.patch(id_, body)

    def remove(self, id_: str) -> None:
        """A person deletes one."""
        with self.lock:
            self.delete(id_)

    def clear(self) -> None:
        """A person hides all that is done."""
        with self.lock:
            for one in list(self.tasks.values()):
                if one["status"] == DONE:
                    self._keep(one, {})["hidden"] = True

    def forget(self, id_: str) -> None:
        """Google forgets a task, or it was moved to another list: nothing tells that it was ever there."""
        with self.lock:
            del self.tasks[id_]

    def there(self) -> dict[str, Resource]:
        """The tasks that a person sees, done ones included, by id."""
        return {id_: one for id_, one in self.tasks.items() if not one.get("deleted")}

    def named(self, title: str) -> Resource:
        """The one task of that name."""
        [found] = [one for one in self.there().values() if one["title"] == title]
        return found

    def _keep(self, old: Resource, body: Resource) -> Resource:
        if len(body.get("title") or "") > MOST_TITLE or len(body.get("notes") or "") > MOST_NOTES:
            raise Refused(400, "invalid")
        written = {name: value for name, value in body.items() if name in WRITABLE}
        if written.get("due"):
            written["due"] = f"{date.fromisoformat(written['due'][:10])}T00:00:00.000Z"
        self.last = max(datetime.now(UTC), self.last + timedelta(milliseconds=1))
        updated = f"{self.last.isoformat(timespec='milliseconds')[:-6]}Z"
        self.writes += 1
        about = {"kind": "tasks#task", "etag": f'"{self.writes}"', "updated": updated}
        kept = {
            name: value
            for name, value in {**old, **written, **about}.items()
            if value not in (None, False, "") or name == "title"
        }
        if kept["status"] == DONE:
            kept.setdefault("completed", updated)
        else:
            kept.pop("completed", None)
            kept.pop("hidden", None)
        self.tasks[kept["id"]] = kept
        return kept
