from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.servers.api import problem


def open_thread(client: httpx.Client, title: str = "Kitchen") -> dict[str, Any]:
    answer = client.post("/v1/threads", json={"title": title})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_opened_renamed_archived_and_deleted(alice: httpx.Client) -> None:
    thread = open_thread(alice)
    where = f"/v1/threads/{thread['id']}"
    assert alice.get(where).json() == thread
    assert alice.patch(where, json={"title": "Bathroom"}).json()["title"] == "Bathroom"
    archived = alice.patch(where, json={"status": "archived"}).json()
    assert (archived["title"], archived["status"]) == ("Bathroom", "archived")
    problem(alice.post("/v1/turns", json={"text": "hello", "thread_id": thread["id"]}), 409)
    assert alice.delete(where).status_code == 204
    problem(alice.get(where), 404)
    problem(alice.delete(where), 404)


def test_a_thread_made_twice_with_one_key_is_one(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first, again = (alice.post("/v1/threads", json={"title": "Kitchen"}, headers=key) for _ in range(2))
    assert first.json() == again.json()
    assert len(alice.get("/v1/threads").json()["items"]) == 2


def test_the_full_history_is_read_page_by_page(alice: httpx.Client) -> None:
    thread = open_thread(alice)
    for text in ("buy milk", "buy bread"):
        alice.post("/v1/turns", json={"text": text, "thread_id": thread["id"]})
    where = f"/v1/threads/{thread['id']}/messages"
    first = alice.get(where, params={"limit": 3}).json()
    rest = alice.get(where, params={"limit": 3, "after": first["next"]}).json()
    messages = [*first["items"], *rest["items"]]
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert [message["content"] for message in messages if message["role"] == "user"] == ["buy milk", "buy bread"]
    assert rest["next"] is None
    assert alice.get(f"/v1/threads/{thread['id']}").json()["message_count"] == 4


def test_the_main_thread_stays(alice: httpx.Client) -> None:
    main = alice.get("/v1/threads").json()["items"][0]
    assert main["is_main"]
    problem(alice.delete(f"/v1/threads/{main['id']}"), 409)


@pytest.mark.parametrize("patch", [{"title": "  "}, {"title": "x" * 201}, {"status": "gone"}, {"summary": "mine"}])
def test_a_thread_changed_wrongly(alice: httpx.Client, patch: dict[str, str]) -> None:
    thread = open_thread(alice)
    problem(alice.patch(f"/v1/threads/{thread['id']}", json=patch), 422)
    assert alice.get(f"/v1/threads/{thread['id']}").json() == thread


def test_another_users_thread_is_not_there(alice: httpx.Client, bob: httpx.Client) -> None:
    where = f"/v1/threads/{open_thread(alice)['id']}"
    problem(bob.get(where), 404)
    problem(bob.get(f"{where}/messages"), 404)
    problem(bob.patch(where, json={"title": "ours"}), 404)
    problem(bob.delete(where), 404)
    assert [thread["is_main"] for thread in bob.get("/v1/threads").json()["items"]] == [True]


def test_threads_are_read_page_by_page(alice: httpx.Client) -> None:
    made = {open_thread(alice)["id"] for _ in range(3)}
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = alice.get("/v1/threads", params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [thread["id"] for thread in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == 4
    assert made < set(seen)


def test_the_summary_is_that_of_the_last_turn(alice: httpx.Client) -> None:
    thread = open_thread(alice)
    where = f"/v1/threads/{thread['id']}"
    for words in ("add task buy milk", "add task mend the gate", "delete all my tasks"):
        alice.post("/v1/turns", json={"text": words, "thread_id": thread["id"]})
    summary = alice.get(where).json()["summary"]
    assert "task “buy milk” added" in summary
    assert "Waiting for an answer" in summary
    alice.post("/v1/turns", json={"text": "no", "thread_id": thread["id"]})
    assert "Waiting" not in alice.get(where).json()["summary"]


def test_a_pronoun_means_nothing_of_another_thread(alice: httpx.Client) -> None:
    when = {"captured_at": "2026-11-18T09:30:00+00:00", "timezone": "Europe/Lisbon"}
    yesterday, today = (open_thread(alice, title)["id"] for title in ("Yesterday", "Today"))
    alice.post("/v1/turns", json={"text": "call with Priya friday at 15:00", "thread_id": yesterday, **when})
    (call,) = alice.get("/v1/events").json()["items"]
    for text in ("call the plumber tomorrow, he's only in until noon", "he's off sick, cancel the call with him"):
        turn = alice.post("/v1/turns", json={"text": text, "thread_id": today, **when}).json()
        assert "Priya" not in turn["reply"]
    assert alice.get("/v1/events").json()["items"] == [call]
    assert [change["title"] for change in turn["changes"]] == ["call the plumber"]
