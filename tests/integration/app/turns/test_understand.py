"""POST /v1/understand reads as a turn would, says which words gave what, and changes nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.servers.api import problem
from tests.support.servers.live import WHEN


def read(client: httpx.Client, text: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/v1/understand", json={"text": text, **WHEN, **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def words(proposal: dict[str, Any], field: str) -> list[str]:
    return [span["text"] for span in proposal["words"][field]]


def test_each_value_names_its_words(alice: httpx.Client) -> None:
    reading = read(alice, "pay the rent tomorrow at 5 and book lunch with Ana for Friday 3pm")
    rent, lunch = reading["proposals"]
    assert (rent["op"], rent["kind"], rent["fields"]["task"]) == ("create", "todo", "pay the rent")
    assert words(rent, "task") == ["pay the rent"]
    assert words(rent, "deadline") == ["tomorrow at 5"]
    assert lunch["fields"]["start"] == "2026-11-20T15:00:00+00:00"
    assert words(lunch, "start") == ["for Friday 3pm"]
    assert reading["unused"] == []


def test_spans_are_the_text_at_their_places(alice: httpx.Client) -> None:
    text = "remind me to water the plants every tuesday at 7, high priority"
    reading = read(alice, text)
    spans = [span for item in reading["proposals"] for found in item["words"].values() for span in found]
    for span in [*spans, *reading["unused"]]:
        assert text[span["start"] : span["end"]] == span["text"]
    assert words(reading["proposals"][0], "priority") == ["high priority"]
    assert reading["unused"] == []


def test_nothing_is_kept(alice: httpx.Client) -> None:
    read(alice, "add milk to my shopping list")
    assert alice.get("/v1/changes").json()["items"] == []
    assert alice.get("/v1/threads").json()["items"][0]["message_count"] == 0


def test_stored_items_are_known_by_name(alice: httpx.Client) -> None:
    made = alice.post("/v1/todos", json={"task": "call mom"}).json()
    [proposal] = read(alice, "I have called mom")["proposals"]
    assert (proposal["op"], proposal["record_id"], proposal["title"]) == ("complete", made["id"], "call mom")


def test_what_is_not_understood_is_named(alice: httpx.Client) -> None:
    reading = read(alice, "blorb the frobnicator")
    assert reading["proposals"] == []
    said = [*reading["unclear"], *(one["text"] for one in reading["questions"])]
    assert any("blorb the frobnicator" in words for words in said)


def test_the_waiting_question_is_known(alice: httpx.Client) -> None:
    for task in ("call Ann", "call Bob"):
        alice.post("/v1/todos", json={"task": task})
    asked = alice.post("/v1/turns", json={"text": "the call is done", **WHEN}).json()
    assert asked["question"]["options"]
    [proposal] = read(alice, "the second one")["proposals"]
    assert (proposal["op"], proposal["kind"]) == ("complete", "todo")


def test_others_see_nothing_of_mine(alice: httpx.Client, bob: httpx.Client) -> None:
    alice.post("/v1/todos", json={"task": "zanzibar ticket"})
    assert not any(item["record_id"] for item in read(bob, "zanzibar ticket is done")["proposals"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"text": " "}, 422),
        ({"text": "milk", "thread_id": str(uuid4())}, 404),
        ({"text": "milk", "timezone": "Mars"}, 422),
        ({"text": "x" * 2001}, 413),
        ({"text": "milk", "act": True}, 422),
    ],
)
def test_bad_input_is_refused(alice: httpx.Client, body: dict[str, Any], status: int) -> None:
    problem(alice.post("/v1/understand", json=body), status)


def test_what_happens_together_does_so_when_it_is_sent_as_read(alice: httpx.Client) -> None:
    alice.post("/v1/notes", json={"category": "idea", "content": "a shelf for the hallway"})
    text = "turn the shelf idea into a task"
    proposals = read(alice, text)["proposals"]
    assert [(one["op"], one["kind"]) for one in proposals] == [("create", "todo"), ("archive", "note")]
    names = ("op", "kind", "record_id", "fields", "group")
    reading = [{name: one[name] for name in names} for one in proposals]
    reading[0]["fields"]["priority"] = "high"
    made, archived = alice.post("/v1/turns", json={"text": text, "reading": reading}).json()["changes"]
    assert made["together"] == archived["together"] == made["id"]
    undone = alice.post(f"/v1/changes/{made['id']}/undo")
    assert undone.status_code == 200
    assert alice.get("/v1/todos").json()["items"] == []
    [idea] = alice.get("/v1/notes").json()["items"]
    assert idea["status"] == "active"
    gone = [{**one, "record_id": "0" * 36} if one["op"] == "archive" else one for one in reading]
    refused = alice.post("/v1/turns", json={"text": text, "reading": gone}).json()["changes"]
    assert [one["status"] for one in refused] == ["failed", "failed"]
    assert alice.get("/v1/todos").json()["items"] == []


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("phone the bank tomorrow, urgent", []),
        ("write the minutes, it takes three hours", []),
        ("sew the curtain, that is important", []),
        ("phone the bank tomorrow at 5, high priority, per usual", ["per usual"]),
    ],
)
def test_words_are_unused_only_where_the_same_is_read_without_them(
    alice: httpx.Client, text: str, unused: list[str]
) -> None:
    assert [span["text"] for span in read(alice, text)["unused"]] == unused
