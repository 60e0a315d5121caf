"""Google Tasks (API v1) behind the port of calendars that are kept in step: each list is a calendar that holds tasks.

Google tells what changed since a time, no tokens; and it has no conditional writes, so that each write reads the task
once more before it. That a task was moved to another list is told by a whole list alone: there is one a day.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from app.calendars.google.calls import NOT_THERE, UNREADABLE_ANSWER, GoogleCalls, Wish, items_of
from app.calendars.google.task_files import DONE, add_mark, split_mark
from app.calendars.model.synced import (
    TO_BE_NAMED,
    Login,
    RemoteCalendar,
    RemoteChanges,
    RemoteFailed,
    RemoteItem,
    RemoteMoved,
    RemoteRefused,
    Stored,
)

log = logging.getLogger(__name__)

PAGE_SIZE = ("maxResults", "100")
LIST_QUERY = (PAGE_SIZE, ("showCompleted", "true"), ("showHidden", "true"))
MAX_TASKS = 20_000
WHOLE_SECONDS = 24 * 3600.0
OVERLAP = timedelta(minutes=10)
"""What changed so long before the last change that is known is read again: Google's machines share no clock."""
TOO_MANY = "The list has more than {most} tasks."
WRITABLE_FIELDS = ("title", "notes", "due", "status")
Resource = dict[str, Any]


class GoogleTasks:
    """See app.calendars.model.synced.RemoteCalendars.

    ``base`` is the address of the API, ``clock`` tells seconds since 1970.
    """

    def __init__(
        self, calls: GoogleCalls, base: str, *, most: int = MAX_TASKS, clock: Callable[[], float] = time.time
    ) -> None:
        self._calls = calls
        self._base = base
        self._most = most
        self._clock = clock

    async def find(self, login: Login) -> Sequence[RemoteCalendar]:
        """The task lists of an account; none where it does not allow that, or the project lacks the API."""
        wish = Wish("GET", f"{self._base}/users/@me/lists", [PAGE_SIZE])
        try:
            found = [one async for told in self._calls.pages(login, wish) for one in items_of(told)]
        except RemoteRefused as refused:
            log.info("no task lists of a Google account: %s", refused)
            return []
        return [_list(self._base, one) for one in found]

    async def changes(self, login: Login, url: str, token: str | None) -> RemoteChanges:
        """What changed since the last look; all that is there once a day, and where Google does not tell.

        A token is ``WHOLE_AT|UPDATED``.
        """
        whole_at, updated = _parts(token)
        whole = not updated or self._clock() - whole_at > WHOLE_SECONDS
        try:
            since = [] if whole else [("showDeleted", "true"), ("updatedMin", _earlier(updated))]
            tasks = await self._list_tasks(login, url, since)
        except RemoteRefused:
            if whole:
                raise
            return await self.changes(login, url, None)
        there = [one for one in tasks if not one.get("deleted")]
        latest = max([updated, *(str(one.get("updated", "")) for one in tasks)])
        items = {one["id"]: _item(one) for one in there}
        return RemoteChanges(
            {name: item.etag for name, item in items.items()},
            [name for one in tasks if one.get("deleted") for name in _names(one)],
            f"{self._clock() if whole else whole_at:.0f}|{latest}" if latest else None,
            whole,
            items,
            frozenset(one["id"] for one in there if _is_no_news(one)),
        )

    async def fetch(self, login: Login, url: str, names: Sequence[str]) -> Mapping[str, RemoteItem]:
        """The tasks with these ids that are there."""
        found = {name: await self._get(login, url, name) for name in names if not name.startswith(TO_BE_NAMED)}
        return {name: _item(task) for name, task in found.items() if task and not task.get("deleted")}

    async def put(self, login: Login, url: str, name: str, item: RemoteItem) -> Stored:
        """Write what changed of a task that is as it was read; or make a new one, or bring one back."""
        file = json.loads(item.text)
        if name.startswith(TO_BE_NAMED):
            return await self._make(login, url, file)
        there = await self._get(login, url, name)
        if item.etag is None:
            if there is not None and not there.get("deleted"):
                raise RemoteMoved
            back = await self._patch(login, url, name, {**file["body"], "deleted": False}) if there else {}
            gone = not back or back.get("deleted")
            return await self._make(login, url, file) if gone else Stored(back.get("updated"))
        if there is None or there.get("deleted") or there.get("updated") != item.etag:
            raise RemoteMoved
        return Stored((await self._patch(login, url, name, file["body"])).get("updated"))

    async def delete(self, login: Login, url: str, name: str, etag: str | None) -> None:
        """Delete a task that is as it was read."""
        there = await self._get(login, url, name)
        if there is None or there.get("deleted"):
            return
        if etag is not None and there.get("updated") != etag:
            raise RemoteMoved
        await self._calls.ask(login, Wish("DELETE", _at(url, name), allowed=NOT_THERE))

    async def _list_tasks(self, login: Login, url: str, query: Sequence[tuple[str, str]]) -> list[Resource]:
        found = list[Resource]()
        async for told in self._calls.pages(login, Wish("GET", f"{url}/tasks", [*LIST_QUERY, *query])):
            found += items_of(told)
            if len(found) > self._most:
                raise RemoteRefused(TOO_MANY.format(most=self._most))
        return found

    async def _get(self, login: Login, url: str, name: str) -> Resource | None:
        told = await self._calls.ask(login, Wish("GET", _at(url, name), allowed=NOT_THERE))
        return None if told.status in NOT_THERE else told.body

    async def _patch(self, login: Login, url: str, name: str, body: Resource) -> Resource:
        told = await self._calls.ask(login, Wish("PATCH", _at(url, name), body=body, allowed=NOT_THERE))
        if told.status in NOT_THERE:
            raise RemoteMoved
        return told.body

    async def _make(self, login: Login, url: str, file: Resource) -> Stored:
        """A new task with its mark; its version is told as unknown, so that it is read again and loses the mark."""
        body = {name: file["task"][name] for name in WRITABLE_FIELDS if name in file["task"]}
        body["notes"] = add_mark(body.get("notes", ""), file["mark"])
        made = (await self._calls.ask(login, Wish("POST", f"{url}/tasks", body=body))).body
        if not isinstance(made.get("id"), str):
            raise RemoteFailed(UNREADABLE_ANSWER)
        return Stored(None, made["id"])


def _parts(token: str | None) -> tuple[float, str]:
    whole_at, _, updated = (token or "0|").partition("|")
    return float(whole_at), updated


def _earlier(updated: str) -> str:
    return (datetime.fromisoformat(updated) - OVERLAP).isoformat().replace("+00:00", "Z")


def _item(task: Resource) -> RemoteItem:
    mark = split_mark(task.get("notes") or "")[1]
    return RemoteItem(task.get("updated"), json.dumps({"task": task, "body": {}, "mark": mark}), mark is not None)


def _names(task: Resource) -> list[str]:
    """The names by which a task may be known that is gone: also the one that it was written under."""
    mark = split_mark(task.get("notes") or "")[1]
    return [task["id"], f"{TO_BE_NAMED}{mark}"] if mark else [task["id"]]


def _is_no_news(task: Resource) -> bool:
    """Tasks that were done before they were known stay there, and lines without a word; our own are always known."""
    if split_mark(task.get("notes") or "")[1]:
        return False
    return task.get("status") == DONE or not (task.get("title") or "").strip()


def _list(base: str, listed: Resource) -> RemoteCalendar:
    name = str(listed.get("title") or listed["id"])
    return RemoteCalendar(f"{base}/lists/{quote(listed['id'], safe='')}", name[:200], holds="tasks")


def _at(url: str, task_id: str) -> str:
    return f"{url}/tasks/{quote(task_id, safe='')}"
