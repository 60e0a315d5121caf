from __future__ import annotations

from uuid import uuid4

import httpx

from tests.integration.app.records.test_records import make
from tests.support.servers.api import problem


def test_a_client_stays_in_step_by_its_cursor(alice: httpx.Client) -> None:
    for task in ("a", "b", "c"):
        make(alice, "todos", task=task)
    first = alice.get("/v1/changes", params={"limit": 2}).json()
    assert [change["after"]["task"] for change in first["items"]] == ["a", "b"]
    assert first["next"] == str(first["items"][-1]["cursor"])
    second = alice.get("/v1/changes", params={"after": first["next"], "limit": 2}).json()
    assert [change["after"]["task"] for change in second["items"]] == ["c"]
    assert second["next"] is None
    last = second["items"][-1]["cursor"]
    assert alice.get("/v1/changes", params={"after": last}).json() == {"items": [], "next": None}


def test_an_undo_can_be_undone(alice: httpx.Client) -> None:
    todo = make(alice, "todos")
    where = f"/v1/todos/{todo['id']}"
    change = alice.get("/v1/changes").json()["items"][0]
    undo = alice.post(change["undo"])
    assert undo.status_code == 200, undo.text
    assert undo.json()["op"] == "undo"
    problem(alice.get(where), 404)
    assert alice.get(f"/v1/changes/{change['id']}").json()["status"] == "undone"
    assert alice.get(f"/v1/changes/{change['id']}").json()["undo"] is None
    assert alice.post(undo.json()["undo"]).status_code == 200
    assert alice.get(where).json()["task"] == todo["task"]


def test_a_second_undo_says_why_not(alice: httpx.Client) -> None:
    make(alice, "todos")
    change = alice.get("/v1/changes").json()["items"][0]
    alice.post(change["undo"])
    document = problem(alice.post(change["undo"]), 409)
    assert document["change"]["status"] == "failed"
    assert document["change"]["error"] == document["detail"]


def test_what_was_edited_in_between_is_not_overwritten(alice: httpx.Client) -> None:
    todo = make(alice, "todos")
    where = f"/v1/todos/{todo['id']}"
    alice.patch(where, json={"priority": "low"})
    edit = alice.get("/v1/changes").json()["items"][-1]
    alice.patch(where, json={"priority": "high"})
    problem(alice.post(edit["undo"]), 409)
    assert alice.get(where).json()["priority"] == "high"


def test_an_undo_sent_twice_with_one_key_happens_once(alice: httpx.Client) -> None:
    make(alice, "todos")
    change = alice.get("/v1/changes").json()["items"][0]
    key = {"Idempotency-Key": str(uuid4())}
    first, again = (alice.post(change["undo"], headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert len(alice.get("/v1/changes").json()["items"]) == 2


def test_another_users_changes_are_not_there(alice: httpx.Client, bob: httpx.Client) -> None:
    todo = make(alice, "todos")
    change = alice.get("/v1/changes").json()["items"][0]
    problem(bob.get(f"/v1/changes/{change['id']}"), 404)
    problem(bob.post(change["undo"]), 404)
    assert bob.get("/v1/changes").json()["items"] == []
    assert alice.get(f"/v1/todos/{todo['id']}").status_code == 200


def test_the_latest_come_first_when_read_backwards(alice: httpx.Client) -> None:
    for task in ("a", "b", "c"):
        make(alice, "todos", task=task)
    first = alice.get("/v1/changes", params={"before": 2**63 - 1, "limit": 2}).json()
    assert [change["after"]["task"] for change in first["items"]] == ["c", "b"]
    second = alice.get("/v1/changes", params={"before": first["next"], "limit": 2}).json()
    assert [change["after"]["task"] for change in second["items"]] == ["a"]
    assert second["next"] is None


def test_the_changes_of_one_record_are_read_alone(alice: httpx.Client) -> None:
    made, _ = make(alice, "todos", task="a"), make(alice, "todos", task="b")
    alice.patch(f"/v1/todos/{made['id']}", json={"task": "c"})
    asked = {"record_id": made["id"]}
    back = alice.get("/v1/changes", params={**asked, "before": 2**63 - 1}).json()["items"]
    assert [change["after"]["task"] for change in back] == ["c", "a"]
    assert [one["id"] for one in alice.get("/v1/changes", params=asked).json()["items"]] == [
        one["id"] for one in reversed(back)
    ]
    problem(alice.get("/v1/changes", params={"record_id": "a"}), 422)


def test_times_beside_an_undo_are_those_of_the_users_zone(alice: httpx.Client) -> None:
    assert alice.patch("/v1/settings", json={"timezone": "Asia/Tokyo"}).status_code == 200
    event = make(alice, "events", title="Dentist", start="2031-03-03T10:00:00+09:00", zone="Asia/Tokyo")
    alice.delete(f"/v1/events/{event['id']}")
    gone = alice.get("/v1/changes").json()["items"][-1]
    make(alice, "events", title="Review", start="2031-03-03T10:30:00+09:00")
    back = alice.post(gone["undo"]).json()
    assert [(one["title"], one["start"]) for one in back["conflicts"]] == [("Review", "2031-03-03T10:30:00+09:00")]
    assert [one["start"][-6:] for one in back["alternatives"]] == ["+09:00"] * 3
    assert all("09:00" <= one["start"][11:16] < one["end"][11:16] <= "18:00" for one in back["alternatives"])
