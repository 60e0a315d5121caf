"""What people say, from the sound of a voice to the rows it leaves, on a server as it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.servers.running import RunningServer, running
from tests.support.speech.sounds import encode, needs_model
from tests.support.speech.voices import spoken

pytestmark = needs_model
AT = {"captured_at": "2026-11-18T10:30:00+00:00", "timezone": "Europe/London"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("spoken") / "data", SUMMIT_TURN_WAIT_SECONDS="600") as server:
        yield server


def say(client: httpx.Client, words: str) -> dict[str, Any]:
    clip = encode(spoken(words), "webm")
    answer = client.post("/v1/turns", files={"audio": ("clip.webm", clip, "audio/webm")}, data=AT)
    assert answer.status_code == 200, answer.text
    turn: dict[str, Any] = answer.json()
    return turn


def todos(client: httpx.Client) -> list[tuple[str, str]]:
    return sorted(
        (item["task"], item["remind_at"] or item["deadline"] or "") for item in client.get("/v1/todos").json()["items"]
    )


def test_a_dialogue_by_voice_ends_right(server: RunningServer) -> None:
    with server.client() as client:
        first = say(client, "Remind me to call the plumber tomorrow at nine")
        assert (first["status"], first["reply"][:42]) == ("done", "Set a reminder: “call the plumber”, tomorr")
        assert todos(client) == [("call the plumber", "2026-11-19T09:00:00Z")]
        say(client, "No, at ten")
        assert todos(client) == [("call the plumber", "2026-11-19T10:00:00Z")]
        say(client, "Book the dentist on Friday at 3 p.m.")
        assert len(todos(client)) + len(client.get("/v1/events").json()["items"]) == 2
        asked = say(client, "Delete all my tasks")
        assert (asked["status"], len(todos(client)) > 0) == ("waiting", True)
        assert say(client, "Yes")["status"] == "done"
        assert todos(client) == []
        say(client, "Undo that")
        assert ("call the plumber", "2026-11-19T10:00:00Z") in todos(client)
        memo = client.get(f"/v1/memos/{first['input']['memo_id']}").json()
        assert (memo["engine"], memo["state"]) == ("faster-whisper", "acted")
        [heard] = client.get(f"/v1/memos/{memo['id']}/transcripts").json()["items"]
        assert (heard["id"], heard["transcript"], heard["current"]) == (None, memo["transcript"], True)
        assert heard["segments"] == memo["segments"]
