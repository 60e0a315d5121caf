"""A queued turn says what it waits for: turns of a thread run one after the other, and a recording has to be heard."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from tests.integration.app.voice.test_clips import ASYNC, JFK, post_clip

STATES = {
    "received": "is a recording that is not turned into words yet.",
    "transcribing": "is a recording that is being turned into words.",
    "failed": "is a recording that could not be turned into words; that is tried again (so far: the engine is down).",
}


def say(client: httpx.Client, text: str) -> dict[str, Any]:
    answer = client.post("/v1/turns", json={"text": text}, headers=ASYNC)
    assert answer.status_code == 202
    return dict(answer.json())


@pytest.mark.parametrize("state", STATES)
def test_messages_behind_a_recording_say_so(alice: httpx.Client, doors_database: str, state: str) -> None:
    clip = post_clip(alice, JFK).json()
    reason = "the engine is down." if state == "failed" else None
    with psycopg.connect(doors_database) as conn:
        update = "update summit.memos set state = %s, reason = %s where id = %s"
        conn.execute(update, (state, reason, clip["input"]["memo_id"]))
    turns = [say(alice, f"buy milk {number}") for number in range(2)]
    for turn in turns:
        assert (turn["status"], turn["waits_for"]["turn_id"]) == ("queued", clip["id"])
        assert turn["waits_for"]["text"] == f"An earlier message of this thread {STATES[state]}"
        assert alice.get(f"/v1/turns/{turn['id']}").json()["waits_for"] == turn["waits_for"]
    own = alice.get(f"/v1/turns/{clip['id']}").json()["waits_for"]
    assert own == {"turn_id": clip["id"], "text": f"This message {STATES[state]}"}


def test_a_message_behind_one_that_runs_says_so(alice: httpx.Client, doors_database: str) -> None:
    clip = post_clip(alice, JFK).json()
    turn = say(alice, "buy milk")
    with psycopg.connect(doors_database) as conn:  # as if another server ran it
        conn.execute(
            "update summit.turns set text = 'hello', state = 'running', lease_until = now() + interval '1 hour', "
            "lease_generation = 1 where id = %s",
            (clip["id"],),
        )
    waits = alice.get(f"/v1/turns/{turn['id']}").json()["waits_for"]
    assert waits == {"turn_id": clip["id"], "text": "An earlier message of this thread is still being worked on."}


def test_a_message_that_waits_for_nothing_says_nothing(alice: httpx.Client) -> None:
    assert alice.post("/v1/turns", json={"text": "buy milk"}).json()["waits_for"] is None
