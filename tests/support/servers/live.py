"""Clients of the live doors, as small as they can be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.support.waiting import HANG_SECONDS

Envelope = dict[str, Any]
WHEN = {"captured_at": "2026-11-18T09:30:00+00:00", "timezone": "Europe/Lisbon"}


def key_of(client: httpx.Client) -> str:
    return client.headers["authorization"].removeprefix("Bearer ")


def open_socket(base_url: str, key: str | None = None, query: str = "", **options: Any) -> ClientConnection:
    """Open a websocket to a server; raises what the handshake raises."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    url = f"ws{base_url.removeprefix('http')}/v1/ws{query}"
    defaults: dict[str, Any] = {
        "additional_headers": headers,
        "compression": None,
        "max_size": None,
        "max_queue": None,
        "proxy": None,
    }
    defaults |= {"open_timeout": HANG_SECONDS, "close_timeout": HANG_SECONDS, "ping_timeout": HANG_SECONDS}
    opened: ClientConnection = connect(url, **{**defaults, **options})
    return opened


def send(socket: ClientConnection, **frame: Any) -> None:
    socket.send(json.dumps(frame))


def receive(socket: ClientConnection, seconds: float = HANG_SECONDS) -> Envelope:
    found: Envelope = json.loads(socket.recv(timeout=seconds))
    assert set(found) == {"v", "seq", "turn_id", "type", "ts", "data"}
    return found


def receive_until(socket: ClientConnection, kind: str) -> list[Envelope]:
    """Envelopes up to the first of a type."""
    found = [receive(socket)]
    while found[-1]["type"] != kind:
        found.append(receive(socket))
    return found


def ask(socket: ClientConnection, **frame: Any) -> list[Envelope]:
    """What comes until the server has dealt with a frame and answered the ping after it."""
    send(socket, **frame)
    send(socket, type="ping")
    return receive_until(socket, "pong")[:-1]


def answers(socket: ClientConnection) -> bool:
    """Whether the connection is alive."""
    send(socket, type="ping")
    return bool(receive(socket)["type"] == "pong")


def close_code(socket: ClientConnection) -> int:
    """The code with which the server closes; what comes before is dropped."""
    try:
        while True:
            socket.recv(timeout=HANG_SECONDS)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006


def events_in(lines: Iterable[str]) -> Iterator[Envelope]:
    """The envelopes of a server-sent stream."""
    for line in lines:
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


@contextmanager
def whole_stream(client: httpx.Client, after: int | None = None, **headers: str) -> Iterator[Iterator[Envelope]]:
    """The user's stream as envelopes."""
    params = {} if after is None else {"after": after}
    with client.stream("GET", "/v1/stream", params=params, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        yield events_in(answer.iter_lines())


def until_done(events: Iterator[Envelope], turns: int = 1) -> list[Envelope]:
    """Events up to the end of as many turns."""
    found: list[Envelope] = []
    for event in events:
        found.append(event)
        turns -= event["type"] == "turn.done"
        if not turns:
            return found
    raise AssertionError("the stream ended")
