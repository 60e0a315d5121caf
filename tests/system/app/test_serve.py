"""What a newcomer does in the first five minutes, against the real server with its embedded database."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.support.errands import ERRANDS
from tests.support.servers.running import RunningServer, running, running_fresh
from tests.support.waiting import HANG_SECONDS, wait_until

SAID_AT = "2026-11-18T10:30:00+00:00"
ANSWERED = ("done", "waiting")
CLIP = Path(__file__).parents[2] / "data" / "jfk.flac"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home") / "data"


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[RunningServer]:
    with running_fresh(data_dir, SUMMIT_TURN_WAIT_SECONDS="600") as server:
        yield server


@pytest.fixture
def client(server: RunningServer) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def say(client: httpx.Client, text: str) -> dict[str, Any]:
    answer = client.post("/v1/turns", json={"text": text, "captured_at": SAID_AT, "timezone": "Europe/London"})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_two_requests_in_one_message_are_two_changes_with_the_right_instants(client: httpx.Client) -> None:
    turn = say(client, "call mom tomorrow at 5 and book the dentist for Friday 3pm")
    mom, dentist = sorted(turn["changes"], key=lambda change: change["kind"], reverse=True)
    assert (turn["status"], turn["disposition"]) == ("done", "dispatch")
    assert (mom["kind"], mom["status"], mom["after"]["deadline"]) == ("todo", "applied", "2026-11-19T17:00:00Z")
    assert (dentist["kind"], dentist["status"], dentist["after"]["start"]) == (
        "event",
        "applied",
        "2026-11-20T15:00:00Z",
    )
    assert "mom" in turn["reply"]
    assert "dentist" in turn["reply"]


def test_undoing_the_first_change_leaves_the_second_and_twice_says_why_not(client: httpx.Client) -> None:
    first, second = say(client, "buy oat milk and then water the plants on saturday")["changes"]
    undone = client.post(first["undo"])
    assert undone.status_code == 200
    assert client.get(f"/v1/todos/{first['record_id']}").status_code == 404
    assert client.get(f"/v1/todos/{second['record_id']}").status_code == 200
    again = client.post(first["undo"])
    assert again.status_code == 409
    assert "undone already" in again.json()["detail"]


def test_the_second_one_is_the_second_that_was_said(client: httpx.Client) -> None:
    said = say(client, "book the barber for monday at 10am and call grandma on sunday at 4")
    assert [change["kind"] for change in said["changes"]] == ["event", "todo"]
    assert said["reply"].index("barber") < said["reply"].index("grandma")
    undone = say(client, "undo just the second one")["changes"]
    assert [change["undo_of"] for change in undone] == [said["changes"][1]["id"]]


def test_a_record_edited_in_between_is_not_overwritten(client: httpx.Client) -> None:
    change = say(client, "add task paint the fence")["changes"][0]
    client.patch(f"/v1/todos/{change['record_id']}", json={"priority": "high"})
    assert client.post(change["undo"]).status_code == 409
    assert client.get(f"/v1/todos/{change['record_id']}").json()["priority"] == "high"


def test_a_clip_becomes_a_memo_with_its_transcript(client: httpx.Client) -> None:
    turn = client.post("/v1/turns", files={"audio": ("jfk.flac", CLIP.read_bytes(), "audio/flac")}).json()
    memo = client.get(f"/v1/memos/{turn['input']['memo_id']}").json()
    assert "country" in memo["transcript"]
    assert all(0 <= part["start_ms"] < part["end_ms"] <= 11_100 for part in memo["segments"])
    assert turn["status"] in ANSWERED
    assert turn["reply"]


def test_memory_loads_its_model_outside_the_server(client: httpx.Client, server: RunningServer) -> None:
    asked = client.post("/v1/memory/ask", json={"question": "what did I say about the lighthouse?"})
    assert asked.json()["found"] is False
    assert psutil.Process(server.process.pid).memory_info().rss < 320e6


def test_the_same_key_gives_the_same_turn_and_another_body_is_refused(client: httpx.Client) -> None:
    first, again = (
        client.post("/v1/turns", json={"text": "buy stamps"}, headers={"Idempotency-Key": "stamps"}) for _ in range(2)
    )
    other = client.post("/v1/turns", json={"text": "buy pens"}, headers={"Idempotency-Key": "stamps"})
    assert first.json()["id"] == again.json()["id"]
    assert other.status_code == 422
    assert sum(todo["task"] == "buy stamps" for todo in client.get("/v1/todos").json()["items"]) == 1


def test_killing_the_server_loses_nothing(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with running(data_dir, SUMMIT_TURN_LEASE_SECONDS="1") as first, first.client() as client:
        accepted = [
            client.post("/v1/turns", json={"text": f"add a task: {errand}"}, headers={"Prefer": "respond-async"})
            for errand in ERRANDS[:5]
        ]
        first.kill()
    with running(data_dir) as second, second.client() as client:
        turns = [finished(client, answer.headers["Location"]) for answer in accepted]
        assert [turn["status"] for turn in turns] == ["done"] * 5
        tasks = [todo["task"] for todo in client.get("/v1/todos").json()["items"]]
    assert sorted(tasks) == sorted(ERRANDS[:5])


def test_a_clip_is_transcribed_after_the_database_was_killed(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with running(data_dir) as server, server.client() as client:
        say(client, "hello")
        pid_file = data_dir / "postgres" / "cluster" / "postmaster.pid"
        psutil.Process(int(pid_file.read_text().split()[0])).kill()
        turn = _posted_until_accepted(client)
        assert finished(client, f"/v1/turns/{turn['id']}")["status"] in ANSWERED


def _posted_until_accepted(client: httpx.Client) -> dict[str, Any]:
    def posted() -> dict[str, Any]:
        answer = client.post(
            "/v1/turns",
            files={"audio": ("jfk.flac", CLIP.read_bytes(), "audio/flac")},
            headers={"Idempotency-Key": "clip", "Prefer": "respond-async"},
        )
        return dict(answer.json()) if answer.is_success else {}

    return wait_until(posted)


def test_a_worker_apart_transcribes_for_the_server(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with (
        running(data_dir, SUMMIT_WORKERS_IN_PROCESS="false", SUMMIT_TURN_WAIT_SECONDS="600") as server,
        running(data_dir, "worker"),
        server.client() as client,
    ):
        turn = client.post("/v1/turns", files={"audio": ("jfk.flac", CLIP.read_bytes(), "audio/flac")}).json()
        memo = client.get(f"/v1/memos/{turn['input']['memo_id']}").json()
    assert turn["status"] in ANSWERED
    assert "country" in memo["transcript"]


def test_sigterm_with_an_open_stream_stops_and_leaves_no_process(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server, server.client() as client:
        client.post("/v1/turns", json={"text": "hello"}).raise_for_status()
        following = threading.Event()
        reader = threading.Thread(target=_follow, args=(f"{server.url}/v1/stream", following))
        reader.start()
        assert following.wait(HANG_SECONDS)
        children = psutil.Process(server.process.pid).children(recursive=True)
        server.stop()  # the reader stays until its stream ends
        reader.join(HANG_SECONDS)
        assert not reader.is_alive()
    gone, alive = psutil.wait_procs(children, timeout=HANG_SECONDS)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
    assert not list(_postgres_in(tmp_path))
    assert gone is not None


def finished(client: httpx.Client, location: str) -> dict[str, Any]:
    def ended() -> dict[str, Any]:
        turn = dict(client.get(location).json())
        return turn if turn["status"] not in ("queued", "running") else {}

    return wait_until(ended, location)


def _follow(url: str, following: threading.Event) -> None:
    try:
        with httpx.stream("GET", url, timeout=None) as answer:  # noqa: S113 - it does not leave
            following.set()
            for _ in answer.iter_lines():
                pass
    except httpx.HTTPError:
        pass  # the server went away, as it should


def _postgres_in(folder: Path) -> Iterator[psutil.Process]:
    for process in psutil.process_iter(["name", "cmdline"]):
        if "postgres" in (process.info["name"] or "") and str(folder) in " ".join(process.info["cmdline"] or []):
            yield process
