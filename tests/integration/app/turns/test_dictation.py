"""Speaking over the websocket, without any engine: what is acknowledged, refused and gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from websockets.sync.client import ClientConnection

from tests.support.servers.api import problem
from tests.support.servers.live import Envelope, answers, key_of, open_socket, receive, receive_until, send

SECOND = bytes(32_000)


@pytest.fixture
def socket(alice: httpx.Client, base_url: str) -> Iterator[ClientConnection]:
    with open_socket(base_url, key_of(alice)) as opened:
        yield opened


def start(socket: ClientConnection, **more: Any) -> Envelope:
    send(socket, type="audio.start", **{"client_id": str(uuid4()), "end_pointing": False, **more})
    return receive(socket)


def speak(socket: ClientConnection, sound: bytes) -> list[Envelope]:
    """Send a second and more in tenths, and what came back so far."""
    for at in range(0, len(sound), 3200):
        socket.send(sound[at : at + 3200])
    return receive_until(socket, "audio.received")


def test_what_is_acknowledged_is_on_the_disk(socket: ClientConnection, alice: httpx.Client) -> None:
    ready = start(socket)
    assert (ready["type"], ready["data"]["upload_offset"]) == ("audio.ready", 0)
    got = speak(socket, SECOND)[-1]["data"]
    told = alice.get(f"/v1/memos/uploads/{got['memo_id']}").json()
    assert told["upload_offset"] >= got["upload_offset"] > 0
    assert alice.get(f"/v1/memos/{got['memo_id']}").json()["state"] == "receiving"


def test_its_end_is_one_turn_also_when_it_is_sent_again(socket: ClientConnection, alice: httpx.Client) -> None:
    name = str(uuid4())
    start(socket, client_id=name, speak=True)
    speak(socket, SECOND)
    send(socket, type="audio.end")
    done = receive_until(socket, "audio.done")[-1]["data"]
    assert (done["client_id"], done["upload_offset"]) == (name, len(SECOND))
    turn = alice.get(f"/v1/turns/{done['turn_id']}").json()
    assert (turn["status"], turn["input"]["memo_id"]) == ("queued", done["memo_id"])
    send(socket, type="audio.end")  # it has ended: nothing to say
    send(socket, type="audio.start", client_id=name)
    again = receive_until(socket, "audio.done")[-1]["data"]
    assert again["turn_id"] == done["turn_id"]
    assert len(alice.get("/v1/memos").json()["items"]) == 1


def test_the_rest_of_a_cut_line_may_still_come_while_it_is_gone_on_with(
    socket: ClientConnection, alice: httpx.Client, base_url: str
) -> None:
    """Both lines carry the same recording: what is there is passed over, whichever brought it."""
    name, sound = str(uuid4()), bytes(range(1, 251)) * 640
    start(socket, client_id=name)
    speak(socket, sound[:16_000])
    with open_socket(base_url, key_of(alice)) as second:
        at = start(second, client_id=name)["data"]["upload_offset"]
        assert at < 24_000
        socket.send(sound[16_000:33_600])
        receive_until(socket, "audio.received")
        for begin in range(at, len(sound), 3200):
            second.send(sound[begin : begin + 3200])
        send(second, type="audio.end")
        memo = receive_until(second, "audio.done")[-1]["data"]["memo_id"]
    assert alice.get(f"/v1/memos/{memo}/audio").content[44:] == sound


@pytest.mark.parametrize(
    ("frame", "status"),
    [
        ({"type": "audio.end"}, 409),
        ({"type": "audio.cancel"}, 409),
        ({"type": "audio.start"}, 422),
        ({"type": "audio.start", "client_id": "one", "silence_ms": 5}, 422),
        ({"type": "audio.start", "client_id": "one", "form": "mp3"}, 422),
        ({"type": "audio.start", "client_id": "one", "colour": "red"}, 422),
    ],
)
def test_what_cannot_be_is_refused_and_the_connection_stays(
    socket: ClientConnection, frame: dict[str, Any], status: int
) -> None:
    send(socket, **frame)
    error = receive(socket)
    assert (error["type"], error["data"]["status"]) == ("error", status)
    assert answers(socket)


def test_one_recording_at_a_time(socket: ClientConnection) -> None:
    first = start(socket)["data"]
    refused = start(socket)
    assert refused["data"]["status"] == 409
    assert speak(socket, SECOND)[-1]["data"]["memo_id"] == first["memo_id"]


def test_without_sound_there_is_nothing_to_end(socket: ClientConnection) -> None:
    start(socket)
    send(socket, type="audio.end")
    assert receive(socket)["data"]["status"] == 409
    assert start(socket)["type"] == "audio.ready"


def test_a_thread_that_is_not_there_is_told_at_the_end_and_the_sound_is_kept(
    socket: ClientConnection, alice: httpx.Client
) -> None:
    memo = start(socket, thread_id=str(uuid4()))["data"]["memo_id"]
    speak(socket, SECOND)
    send(socket, type="audio.end")
    assert receive_until(socket, "error")[-1]["data"]["status"] == 404
    assert alice.get(f"/v1/memos/uploads/{memo}").json()["upload_offset"] == len(SECOND)


def test_too_much_is_refused_and_what_came_stays(socket: ClientConnection, alice: httpx.Client) -> None:
    memo = start(socket)["data"]["memo_id"]
    for _ in range(65):
        socket.send(SECOND)
    assert receive_until(socket, "error")[-1]["data"]["status"] == 413
    assert 0 < alice.get(f"/v1/memos/uploads/{memo}").json()["upload_offset"] <= 2_000_000


def test_nobody_goes_on_with_the_recording_of_another(
    socket: ClientConnection, bob: httpx.Client, base_url: str
) -> None:
    name = str(uuid4())
    memo = start(socket, client_id=name)["data"]["memo_id"]
    speak(socket, SECOND)
    with open_socket(base_url, key_of(bob)) as other:
        ready = start(other, client_id=name)["data"]
    assert (ready["upload_offset"], ready["memo_id"] == memo) == (0, False)
    problem(bob.get(f"/v1/memos/uploads/{memo}"), 404)
