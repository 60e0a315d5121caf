"""What a reply says beside its receipts is told apart, so that whoever shows the changes shows them once."""

from __future__ import annotations

import httpx

from tests.integration.app.turns.test_confirm import confirm
from tests.integration.app.turns.test_turns import CONTEXT, TEXT, events_in, say


def test_receipts_are_no_remarks(alice: httpx.Client) -> None:
    assert say(alice, "add rake the leaves")["remarks"] == ""


def test_how_a_time_was_read_is_one(alice: httpx.Client) -> None:
    turn = say(alice, "ring the vet tomorrow at 6")
    assert turn["remarks"] == "(I took 6 as 18:00.)"
    assert turn["reply"].endswith(turn["remarks"])
    assert turn["reply"] != turn["remarks"]


def test_an_answer_and_a_question_are_all_of_it(alice: httpx.Client) -> None:
    alice.post("/v1/todos", json={"task": "rake the leaves"})
    alice.post("/v1/todos", json={"task": "mend the fence"})
    for words in ("what do I have to do?", "delete all my tasks"):
        turn = say(alice, words)
        assert turn["remarks"] == turn["reply"] != ""


def test_what_is_left_after_a_no_is_said(alice: httpx.Client) -> None:
    alice.post("/v1/instructions", json={"text": "always ask me before adding notes"})
    asked = say(alice, "note that the gate sticks")
    assert confirm(alice, asked, {"accept": False}).json()["remarks"] == "Okay, leaving it as is."
    asked = say(alice, "note that the tap drips")
    assert confirm(alice, asked).json()["remarks"] == ""


def test_a_stream_and_a_thread_tell_them_apart_too(alice: httpx.Client) -> None:
    told = events_in(alice.post("/v1/turns", json={**TEXT, **CONTEXT}, headers={"Accept": "text/event-stream"}).text)
    assert [one["data"]["receipt"] for one in told if one["type"] == "reply.delta"] == [True]
    assert [one["data"]["remarks"] for one in told if one["type"] == "reply.completed"] == [""]
    [thread] = [one["id"] for one in alice.get("/v1/threads").json()["items"] if one["is_main"]]
    messages = alice.get(f"/v1/threads/{thread}/messages").json()["items"]
    assert [(one["role"], one["remarks"]) for one in messages] == [("user", None), ("assistant", "")]
