"""Memos of their own: kept, tried again and forgotten, whether or not a turn asked for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.integration.app.voice.test_clips import ASYNC, JFK, kept_clips, memos, post_clip
from tests.integration.app.voice.test_written_memos import finished
from tests.support.servers.api import problem


def keep(client: httpx.Client, clip: bytes = JFK, key: str | None = None, **fields: str) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    files = {"audio": ("clip.flac", clip, "audio/flac")}
    return client.post("/v1/memos", files=files, data=fields, headers=headers)


def test_a_memo_is_kept_without_a_turn(alice: httpx.Client, doors_database: str) -> None:
    answer = keep(alice)
    assert answer.status_code == 202, answer.text
    memo = answer.json()
    assert (memo["state"], memo["turn_id"], memo["container"]) == ("received", None, "flac")
    assert alice.get(answer.headers["location"]).json() == memo
    assert alice.get(f"/v1/memos/{memo['id']}/audio").content == JFK
    with psycopg.connect(doors_database, options="-c search_path=summit,public") as conn:
        query = "select count(*) from procrastinate_jobs where args->>'memo_id' = %s and queue_name = 'speech'"
        assert conn.execute(query, (memo["id"],)).fetchone() == (1,)


def test_one_key_keeps_one_memo_and_refuses_another_clip(alice: httpx.Client, clips_folder: Path) -> None:
    before, key = len(kept_clips(clips_folder)), str(uuid4())
    first, again = keep(alice, key=key), keep(alice, key=key)
    assert (first.status_code, again.status_code, again.headers["idempotent-replayed"]) == (202, 202, "true")
    assert first.json() == again.json()
    assert (len(memos(alice)), len(kept_clips(clips_folder))) == (1, before + 1)
    problem(keep(alice, JFK + b"more", key=key), 422)
    problem(keep(alice, JFK[:-1] + b"x", key=key), 422)


def test_a_key_of_a_deleted_memo_puts_nothing_in_its_place(alice: httpx.Client) -> None:
    key = str(uuid4())
    memo_id = keep(alice, key=key).json()["id"]
    gone = alice.delete(f"/v1/memos/{memo_id}")
    problem(keep(alice, key=key), 404)
    problem(keep(alice, JFK + b"more", key=key), 422)
    alice.post(f"/v1/changes/{gone.headers['x-change-id']}/undo")
    assert alice.get(f"/v1/memos/{memo_id}/audio").content == JFK


NAMED: dict[str, Any] = {"external_id": "talk/7", "title": "Talk", "captured_at": "2026-11-18T09:30:00+01:00"}
NEWS: dict[str, Any] = {"title": "The talk", "captured_at": "2026-11-19T10:00:00+01:00", "timezone": "Europe/Berlin"}


def told_of(memo: dict[str, Any]) -> tuple[str, str, str]:
    return memo["title"], memo["captured_at"], memo["timezone"]


def test_a_recording_is_brought_up_to_date_by_its_external_id(alice: httpx.Client, bob: httpx.Client) -> None:
    made = keep(alice, **NAMED)
    assert (made.status_code, made.json()["external_id"]) == (202, "talk/7")
    at = f"/v1/memos/{made.json()['id']}"
    first = ("Talk", "2026-11-18T08:30:00Z", "Europe/Lisbon")
    assert told_of(made.json()) == first
    same = keep(alice, external_id="talk/7")
    assert (same.status_code, same.json(), same.headers.get("x-change-id")) == (200, made.json(), None)
    newer = keep(alice, external_id="talk/7", **NEWS)
    assert (newer.status_code, newer.json()["id"]) == (200, made.json()["id"])
    assert told_of(newer.json()) == ("The talk", "2026-11-19T09:00:00Z", "Europe/Berlin")
    assert alice.post(f"/v1/changes/{newer.headers['x-change-id']}/undo").status_code == 200
    assert told_of(alice.get(at).json()) == first
    worded = alice.post("/v1/memos", json={"external_id": "talk/7", "transcript": "What was said."}).json()
    assert (worded["id"], worded["transcript"]) == (made.json()["id"], "What was said.")
    assert alice.get(f"{at}/audio").content == JFK
    assert (len(memos(alice)), keep(bob, **NAMED).status_code) == (1, 202)


def test_a_recording_is_replaced_by_no_other(alice: httpx.Client) -> None:
    memo_id = keep(alice, **NAMED).json()["id"]
    refused = problem(keep(alice, JFK + b"more", **NAMED), 409)
    assert "PATCH /v1/memos/{memo_id}" in refused["hint"]
    alice.post("/v1/memos", json={"external_id": "words", "transcript": "What was said."})
    problem(keep(alice, external_id="words"), 409)
    alice.delete(f"/v1/memos/{memo_id}")
    problem(keep(alice, JFK + b"more", **NAMED), 409)
    assert len(memos(alice)) == 1


def test_a_deleted_recording_comes_back_when_it_is_posted_again(alice: httpx.Client, doors_database: str) -> None:
    memo_id = keep(alice, **NAMED).json()["id"]
    alice.delete(f"/v1/memos/{memo_id}")
    back = keep(alice, **{**NAMED, "title": "Back"})
    assert (back.status_code, back.json()["id"]) == (200, memo_id)
    assert (back.json()["state"], back.json()["title"], back.json()["external_id"]) == ("received", "Back", "talk/7")
    with psycopg.connect(doors_database, options="-c search_path=summit,public") as conn:
        query = "select count(*) from procrastinate_jobs where args->>'memo_id' = %s"
        assert conn.execute(query, (memo_id,)).fetchone() == (2,)


def test_a_recording_that_is_posted_to_act_is_acted_upon_once(alice: httpx.Client) -> None:
    key = str(uuid4())
    made = keep(alice, key=key, act="true", title="Stamps")
    assert made.status_code == 202, made.text
    memo = made.json()
    turn = alice.get(f"/v1/turns/{memo['turn_id']}").json()
    assert (turn["status"], turn["input"]["memo_id"], memo["title"]) == ("queued", memo["id"], "Stamps")
    assert keep(alice, key=key, act="true").json()["turn_id"] == memo["turn_id"]
    alice.patch(f"/v1/memos/{memo['id']}", json={"transcript": WORDS})
    assert [change["title"] for change in finished(alice, memo["turn_id"])["changes"]] == ["buy stamps"]
    assert alice.get(f"/v1/memos/{memo['id']}").json()["state"] == "acted"
    assert len(memos(alice)) == 1


def test_what_a_thread_refuses_is_no_memo(alice: httpx.Client, clips_folder: Path) -> None:
    before = len(kept_clips(clips_folder))
    problem(keep(alice, act="true", thread_id=str(uuid4()), external_id="talk/7"), 404)
    said = {"transcript": WORDS, "act": True, "thread_id": str(uuid4())}
    problem(alice.post("/v1/memos", json=said), 404)
    assert (memos(alice), len(kept_clips(clips_folder))) == ([], before)


def test_a_recording_that_was_only_remembered_is_not_acted_upon_later(alice: httpx.Client) -> None:
    keep(alice, external_id="talk/7")
    problem(keep(alice, external_id="talk/7", act="true"), 409)
    problem(keep(alice, act="perhaps"), 422)


@pytest.mark.parametrize("body", [b"", b"#EXTM3U\nhttp://127.0.0.1/x", b"RIFF", b"\x00" * 600])
def test_what_is_no_clip_is_refused_at_the_door(alice: httpx.Client, body: bytes) -> None:
    problem(keep(alice, body), 422)
    assert memos(alice) == []


def test_only_what_failed_is_tried_again(alice: httpx.Client, doors_database: str) -> None:
    memo_id = keep(alice).json()["id"]
    problem(alice.post(f"/v1/memos/{memo_id}/retry"), 409)
    with psycopg.connect(doors_database, options="-c search_path=summit,public") as conn:
        conn.execute("update memos set state = 'failed', reason = 'no engine', tries = 4 where id = %s", (memo_id,))
    again = alice.post(f"/v1/memos/{memo_id}/retry").json()
    assert (again["state"], again["reason"]) == ("received", None)
    with psycopg.connect(doors_database, options="-c search_path=summit,public") as conn:
        query = "select count(*) from procrastinate_jobs where args->>'memo_id' = %s"
        assert conn.execute(query, (memo_id,)).fetchone() == (2,)


DOUBT = """
update memos set state = 'needs_you', transcript = %(words)s, reason = 'The transcript is uncertain.',
    segments = '[{"start_ms": 0, "end_ms": 9, "text": "add buy stamps", "confidence": 0.3}]' where id = %(memo)s
"""
ASK = "update turns set text = %(words)s, unsure = true where memo_id = %(memo)s"
WORDS = "add buy stamps"


def doubtful(database: str, memo_id: str) -> None:
    """As if an engine had heard uncertain words."""
    with psycopg.connect(database, options="-c search_path=summit,public") as conn:
        for query in (DOUBT, ASK):
            conn.execute(query, {"memo": memo_id, "words": WORDS})


def test_uncertain_words_of_a_memo_that_nobody_acts_on_are_confirmed_as_they_are(
    alice: httpx.Client, doors_database: str
) -> None:
    steps = [{"id": "tell", "kind": "notify", "text": "{{inputs.memo_text}}"}]
    workflow = {"slug": "relay", "name": "Relay", "trigger": {"kind": "memo"}, "steps": steps}
    assert alice.put("/v1/workflows/relay", json=workflow).status_code == 200
    memo_id = keep(alice).json()["id"]
    doubtful(doors_database, memo_id)
    assert alice.patch(f"/v1/memos/{memo_id}", json={"title": "Stamps"}).json()["state"] == "needs_you"
    assert alice.get("/v1/workflows/relay/runs").json()["items"] == []
    answer = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": WORDS})
    assert answer.status_code == 200, answer.text
    memo = answer.json()
    assert memo["state"] in ("transcribed", "indexed")
    assert (memo["reason"], memo["edited"], len(memo["segments"])) == (None, False, 1)
    assert "x-change-id" not in answer.headers, "nothing of it was changed"
    assert [run["origin"] for run in alice.get("/v1/workflows/relay/runs").json()["items"]] == ["memo"]
    assert alice.get("/v1/todos").json()["items"] == []


@pytest.mark.parametrize("words", [WORDS, "add buy stems"], ids=["as heard", "corrected"])
def test_uncertain_words_that_a_turn_asked_about_act_once_when_they_are_put_right(
    alice: httpx.Client, doors_database: str, words: str
) -> None:
    turn = post_clip(alice, JFK).json()
    memo_id = turn["input"]["memo_id"]
    doubtful(doors_database, memo_id)
    assert finished(alice, turn["id"])["status"] == "waiting"
    told = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": words}).json()
    assert told["turn_id"] != turn["id"]
    assert finished(alice, told["turn_id"])["changes"][0]["title"] == words.removeprefix("add ")
    assert alice.get(f"/v1/memos/{memo_id}").json()["state"] == "acted"
    alice.patch(f"/v1/memos/{memo_id}", json={"transcript": words})
    assert alice.post("/v1/turns", json={"text": "yes"}).json()["changes"] == [], "the question is settled"
    assert [todo["task"] for todo in alice.get("/v1/todos").json()["items"]] == [words.removeprefix("add ")]


def test_what_a_yes_to_uncertain_words_did_is_taken_back_when_they_are_corrected(
    alice: httpx.Client, doors_database: str
) -> None:
    turn = post_clip(alice, JFK).json()
    memo_id = turn["input"]["memo_id"]
    doubtful(doors_database, memo_id)
    finished(alice, turn["id"])
    answer = alice.post("/v1/turns", json={"text": "yes"}).json()
    assert alice.get(f"/v1/memos/{memo_id}").json()["turn_id"] == answer["id"]
    same = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": WORDS}).json()
    assert (same["state"], same["turn_id"]) == ("acted", answer["id"])
    corrected = alice.patch(f"/v1/memos/{memo_id}", json={"transcript": "add buy stems"}).json()
    again = finished(alice, corrected["turn_id"])
    assert again["input"]["memo_id"] == memo_id
    assert [todo["task"] for todo in alice.get("/v1/todos").json()["items"]] == ["buy stems"]


def test_a_deleted_memo_is_hidden_and_comes_back_unless_a_turn_waits_for_it(
    alice: httpx.Client, bob: httpx.Client, clips_folder: Path
) -> None:
    before = len(kept_clips(clips_folder))
    memo_id = keep(alice).json()["id"]
    problem(bob.delete(f"/v1/memos/{memo_id}"), 404)
    gone = alice.delete(f"/v1/memos/{memo_id}")
    assert gone.status_code == 204
    problem(alice.get(f"/v1/memos/{memo_id}"), 404)
    problem(alice.get(f"/v1/memos/{memo_id}/audio"), 404)
    assert memos(alice) == []
    assert alice.post(f"/v1/changes/{gone.headers['x-change-id']}/undo").json()["kind"] == "memo"
    assert alice.get(f"/v1/memos/{memo_id}/audio").content == JFK
    back = alice.get(f"/v1/memos/{memo_id}").json()
    assert (back["state"], back["retryable"]) == ("failed", True), "it has no words yet, and may be tried again"
    assert len(kept_clips(clips_folder)) == before + 1
    turn = post_clip(alice, JFK).json()
    problem(alice.delete(f"/v1/memos/{turn['input']['memo_id']}"), 409)
    alice.post(f"/v1/turns/{turn['id']}/cancel", headers=ASYNC)
    assert alice.delete(f"/v1/memos/{turn['input']['memo_id']}").status_code == 204
