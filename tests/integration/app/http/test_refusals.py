"""What no door takes, with a reason: empty names, rules that cannot stand, links to nothing, lists without end."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.servers.api import problem


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("todos", {"task": "   "}, "task: must say something"),
        ("todos", {"task": "\u200b"}, "task: must say something"),
        ("todos", {"task": "x" * 501}, "task: String should have at most 500 characters"),
        ("events", {"title": " \n", "start": "2026-11-20"}, "title: must say something"),
        ("notes", {"category": "list", "items": ["eggs", " "]}, "must say something"),
        ("instructions", {"text": "\t"}, "text: must say something"),
        ("todos", {"task": "blink", "recurrence": "FREQ=SECONDLY"}, "recurrence: something cannot repeat every second"),
        (
            "todos",
            {"task": "blink", "recurrence": "FREQ=DAILY;COUNT=99999999"},
            "recurrence: a recurrence is repeated at most",
        ),
        (
            "todos",
            {"task": "leap", "recurrence": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"},
            "recurrence: this recurrence never",
        ),
        (
            "events",
            {"title": "old", "start": "2026-11-20", "recurrence": "FREQ=DAILY;UNTIL=20200101"},
            "recurrence: this recurrence never happens",
        ),
        (
            "events",
            {"title": "retreat", "start": "2026-12-01", "end": "2036-12-01"},
            "end: an event lasts at most 366 days, and this would be 3653; let a shorter one repeat",
        ),
        (
            "events",
            {"title": "report", "start": "2026-11-20", "task_id": "6f1c2f6e-2c0f-4a7b-9a49-1b6c8e0f4d21"},
            "task_id: there is no such task",
        ),
        (
            "notes",
            {"category": "list", "items": [str(n) for n in range(2001)]},
            "items: a list holds at most 2000 items",
        ),
        (
            "notes",
            {"category": "list", "items": [str(n) for n in range(10_001)]},
            "items: List should have at most 10000",
        ),
    ],
)
def test_what_cannot_stand_is_refused_with_the_reason(alice: httpx.Client, path: str, body: Any, words: str) -> None:
    assert words in problem(alice.post(f"/v1/{path}", json=body), 422)["detail"]
    assert alice.get(f"/v1/{path}").json()["items"] == []


def test_an_edit_is_held_to_the_same_rules(alice: httpx.Client) -> None:
    where = alice.post("/v1/todos", json={"task": "stretch", "deadline": "2026-11-20"}).headers["location"]
    for patch in (
        {"task": " "},
        {"recurrence": "FREQ=SECONDLY"},
        {"recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
    ):
        problem(alice.patch(where, json=patch), 422)
    assert alice.get(where).headers["etag"] == '"1"'


def test_an_event_links_to_a_task_that_is_there(alice: httpx.Client) -> None:
    task = alice.post("/v1/todos", json={"task": "report"}).json()["id"]
    body = {"title": "report", "start": "2026-11-20", "task_id": task}
    assert alice.post("/v1/events", json=body).json()["task_id"] == task


def test_a_deleted_record_says_how_it_comes_back(alice: httpx.Client) -> None:
    where = alice.post("/v1/todos", json={"task": "stretch"}).headers["location"]
    alice.delete(where)
    found = problem(alice.patch(where, json={"notes": "x"}, headers={"If-Match": '"1"'}), 404)
    assert found["detail"] == "This todo was deleted."
    assert alice.post(found["change"]["undo"]).status_code == 200
    assert alice.get(where).json()["task"] == "stretch"
    problem(alice.get("/v1/todos/6f1c2f6e-2c0f-4a7b-9a49-1b6c8e0f4d21"), 404)


def test_an_undo_is_undone_and_again(alice: httpx.Client) -> None:
    made = alice.post("/v1/todos", json={"task": "stretch"})
    undo = f"/v1/changes/{made.headers['x-change-id']}/undo"
    for there in (404, 200, 404):
        answer = alice.post(undo)
        assert answer.status_code == 200, answer.text
        assert alice.get(made.headers["location"]).status_code == there
        undo = answer.json()["undo"]


def test_of_two_devices_the_second_learns_what_the_first_wrote(alice: httpx.Client) -> None:
    made = alice.post("/v1/todos", json={"task": "stretch"})
    where, tag = made.headers["location"], {"If-Match": made.headers["etag"]}
    first = alice.patch(where, json={"notes": "at eight"}, headers=tag)
    second = problem(alice.patch(where, json={"notes": "at nine"}, headers=tag), 412)
    assert second["current"] == first.json() == alice.get(where).json()
