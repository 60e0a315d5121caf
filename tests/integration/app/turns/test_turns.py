from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.turns.routes.schemas import TurnView
from tests.support.servers.api import problem
from tests.support.waiting import wait_until

CONTEXT = {"captured_at": "2026-11-18T09:30:00+00:00", "timezone": "Europe/Lisbon"}
TEXT = {"text": "buy milk", **CONTEXT}


def say(client: httpx.Client, text: str, **headers: str) -> dict[str, Any]:
    answer = client.post("/v1/turns", json={"text": text, **CONTEXT}, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def events_in(stream: str) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: ")) for line in stream.splitlines() if line.startswith("data: ")]


def test_a_message_is_answered_with_its_turn(alice: httpx.Client) -> None:
    answer = alice.post("/v1/turns", json=TEXT)
    assert answer.status_code == 200, answer.text
    turn = TurnView.model_validate(answer.json())
    assert turn.status == "done"
    assert turn.input.text == TEXT["text"]
    assert turn.disposition == "dispatch"
    assert [(change.op, change.kind, change.status) for change in turn.changes] == [("create", "todo", "applied")]
    assert turn.changes[0].undo == f"/v1/changes/{turn.changes[0].id}/undo"
    assert answer.json() == alice.get(answer.headers["location"]).json()


def test_respond_async_answers_before_the_turn_is_finished(alice: httpx.Client) -> None:
    answer = alice.post("/v1/turns", json=TEXT, headers={"Prefer": "respond-async"})
    assert answer.status_code == 202
    assert answer.headers["preference-applied"] == "respond-async"
    wait_until(lambda: alice.get(answer.headers["location"]).json()["status"] == "done")


def test_the_same_key_and_body_is_the_same_turn(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first = alice.post("/v1/turns", json=TEXT, headers=key)
    again = alice.post("/v1/turns", content=json.dumps(dict(reversed(TEXT.items())), indent=2), headers={**key, **JSON})
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_the_same_key_with_another_body_is_refused(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    alice.post("/v1/turns", json=TEXT, headers=key)
    problem(alice.post("/v1/turns", json={**TEXT, "text": "water the garden"}, headers=key), 422)
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_twenty_copies_at_once_happen_once(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: alice.post("/v1/turns", json=TEXT, headers=key), range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_two_users_may_use_the_same_idempotency_key(alice: httpx.Client, bob: httpx.Client) -> None:
    key = {"Idempotency-Key": "1"}
    first = alice.post("/v1/turns", json=TEXT, headers=key).json()
    second = bob.post("/v1/turns", json={**TEXT, "text": "water the garden"}, headers=key).json()
    assert first["id"] != second["id"]
    assert second["input"]["text"] == "water the garden"


def test_a_turn_is_streamed_as_events_until_it_is_done(alice: httpx.Client) -> None:
    answer = alice.post("/v1/turns", json=TEXT, headers={"Accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = events_in(answer.text)
    assert events[-1]["type"] == "turn.done"
    assert {"change.applied", "reply.completed"} <= {event["type"] for event in events}
    assert all(set(event) == {"v", "seq", "turn_id", "type", "ts", "data"} for event in events)
    assert [event["seq"] for event in events] == sorted({event["seq"] for event in events})


def test_a_stream_resumes_after_the_last_event_seen(alice: httpx.Client) -> None:
    turn = say(alice, "buy milk")
    path = f"/v1/turns/{turn['id']}/events"
    events = events_in(alice.get(path).text)
    seen = events[1]["seq"]
    assert events_in(alice.get(path, headers={"Last-Event-ID": str(seen)}).text) == events[2:]
    assert events_in(alice.get(path, params={"after": seen}).text) == events[2:]


def test_a_stream_resumed_after_its_end_ends(alice: httpx.Client) -> None:
    turn = say(alice, "buy milk")
    path = f"/v1/turns/{turn['id']}/events"
    last = events_in(alice.get(path).text)[-1]["seq"]
    with alice.stream("GET", path, params={"after": last}) as answer:
        assert answer.read() == b": heartbeat\n\n"


def test_open_streams_hold_no_database_connection(alice: httpx.Client) -> None:
    clip = {"audio": (Path(__file__).parents[3] / "data" / "jfk.flac").read_bytes()}
    waiting = alice.post("/v1/turns", files=clip, headers={"Prefer": "respond-async"}).json()["id"]
    with ExitStack() as streams:
        for _ in range(30):
            answer = streams.enter_context(alice.stream("GET", f"/v1/turns/{waiting}/events"))
            assert answer.status_code == 200
        thread = alice.post("/v1/threads", json={}).json()["id"]
        assert alice.post("/v1/turns", json={**TEXT, "thread_id": thread}).json()["status"] == "done"
    assert alice.get(f"/v1/turns/{waiting}").json()["status"] in {"queued", "running"}


def test_undoing_a_turn_takes_every_change_back_once(alice: httpx.Client) -> None:
    turn = say(alice, "call mom tomorrow at 5 and add a note that the garden needs water")
    assert len(turn["changes"]) == 2
    undone = alice.post(f"/v1/turns/{turn['id']}/undo")
    assert undone.status_code == 200, undone.text
    assert [change["status"] for change in undone.json()["changes"]] == ["applied", "applied"]
    assert alice.get("/v1/todos").json()["items"] == []
    statuses = [change["status"] for change in alice.get(f"/v1/turns/{turn['id']}").json()["changes"]]
    assert statuses == ["undone", "undone"]
    problem(alice.post(f"/v1/turns/{turn['id']}/undo"), 409)


def test_a_finished_turn_stays_as_it_is_when_cancelled(alice: httpx.Client) -> None:
    turn = say(alice, "buy milk")
    cancelled = alice.post(f"/v1/turns/{turn['id']}/cancel")
    assert cancelled.status_code == 200
    assert cancelled.json()["status"] == "done"


@pytest.mark.parametrize("path", ["", "/events"])
def test_another_users_turn_is_not_there(alice: httpx.Client, bob: httpx.Client, path: str) -> None:
    turn = say(alice, "buy milk")
    problem(bob.get(f"/v1/turns/{turn['id']}{path}"), 404)


@pytest.mark.parametrize("act", ["undo", "cancel"])
def test_another_users_turn_cannot_be_touched(alice: httpx.Client, bob: httpx.Client, act: str) -> None:
    turn = say(alice, "buy milk")
    problem(bob.post(f"/v1/turns/{turn['id']}/{act}"), 404)
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_another_users_thread_takes_no_message(alice: httpx.Client, bob: httpx.Client) -> None:
    thread = alice.post("/v1/threads", json={"title": "mine"}).json()["id"]
    problem(bob.post("/v1/turns", json={**TEXT, "thread_id": thread}), 404)


JSON = {"Content-Type": "application/json"}


def test_a_change_in_the_stream_says_where_it_can_be_undone(alice: httpx.Client) -> None:
    turn = say(alice, "buy milk")
    stream = alice.get(f"/v1/turns/{turn['id']}/events").text
    assert f'"undo":"/v1/changes/{turn["changes"][0]["id"]}/undo"' in stream


def test_what_is_suggested_stands_in_the_turn_as_data(alice: httpx.Client) -> None:
    added = say(alice, "add task call Ana")
    assert added["suggestion"] is None
    turn = say(alice, "what should I do next?")
    assert turn["suggestion"] == {
        "action": "call Ana",
        "task_id": added["changes"][0]["record_id"],
        "step": None,
        "minutes": 10,
        "why": "“call Ana”: it is a good one to get moving with.",
        "encouragement": "One thing at a time. You've got this.",
    }
    assert turn["reply"].startswith("“call Ana” (about 10 minutes): ")
    with alice.stream("GET", f"/v1/turns/{turn['id']}/events") as stream:
        told = events_in("".join(stream.iter_text()))
    completed = next(event["data"] for event in told if event["type"] == "reply.completed")
    assert completed == {name: turn[name] for name in ("reply", "remarks", "suggestion")}


def test_the_description_says_what_a_suggestion_is(alice: httpx.Client) -> None:
    schemas = alice.get("/openapi.json").json()["components"]["schemas"]
    assert set(schemas["FocusSuggestion"]["properties"]) == {
        "action",
        "task_id",
        "step",
        "minutes",
        "why",
        "encouragement",
    }
    assert "suggestion" in schemas["TurnView"]["required"]
