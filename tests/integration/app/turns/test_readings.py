"""A message that comes with its reading does what the reading says, checked like any other."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.servers.api import problem
from tests.support.servers.live import WHEN

CALL = {"op": "create", "kind": "todo", "fields": {"task": "call mum", "deadline": "2026-11-20"}}


def said(client: httpx.Client, text: str, *reading: dict[str, Any], **headers: str) -> dict[str, Any]:
    answer = client.post("/v1/turns", json={"text": text, "reading": list(reading), **WHEN}, headers=headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_reading_is_done_and_not_the_words(alice: httpx.Client) -> None:
    turn = said(alice, "call mom tomorrow at 5", CALL)
    [change] = turn["changes"]
    assert (change["status"], change["title"], change["after"]["deadline"]) == ("applied", "call mum", "2026-11-20")
    assert "call mum" in turn["reply"]
    assert change["after"]["source"]["words"] == "call mom tomorrow at 5"
    assert turn["input"]["text"] == "call mom tomorrow at 5"


def test_several_kinds_each_go_to_their_agent(alice: httpx.Client) -> None:
    lunch = {"op": "create", "kind": "event", "fields": {"title": "lunch", "start": "2026-11-20T13:00:00+00:00"}}
    note = {"op": "create", "kind": "note", "fields": {"content": "blue pot"}}
    turn = said(alice, "whatever", CALL, lunch, note)
    assert {change["kind"] for change in turn["changes"]} == {"todo", "event", "note"}
    assert set(turn["targets"]) == {"update_todos", "update_events", "update_notes"}


def test_an_item_is_changed_by_its_id(alice: httpx.Client) -> None:
    made = alice.post("/v1/todos", json={"task": "call mom"}).json()
    said(alice, "mom", {"op": "complete", "kind": "todo", "record_id": made["id"], "fields": {}})
    assert alice.get(f"/v1/todos/{made['id']}").json()["status"] == "done"


def test_the_reading_of_understand_can_be_sent_back(alice: httpx.Client) -> None:
    text = "pay the rent tomorrow at 5 and book lunch with Ana for Friday 3pm"
    read = alice.post("/v1/understand", json={"text": text, **WHEN}).json()["proposals"]
    sent = [{name: item[name] for name in ("op", "kind", "record_id", "fields")} for item in read]
    sent[0]["fields"]["deadline"] = "2026-11-30T09:00:00+00:00"
    rent, lunch = said(alice, text, *sent)["changes"]
    assert rent["after"]["deadline"] == "2026-11-30T09:00:00Z"
    assert lunch["after"]["title"] == "lunch with Ana"


def test_standing_instructions_still_count(alice: httpx.Client) -> None:
    alice.post("/v1/turns", json={"text": "always ask me before adding tasks", **WHEN})
    turn = said(alice, "call mom", CALL)
    assert turn["status"] == "waiting"
    assert [change["status"] for change in turn["changes"]] == ["needs_confirmation"]


def test_an_item_of_somebody_else_cannot_be_reached(alice: httpx.Client, bob: httpx.Client) -> None:
    made = alice.post("/v1/todos", json={"task": "mine"}).json()
    turn = said(bob, "x", {"op": "delete", "kind": "todo", "record_id": made["id"]})
    assert [change["status"] for change in turn["changes"]] == ["failed"]
    assert alice.get(f"/v1/todos/{made['id']}").status_code == 200


def test_the_next_message_is_read_from_its_words_again(alice: httpx.Client) -> None:
    said(alice, "whatever", CALL)
    turn = alice.post("/v1/turns", json={"text": "add buy stamps", **WHEN}).json()
    assert [change["title"] for change in turn["changes"]] == ["buy stamps"]


def test_a_key_names_the_reading_too(alice: httpx.Client) -> None:
    first = said(alice, "call mom", CALL, **{"Idempotency-Key": "one"})
    assert said(alice, "call mom", CALL, **{"Idempotency-Key": "one"})["id"] == first["id"]
    other = {"text": "call mom", "reading": [{**CALL, "fields": {"task": "else"}}], **WHEN}
    problem(alice.post("/v1/turns", json=other, headers={"Idempotency-Key": "one"}), 422)


@pytest.mark.parametrize(
    "wanted",
    [
        {**CALL, "op": "undo"},
        {**CALL, "kind": "memo"},
        {**CALL, "record_id": "00000000-0000-4000-8000-000000000009"},
        {**CALL, "fields": {"task": "x", "priority": "99"}},
        {**CALL, "fields": {"task": "x", "version": 9}},
        {**CALL, "fields": {}},
        {**CALL, "agreed": True},
        {"op": "complete", "kind": "todo", "fields": {}},
        {"op": "delete", "kind": "profile", "record_id": "profile"},
        {"op": "update", "kind": "event", "record_id": "abc", "fields": {"start": "someday"}},
    ],
)
def test_what_does_not_fit_is_refused_at_the_door(alice: httpx.Client, wanted: dict[str, Any]) -> None:
    problem(alice.post("/v1/turns", json={"text": "x", "reading": [wanted], **WHEN}), 422)
    assert alice.get("/v1/changes").json()["items"] == []


def test_an_empty_reading_is_refused(alice: httpx.Client) -> None:
    problem(alice.post("/v1/turns", json={"text": "x", "reading": [], **WHEN}), 422)
