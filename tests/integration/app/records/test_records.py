from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from agents.records import RECORD_TYPES, Kind
from app.http.etags import etag_of
from tests.support.servers.api import problem

BODIES: dict[str, tuple[Kind, dict[str, Any], dict[str, Any]]] = {
    "todos": ("todo", {"task": "buy milk", "tags": ["home"]}, {"priority": "high"}),
    "events": ("event", {"title": "dentist", "start": "2026-11-20T15:00:00+00:00"}, {"location": "Rua Nova 1"}),
    "notes": (
        "note",
        {"category": "list", "items": ["eggs", {"text": "bread", "done": True}]},
        {"summary": "shopping"},
    ),
    "instructions": ("instruction", {"text": "mark urgent tasks as high"}, {"text": "mark urgent tasks as low"}),
}
every_kind = pytest.mark.parametrize("path", BODIES)


def make(client: httpx.Client, path: str, **fields: Any) -> dict[str, Any]:
    answer = client.post(f"/v1/{path}", json={**BODIES[path][1], **fields})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def ids(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]


@every_kind
def test_made_read_changed_and_deleted(alice: httpx.Client, path: str) -> None:
    kind, body, patch = BODIES[path]
    made = alice.post(f"/v1/{path}", json=body)
    record = made.json()
    RECORD_TYPES[kind].model_validate(record)
    read = alice.get(made.headers["location"])
    assert read.json() == record
    assert read.headers["etag"] == made.headers["etag"] == '"1"'
    changed = alice.patch(made.headers["location"], json=patch, headers={"If-Match": '"1"'})
    assert changed.headers["etag"] == '"2"'
    assert patch.items() <= changed.json().items()
    assert alice.delete(made.headers["location"], headers={"If-Match": '"2"'}).status_code == 204
    problem(alice.get(made.headers["location"]), 404)
    problem(alice.delete(made.headers["location"]), 404)


@every_kind
def test_every_edit_is_a_change_that_can_be_undone(alice: httpx.Client, path: str) -> None:
    kind, body, patch = BODIES[path]
    made = alice.post(f"/v1/{path}", json=body)
    where = made.headers["location"]
    answers = [made, alice.patch(where, json=patch), alice.delete(where)]
    changes = [answer.headers["x-change-id"] for answer in answers]
    listed = alice.get("/v1/changes").json()["items"]
    assert [(c["id"], c["op"], c["kind"]) for c in listed] == list(
        zip(changes, ["create", "update", "delete"], [kind] * 3, strict=True)
    )
    assert alice.post(listed[2]["undo"]).status_code == 200
    assert patch.items() <= alice.get(where).json().items()
    assert alice.post(listed[1]["undo"]).status_code == 200
    restored = alice.get(where).json()
    assert {name: restored[name] for name in patch} == {name: made.json()[name] for name in patch}
    assert alice.post(listed[0]["undo"]).status_code == 200
    problem(alice.get(where), 404)


@every_kind
def test_a_lost_update_is_refused_with_the_current_record(alice: httpx.Client, path: str) -> None:
    _, _, patch = BODIES[path]
    record = make(alice, path)
    where = f"/v1/{path}/{record['id']}"
    alice.patch(where, json=patch)
    before = len(alice.get("/v1/changes").json()["items"])
    for answer in (
        alice.patch(where, json=patch, headers={"If-Match": '"1"'}),
        alice.patch(where, json=patch, headers={"If-Match": 'W/"2"'}),
        alice.delete(where, headers={"If-Match": '"1", "7"'}),
    ):
        assert problem(answer, 412)["current"] == alice.get(where).json()
    assert len(alice.get("/v1/changes").json()["items"]) == before


@pytest.mark.parametrize("tag", ["*", '"1"', '"7", "1"'])
def test_if_match_that_fits(alice: httpx.Client, tag: str) -> None:
    todo = make(alice, "todos")
    assert alice.patch(f"/v1/todos/{todo['id']}", json={"notes": "2 l"}, headers={"If-Match": tag}).status_code == 200


@pytest.mark.parametrize("tag", ["1", "one", '"1'])
def test_if_match_that_is_no_etag(alice: httpx.Client, tag: str) -> None:
    todo = make(alice, "todos")
    problem(alice.patch(f"/v1/todos/{todo['id']}", json={"notes": "2 l"}, headers={"If-Match": tag}), 422)


@every_kind
def test_another_users_records_are_not_there(alice: httpx.Client, bob: httpx.Client, path: str) -> None:
    record = make(alice, path)
    where = f"/v1/{path}/{record['id']}"
    problem(bob.get(where), 404)
    problem(bob.get(where[:-20]), 404)
    problem(bob.patch(where, json=BODIES[path][2]), 404)
    problem(bob.delete(where), 404)
    assert ids(bob.get(f"/v1/{path}")) == []
    assert alice.get(where).json() == record


@every_kind
def test_the_same_key_and_body_make_one_record(alice: httpx.Client, path: str) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first = alice.post(f"/v1/{path}", json=BODIES[path][1], headers=key)
    again = alice.post(f"/v1/{path}", json=BODIES[path][1], headers=key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotent-replayed"] == "true"
    for name in ("etag", "location", "x-change-id"):
        assert again.headers[name] == first.headers[name]
    assert len(ids(alice.get(f"/v1/{path}"))) == 1


def test_twenty_copies_at_once_make_one_record(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: alice.post("/v1/todos", json={"task": "buy milk"}, headers=key), range(20)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(alice.get("/v1/changes").json()["items"]) == 1


def test_the_same_key_for_another_request_is_refused(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": "1"}
    alice.post("/v1/todos", json={"task": "buy milk"}, headers=key)
    problem(alice.post("/v1/todos", json={"task": "buy bread"}, headers=key), 422)
    problem(alice.post("/v1/notes", json={"content": "buy milk"}, headers=key), 422)
    assert len(alice.get("/v1/changes").json()["items"]) == 1


def test_a_short_id_finds_its_record(alice: httpx.Client) -> None:
    todo = make(alice, "todos")
    assert alice.get(f"/v1/todos/{todo['id'][:6].upper()}").json() == todo
    problem(alice.get(f"/v1/todos/{todo['id'][:5]}"), 404)


def test_a_patch_that_changes_nothing_is_no_change(alice: httpx.Client) -> None:
    todo = make(alice, "todos", priority="high")
    for patch in ({"priority": "high"}, {"task": "buy milk", "tags": ["home"]}, {}):
        answer = alice.patch(f"/v1/todos/{todo['id']}", json=patch)
        assert (answer.status_code, answer.json()) == (200, todo)
        assert "x-change-id" not in answer.headers
    assert len(alice.get("/v1/changes").json()["items"]) == 1


def test_null_empties_a_field_and_a_missing_one_stays(alice: httpx.Client) -> None:
    todo = make(alice, "todos", deadline="2026-11-20", priority="high")
    changed = alice.patch(f"/v1/todos/{todo['id']}", json={"deadline": None}).json()
    assert (changed["deadline"], changed["priority"]) == (None, "high")
    problem(alice.patch(f"/v1/todos/{todo['id']}", json={"task": None}), 422)


def test_a_patch_that_does_not_fit_the_rest_is_invalid(alice: httpx.Client) -> None:
    event = make(alice, "events")
    where = f"/v1/events/{event['id']}"
    problem(alice.patch(where, json={"end": "2026-11-20T14:00:00+00:00"}), 422)
    assert alice.get(where).json() == event


def test_moving_an_event_keeps_its_length(alice: httpx.Client) -> None:
    event = make(alice, "events")
    moved = alice.patch(f"/v1/events/{event['id']}", json={"start": "2026-11-27T15:00:00+00:00"}).json()
    assert moved["end"].startswith("2026-11-27T16:00:00")


def test_done_is_a_completion_that_rolls_a_recurring_task_forward(alice: httpx.Client) -> None:
    todo = make(alice, "todos", deadline="2199-11-16", recurrence="FREQ=WEEKLY")
    answer = alice.patch(f"/v1/todos/{todo['id']}", json={"status": "done", "notes": "half a litre"})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["status"], answer.json()["deadline"]) == ("not started", "2199-11-23")
    assert answer.json()["notes"] == "half a litre"
    change = alice.get(f"/v1/changes/{answer.headers['x-change-id']}").json()
    assert (change["op"], set(change["fields"])) == ("complete", {"notes", "deadline"})
    alice.post(change["undo"])
    assert alice.get(f"/v1/todos/{todo['id']}").json()["notes"] == ""


def test_lists_are_filtered(alice: httpx.Client) -> None:
    milk = make(alice, "todos", task="buy milk", tags=["home"], list="Groceries", deadline="2026-11-20")["id"]
    by_december = {"tags": ["work"], "deadline": "2026-12-01T09:00:00+00:00", "notes": 'and say "please"'}
    report = make(alice, "todos", task="write report", **by_december)["id"]
    alice.patch(f"/v1/todos/{report}", json={"status": "done"})
    wanted: dict[str, list[str]] = {
        "status=done": [report],
        "status=not%20started": [milk],
        "tag=work": [report],
        "list=groceries": [milk],
        "q=MILK": [milk],
        "q=%25": [],
        "q=task": [],
        "q=not%20started": [],
        "q=lisbon": [],
        "q=groceries": [milk],
        "q=work": [report],
        "q=say%20%22please%22": [report],
        "due_before=2026-11-25": [milk],
        "due_before=2026-12-01T10:00:00%2B01:00": [milk],
        "due_before=2026-12-01T11:00:00+01:00": [report, milk],
        "sort=deadline": [milk, report],
        "sort=-created": [report, milk],
        "tag=work&status=not%20started": [],
    }
    assert {query: ids(alice.get(f"/v1/todos?{query}")) for query in wanted} == wanted


def test_events_are_found_by_time(alice: httpx.Client) -> None:
    dentist = make(alice, "events")["id"]
    trip = make(alice, "events", title="trip", start="2026-12-01", end="2026-12-03")["id"]
    wanted = {"from=2026-11-25": [trip], "to=2026-11-25": [dentist], "sort=start": [dentist, trip]}
    assert {query: ids(alice.get(f"/v1/events?{query}")) for query in wanted} == wanted


@every_kind
def test_a_list_is_read_page_by_page(alice: httpx.Client, path: str) -> None:
    made = [make(alice, path)["id"] for _ in range(5)]
    seen, answer = [], alice.get(f"/v1/{path}?limit=2&sort=created")
    while True:
        seen += ids(answer)
        if answer.json()["next"] is None:
            break
        assert answer.links["next"]["url"].endswith(answer.json()["next"])
        answer = alice.get(answer.links["next"]["url"])
    assert seen == made
    assert "link" not in answer.headers


def test_a_new_event_lasts_an_hour_in_the_users_zone(new_user: Callable[[str], httpx.Client]) -> None:
    client = new_user("Carla")
    client.patch("/v1/settings", json={"timezone": "Asia/Tokyo"})
    event = make(client, "events")
    assert event["zone"] == "Asia/Tokyo"
    assert event["end"].startswith("2026-11-20T16:00:00")


def test_etags_are_quoted() -> None:
    assert etag_of(12) == '"12"'


def test_notes_take_priority_due_day_and_rhythm_and_are_listed_by_them(alice: httpx.Client) -> None:
    def keep(content: str, **fields: Any) -> dict[str, Any]:
        made = alice.post("/v1/notes", json={"content": content, **fields})
        assert made.status_code == 201, made.text
        return dict(made.json())

    def listed(**query: str) -> list[str]:
        found = alice.get("/v1/notes", params={"q": "shed", **query}).json()["items"]
        return [note["content"] for note in found]

    keep("roof of the shed", deadline="2026-11-27", priority="low")
    keep("shed door", deadline="2026-11-20T17:00:00+01:00", priority="high", recurrence="monthly")
    plain = keep("shed key")
    assert plain["deadline"] is plain["recurrence"] is plain["priority"] is None
    assert listed(due_before="2026-11-25") == ["shed door"]
    assert listed(sort="deadline") == ["shed door", "roof of the shed", "shed key"]
    assert listed(sort="priority") == ["shed door", "roof of the shed", "shed key"]
    changed = alice.patch(f"/v1/notes/{plain['id']}", json={"deadline": "2026-11-22", "recurrence": "weekdays"}).json()
    assert (changed["deadline"], changed["recurrence"]) == ("2026-11-22", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    assert alice.patch(f"/v1/notes/{plain['id']}", json={"recurrence": None}).json()["recurrence"] is None
    problem(alice.patch(f"/v1/notes/{plain['id']}", json={"priority": "urgent"}), 422)
    problem(alice.post("/v1/notes", json={"content": "x", "recurrence": "hourlyish"}), 422)


def test_a_reminder_that_has_passed_is_refused_and_a_series_begins_at_its_next_time(alice: httpx.Client) -> None:
    yesterday = (datetime.now(UTC) - timedelta(days=1)).replace(microsecond=0)
    document = problem(alice.post("/v1/todos", json={"task": "call mom", "remind_at": yesterday.isoformat()}), 422)
    assert document["detail"] == "remind_at: that moment has passed; say a later one"
    daily = {"task": "pill", "remind_at": (yesterday + timedelta(hours=1)).isoformat(), "recurrence": "FREQ=DAILY"}
    made = alice.post("/v1/todos", json=daily).json()
    assert datetime.now(UTC) < datetime.fromisoformat(made["remind_at"]) < datetime.now(UTC) + timedelta(hours=3)
    moved = alice.patch(f"/v1/todos/{made['id']}", json={"remind_at": yesterday.isoformat(), "recurrence": None})
    problem(moved, 422)
