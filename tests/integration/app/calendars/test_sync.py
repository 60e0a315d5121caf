"""A client that only reads `GET /v1/changes?after=` has the records exactly, whatever was done by whichever door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PATHS = {"todo": "todos", "event": "events", "note": "notes", "instruction": "instructions"}
NEW: dict[str, list[dict[str, Any]]] = {
    "todo": [{"task": "buy milk"}, {"task": "stretch", "deadline": "2026-11-20", "recurrence": "FREQ=DAILY"}],
    "event": [{"title": "dentist", "start": "2026-11-20T15:00:00Z"}, {"title": "trip", "start": "2026-12-01"}],
    "note": [
        {"category": "idea", "content": "a shelf"},
        {"category": "list", "summary": "shopping", "items": ["eggs"]},
    ],
    "instruction": [{"text": "speak plainly"}],
}
EDITS: dict[str, list[dict[str, Any]]] = {
    "todo": [{"status": "done", "notes": "at last"}, {"status": "archived"}, {"priority": "high", "tags": ["home"]}],
    "event": [{"start": "2026-11-21T15:00:00Z"}, {"location": "Rua Nova 1"}, {"end": "2020-01-01"}],
    "note": [{"status": "completed"}, {"items": ["eggs", "rice"]}, {"summary": "", "content": "", "items": []}],
    "instruction": [{"text": "speak slowly"}],
}
SAID = (
    "add task call the plumber and idea: a bench in the garden",
    "turn the bench idea into a task",
    "make that task a note",
    "mark buy milk as done",
    "add rice to my shopping list",
    "tick eggs on my shopping list",
    "my job is baker",
    "undo that",
    "delete the dentist",
    "move all overdue tasks to monday",
    "undo everything from today",
    "redo that",
    "always ask before adding tasks",
    "yes",
    "no",
)
STEP = st.tuples(
    st.sampled_from(["new", "new", "edit", "edit", "delete", "undo", "undo turn", "say", "say", "say", "pull"]),
    st.integers(0, 99),
    st.integers(0, len(SAID) - 1),
)


class Mirror:
    """A client's copy: every change that was applied once leaves the record as its ``after``."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.records: dict[tuple[str, str], dict[str, Any]] = {}
        self.after = 0

    def pull(self, limit: int) -> None:
        while True:
            page = self.client.get("/v1/changes", params={"after": self.after, "limit": limit}).json()
            for change in page["items"]:
                self.take(change)
            if page["next"] is None:
                return

    def take(self, change: dict[str, Any]) -> None:
        self.after = change["cursor"]
        if change["status"] not in ("applied", "undone"):
            return
        key = (change["kind"], change["record_id"])
        if change["after"] is None:
            self.records.pop(key, None)
        else:
            self.records[key] = change["after"]


def stored(client: httpx.Client) -> dict[tuple[str, str], dict[str, Any]]:
    """The records as the lists show them, page by page."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for kind, path in PATHS.items():
        cursor: dict[str, Any] = {}
        while True:
            page = client.get(f"/v1/{path}", params={"limit": 3, **cursor}).json()
            found |= {(kind, item["id"]): item for item in page["items"]}
            if page["next"] is None:
                break
            cursor = {"cursor": page["next"]}
    profile = client.get("/v1/profile").json()
    return found | ({("profile", "profile"): profile} if profile["version"] else {})


def play(client: httpx.Client, step: tuple[str, int, int], mirror: Mirror) -> None:
    what, which, how = step
    kind = list(PATHS)[how % len(PATHS)]
    if what == "new":
        client.post(f"/v1/{PATHS[kind]}", json=NEW[kind][which % len(NEW[kind])])
    elif what == "say":
        client.post("/v1/turns", json={"text": SAID[how], "captured_at": "2026-11-24T10:00:00Z"})
    elif what == "pull":
        mirror.pull(1 + which % 5)
    elif what in ("edit", "delete"):
        there = [key for key in stored(client) if key[0] == kind]
        for _, record_id in there[which % len(there) :][:1] if there else []:
            where = f"/v1/{PATHS[kind]}/{record_id}"
            client.delete(where) if what == "delete" else client.patch(
                where, json=EDITS[kind][which % len(EDITS[kind])]
            )
    else:
        undo(client, what, which)


def undo(client: httpx.Client, what: str, which: int) -> None:
    log = client.get("/v1/changes?limit=200").json()["items"]
    if log and what == "undo":
        client.post(f"/v1/changes/{log[which % len(log)]['id']}/undo")
    turns = [change["turn_id"] for change in log if change["turn_id"]]
    if turns and what == "undo turn":
        client.post(f"/v1/turns/{turns[which % len(turns)]}/undo")


@given(st.lists(STEP, max_size=25))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_changes_rebuild_the_records(
    new_user: Callable[[str], httpx.Client], steps: list[tuple[str, int, int]]
) -> None:
    client = new_user(str(uuid4()))
    mirror = Mirror(client)
    for step in steps:
        play(client, step, mirror)
    mirror.pull(4)
    fresh = Mirror(client)
    fresh.pull(200)
    assert mirror.records == fresh.records == stored(client)


def test_a_conversation_of_every_sentence_is_rebuilt(alice: httpx.Client) -> None:
    mirror = Mirror(alice)
    for kind, path in PATHS.items():
        for body in NEW[kind]:
            assert alice.post(f"/v1/{path}", json=body).status_code == 201
    for place in range(len(SAID)):
        play(alice, ("say", 0, place), mirror)
        mirror.pull(2)
        assert mirror.records == stored(alice), SAID[place]
    assert {change["op"] for change in alice.get("/v1/changes?limit=200").json()["items"]} >= {"complete", "undo"}


def test_turning_an_idea_into_a_task_is_undone_by_either_of_its_changes(alice: httpx.Client) -> None:
    alice.post("/v1/turns", json={"text": "idea: a bench in the garden"})
    for place in (0, 1):
        changes = alice.post("/v1/turns", json={"text": "turn the bench idea into a task"}).json()["changes"]
        assert len({change["together"] for change in changes}) == 1
        assert alice.post(changes[place]["undo"]).status_code == 200
        assert alice.get("/v1/todos").json()["items"] == []
        assert [note["status"] for note in alice.get("/v1/notes").json()["items"]] == ["active"]
