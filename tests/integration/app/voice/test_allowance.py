"""What one user may have heard, at every door that takes a recording; what was accepted is told again as ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.support.servers.api import problem
from tests.support.servers.live import ask, key_of, open_socket
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.speech.sounds import JFK
from tests.support.waiting import HANG_SECONDS

SOUND = JFK.read_bytes()


def recorded(client: httpx.Client, path: str, name: str) -> httpx.Response:
    headers = {"Idempotency-Key": name, "Prefer": "respond-async"}
    return client.post(path, files={"audio": SOUND}, headers=headers)


DOORS: dict[str, Callable[[httpx.Client, str], httpx.Response]] = {
    "turn": lambda client, name: recorded(client, "/v1/turns", name),
    "memo": lambda client, name: recorded(client, "/v1/memos", name),
    "pieces": lambda client, name: client.post("/v1/memos/uploads", json={"client_id": name}),
}


@pytest.fixture
def url(database_url: str, tmp_path: Path) -> Iterator[str]:
    with live_server(settings_for(database_url, tmp_path, max_waiting_clips=3, max_audio_minutes_a_day=1.0)) as url:
        yield url


@pytest.fixture
def user(url: str, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    body, proof = {"name": request.node.name[:50]}, {"Authorization": f"Bearer {ADMIN_KEY}"}
    key = httpx.post(f"{url}/v1/users", json=body, headers=proof, timeout=HANG_SECONDS).json()["api_key"]
    with plain_client(url, {"Authorization": f"Bearer {key}"}) as client:
        yield client


def test_so_many_recordings_wait_at_once_and_no_more(user: httpx.Client) -> None:
    accepted = {name: post(user, name).status_code for name, post in DOORS.items()}
    assert accepted == {"turn": 202, "memo": 202, "pieces": 201}
    for post in DOORS.values():
        refused = problem(post(user, "one-more"), 429)
        assert "3 recordings wait" in refused["detail"]
        assert "GET /v1/memos" in refused["hint"]
    again = {name: post(user, name).status_code for name, post in DOORS.items()}
    assert again == accepted
    assert len(user.get("/v1/memos").json()["items"]) == len(DOORS)
    written = user.post("/v1/turns", json={"text": "buy milk"}, headers={"Prefer": "respond-async"})
    assert written.status_code == 202


def test_so_many_minutes_a_day_are_heard(user: httpx.Client, database_url: str) -> None:
    memo = DOORS["memo"](user, "long").json()["id"]
    with psycopg.connect(database_url, autocommit=True) as conn:
        heard = "update summit.memos set state = 'transcribed', duration_ms = 61000 where id = %s"
        assert conn.execute(heard, (memo,)).rowcount == 1
    assert user.delete(f"/v1/memos/{memo}").status_code == 204
    for post in DOORS.values():
        assert "1 minutes of recordings were heard" in problem(post(user, "another"), 429)["detail"]
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("update summit.memos set created_at = now() - interval '25 hours' where id = %s", (memo,))
    assert DOORS["memo"](user, "the-day-after").status_code == 202


def transcribed(client: httpx.Client) -> httpx.Response:
    return client.post("/v1/audio/transcriptions", files={"file": ("a.flac", SOUND)}, data={"model": "whisper-1"})


def test_openais_door_refuses_as_well(user: httpx.Client) -> None:
    for name in ("one", "two", "three"):
        DOORS["pieces"](user, name)
    assert transcribed(user).status_code == 429


def test_what_openais_door_heard_counts_at_every_door(user: httpx.Client, database_url: str) -> None:
    clips = 6  # of eleven seconds each, which no engine of this server turns into words
    for _ in range(clips):
        assert transcribed(user).status_code != 429
    assert transcribed(user).status_code == 429
    for post in DOORS.values():
        assert "1 minutes of recordings were heard" in problem(post(user, "another"), 429)["detail"]
    assert user.get("/v1/memos").json()["items"] == []
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("update summit.heard_clips set heard_at = now() - interval '25 hours'")
    assert transcribed(user).status_code != 429


def test_the_websocket_refuses_as_well(user: httpx.Client) -> None:
    for name in ("one", "two", "three"):
        DOORS["pieces"](user, name)
    with open_socket(str(user.base_url), key_of(user)) as socket:
        told = ask(socket, type="audio.start", client_id="four", form="pcm16")
        assert [one["data"]["status"] for one in told if one["type"] == "error"] == [429]
        assert [one["type"] for one in ask(socket, type="audio.start", client_id="two", form="pcm16")] == [
            "audio.ready"
        ]
