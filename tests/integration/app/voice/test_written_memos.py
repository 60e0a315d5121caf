"""Memos in words: written, brought up to date, corrected before and after they act, deleted and brought back."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.integration.app.voice.test_clips import ASYNC, JFK, memos, post_clip
from tests.support.servers.api import problem
from tests.support.waiting import wait_until

SAID_AT = "2026-11-18T09:30:00+01:00"
KEY = "The spare key is at Ana's."


def write(client: httpx.Client, transcript: str, key: str | None = None, **more: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post("/v1/memos", json={"transcript": transcript, "captured_at": SAID_AT, **more}, headers=headers)


def changes(client: httpx.Client, memo_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/v1/changes").json()["items"]
    return [change for change in found if (change["kind"], change["record_id"]) == ("memo", memo_id)]


def undo(client: httpx.Client, change_id: str) -> httpx.Response:
    return client.post(f"/v1/changes/{change_id}/undo")


def test_a_memo_in_words_is_kept_whole_and_in_the_ledger(alice: httpx.Client, bob: httpx.Client) -> None:
    answer = write(alice, KEY, timezone="Europe/Berlin")
    assert answer.status_code == 201, answer.text
    memo = answer.json()
    assert alice.get(answer.headers["location"]).json() == memo
    assert (memo["transcript"], memo["title"], memo["state"]) == (KEY, KEY, "transcribed")
    assert (memo["container"], memo["timezone"], memo["edited"]) == ("text", "Europe/Berlin", True)
    assert memo["captured_at"].startswith("2026-11-18T08:30:00")
    [made] = changes(alice, memo["id"])
    assert (made["op"], made["status"], made["title"]) == ("create", "applied", "memo of 2026-11-18")
    problem(alice.get(f"/v1/memos/{memo['id']}/audio"), 404)
    problem(bob.patch(f"/v1/memos/{memo['id']}", json={"title": "mine"}), 404)
    undo(alice, made["id"])
    assert memos(alice) == []


@pytest.mark.parametrize(
    "body", [{}, {"transcript": ""}, {"transcript": "   "}, {"transcript": KEY, "audio": "x"}, {"transcript": 7}]
)
def test_what_says_nothing_is_no_memo(alice: httpx.Client, body: dict[str, Any]) -> None:
    problem(alice.post("/v1/memos", json=body), 422)
    assert memos(alice) == []


def test_one_key_writes_one_memo(alice: httpx.Client) -> None:
    key = str(uuid4())
    first, again = write(alice, KEY, key), write(alice, KEY, key)
    assert (first.status_code, again.status_code, again.headers["idempotent-replayed"]) == (201, 201, "true")
    assert first.json() == again.json()
    problem(write(alice, "something else", key), 422)
    problem(alice.post("/v1/memos", files={"audio": ("a.flac", JFK)}, headers={"Idempotency-Key": key}), 422)
    assert len(memos(alice)) == 1


def test_an_external_id_names_one_memo_which_is_brought_up_to_date(alice: httpx.Client) -> None:
    made = write(alice, KEY, external_id="journal/7", title="Key")
    again = write(alice, "The spare key is at Tom's.", external_id="journal/7", title="Key")
    assert (made.status_code, again.status_code) == (201, 200)
    assert (again.json()["id"], again.json()["transcript"]) == (made.json()["id"], "The spare key is at Tom's.")
    assert [change["op"] for change in changes(alice, made.json()["id"])] == ["create", "update"]
    write(alice, "The spare key is at Tom's.", external_id="journal/7", title="Key")
    assert len(changes(alice, made.json()["id"])) == 2, "the same again changes nothing"
    alice.delete(f"/v1/memos/{made.json()['id']}")
    assert write(alice, KEY, external_id="journal/7").json()["transcript"] == KEY
    assert len(memos(alice)) == 1


def test_what_is_posted_again_may_have_been_said_at_another_time(alice: httpx.Client) -> None:
    made = write(alice, KEY, external_id="journal/7").json()
    later = {"transcript": KEY, "external_id": "journal/7", "captured_at": "2026-11-20T10:00:00Z"}
    again = alice.post("/v1/memos", json={**later, "timezone": "Asia/Tokyo"})
    assert (again.json()["captured_at"], again.json()["timezone"]) == ("2026-11-20T10:00:00Z", "Asia/Tokyo")
    undo(alice, again.headers["x-change-id"])
    back = alice.get(f"/v1/memos/{made['id']}").json()
    assert (back["captured_at"], back["timezone"]) == (made["captured_at"], "Europe/Lisbon")
    same = alice.post("/v1/memos", json={"transcript": KEY, "external_id": "journal/7"}).json()
    assert same["captured_at"] == made["captured_at"], "what is not stated stays"


@pytest.mark.parametrize("named", ["key", "external_id"])
def test_a_memo_in_words_acts_where_that_is_wanted_and_once(alice: httpx.Client, named: str) -> None:
    def post(transcript: str) -> dict[str, Any]:
        more = {"key": "stamps"} if named == "key" else {"external_id": "stamps"}
        answer = write(alice, transcript, act=True, **more)
        assert answer.status_code in (200, 201), answer.text
        return dict(answer.json())

    memo = post("add buy stems")
    turn = finished(alice, memo["turn_id"])
    assert ([change["title"] for change in turn["changes"]], turn["input"]["memo_id"]) == (["buy stems"], memo["id"])
    assert alice.get(f"/v1/memos/{memo['id']}").json()["state"] == "acted"
    assert post("add buy stems")["turn_id"] == memo["turn_id"]
    if named == "external_id":
        finished(alice, post("add buy stamps")["turn_id"])
        assert [todo["task"] for todo in alice.get("/v1/todos").json()["items"]] == ["buy stamps"]


def test_a_memo_that_was_only_remembered_acts_when_it_is_posted_again(alice: httpx.Client) -> None:
    assert write(alice, "add buy stamps", external_id="stamps").json()["turn_id"] is None
    assert alice.get("/v1/todos").json()["items"] == []
    finished(alice, write(alice, "add buy stamps", external_id="stamps", act=True).json()["turn_id"])
    assert [todo["task"] for todo in alice.get("/v1/todos").json()["items"]] == ["buy stamps"]


def test_a_correction_and_its_undo_name_the_words_and_copy_none(alice: httpx.Client) -> None:
    memo_id = write(alice, "the spear key is at Ana's").json()["id"]
    edited = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": KEY, "title": "Key"})
    assert (edited.json()["transcript"], edited.json()["title"]) == (KEY, "Key")
    assert alice.patch(f"/v1/memos/{memo_id}", json={"transcript": KEY}).headers.get("x-change-id") is None
    back = undo(alice, edited.headers["x-change-id"])
    assert back.status_code == 200, back.text
    assert alice.get(f"/v1/memos/{memo_id}").json()["transcript"] == "the spear key is at Ana's"
    rows = changes(alice, memo_id)
    assert [row["op"] for row in rows] == ["create", "update", "undo"]
    assert "Ana" not in json.dumps(rows)


def test_a_deleted_memo_of_words_comes_back_whole(alice: httpx.Client) -> None:
    memo = write(alice, KEY).json()
    gone = alice.delete(f"/v1/memos/{memo['id']}")
    problem(alice.patch(f"/v1/memos/{memo['id']}", json={"title": "x"}), 404)
    assert memos(alice) == []
    undo(alice, gone.headers["x-change-id"])
    back = alice.get(f"/v1/memos/{memo['id']}").json()
    assert (back["transcript"], back["title"], back["state"]) == (KEY, KEY, "transcribed")


def test_words_corrected_before_a_turn_has_any_are_what_it_acts_on(alice: httpx.Client) -> None:
    turn = post_clip(alice, JFK, {"speak": "true"}).json()
    memo_id = turn["input"]["memo_id"]
    corrected = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "add buy stamps"})
    assert (corrected.status_code, corrected.json()["turn_id"]) == (200, turn["id"])
    done = finished(alice, turn["id"])
    assert [change["title"] for change in done["changes"]] == ["buy stamps"]
    assert done["input"]["text"] == "add buy stamps"
    assert done["speech_url"] == f"/v1/turns/{turn['id']}/speech"


def test_words_corrected_afterwards_undo_what_they_did_and_act_anew(alice: httpx.Client, doors_database: str) -> None:
    turn = post_clip(alice, JFK).json()
    memo_id = turn["input"]["memo_id"]
    alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "add buy stems"})
    finished(alice, turn["id"])
    corrected = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "add buy stamps"}).json()
    assert corrected["turn_id"] != turn["id"]
    again = finished(alice, corrected["turn_id"])
    assert (again["thread_id"], again["input"]["memo_id"]) == (turn["thread_id"], memo_id)
    assert [todo["task"] for todo in alice.get("/v1/todos").json()["items"]] == ["buy stamps"]
    same = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "add buy stamps"}).json()
    assert same["turn_id"] == corrected["turn_id"], "sent again it says nothing again"
    with psycopg.connect(doors_database, options="-c search_path=summit,public") as conn:
        query = "select count(*) from turns where memo_id = %s"
        assert conn.execute(query, (memo_id,)).fetchone() == (2,)


def test_what_was_changed_since_is_not_taken_back(alice: httpx.Client) -> None:
    turn = post_clip(alice, JFK).json()
    memo_id = turn["input"]["memo_id"]
    alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "add buy stems"})
    [made] = finished(alice, turn["id"])["changes"]
    alice.patch(f"/v1/todos/{made['record_id']}", json={"priority": "high"})
    problem(alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "add buy stamps"}), 409)
    assert alice.get(f"/v1/memos/{memo_id}").json()["transcript"] == "add buy stems"


def test_each_wording_of_a_memo_is_kept_and_can_be_read(alice: httpx.Client, bob: httpx.Client) -> None:
    memo_id = write(alice, KEY).json()["id"]
    path = f"/v1/memos/{memo_id}/transcripts"
    corrected = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "The spare key is at Anna's."})
    assert wordings(alice, path) == [(KEY, False), ("The spare key is at Anna's.", True)]
    undo(alice, corrected.headers["x-change-id"])
    assert wordings(alice, path) == [(KEY, True), ("The spare key is at Anna's.", False)]
    problem(bob.get(path), 404)
    alice.delete(f"/v1/memos/{memo_id}")
    problem(alice.get(path), 404)


def wordings(client: httpx.Client, path: str) -> list[tuple[str, bool]]:
    return [(item["transcript"], item["current"]) for item in client.get(path).json()["items"]]


def finished(client: httpx.Client, turn_id: str) -> dict[str, Any]:
    def one_that_is() -> dict[str, Any] | None:
        turn: dict[str, Any] = client.get(f"/v1/turns/{turn_id}", headers=ASYNC, params={}).json()
        return turn if turn["status"] in ("done", "waiting", "failed") else None

    return wait_until(one_that_is) or {}
