"""Clients that never finish asking: they are let go, and nobody else waits for them."""

from __future__ import annotations

import json
import math
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

import httpx
import pytest

from app.http.identity import CONFIRM_SECONDS
from tests.support.databases import temporary_database
from tests.support.servers.live_server import HEARTBEAT_SECONDS, live_server, settings_for
from tests.support.waiting import HANG_SECONDS, wait_until

ALIVE = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HEAD = b"POST /v1/todos HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SECONDS = 0.1


def serving(postgres_url: str, template: str, folder: Path, **limits: float) -> Iterator[str]:
    for database in temporary_database(postgres_url, template):
        with live_server(settings_for(database, folder, **limits)) as url:
            yield url


@pytest.fixture(scope="module")
def hurried(postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that waits for headers no longer than for a body."""
    folder = tmp_path_factory.mktemp("hurried")
    yield from serving(postgres_url, migrated_template, folder, header_seconds=SECONDS, body_seconds=SECONDS)


@pytest.fixture(scope="module")
def hungry(postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that hurries for bodies alone: a busy machine gets its headers there in time."""
    folder = tmp_path_factory.mktemp("hungry")
    yield from serving(postgres_url, migrated_template, folder, body_seconds=SECONDS)


def connect(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=HANG_SECONDS)


def rest_of(line: socket.socket) -> bytes:
    received = b""
    try:
        while part := line.recv(65536):
            received += part
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize("said", [b"", HEAD, b"POST /v1/to"])
def test_headers_that_do_not_come_close_the_connection(hurried: str, said: bytes) -> None:
    with connect(hurried) as line:
        line.sendall(said)
        assert rest_of(line) == b""


def drip(line: socket.socket, text: bytes) -> None:
    """Send it a byte at a time, and its last byte for ever, until the other side has hung up."""

    def is_refused() -> bool:
        try:
            line.sendall(next(left))
        except (BrokenPipeError, ConnectionResetError):
            return True
        return False

    left = chain((text[place : place + 1] for place in range(len(text))), repeat(text[-1:]))
    wait_until(is_refused)


def test_headers_that_come_a_byte_at_a_time_do_not_put_it_off(hurried: str) -> None:
    with connect(hurried) as line:
        drip(line, HEAD + b"X")


def test_the_second_request_of_a_connection_is_due_in_time_as_well(hurried: str) -> None:
    [line] = wait_until(lambda: asked_once(hurried))
    with line:
        time.sleep(2 * SECONDS)  # idle between requests is what keep-alive is for
        line.sendall(ALIVE)
        assert b" 200 " in answer_on(line)
        line.sendall(HEAD)
        assert rest_of(line) == b""


def answer_on(line: socket.socket) -> bytes:
    """Read one whole answer, or what comes of it; the next one stays."""
    said = b""
    while not is_whole(said) and (part := line.recv(65536)):
        said += part
    return said


def is_whole(answer: bytes) -> bool:
    head, gap, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    return bool(gap and length and len(body) >= int(length[1]))


def asked_once(url: str) -> list[socket.socket]:
    """The connection whose first request was answered, unless a busy machine was late with it."""
    line = connect(url)
    with suppress(OSError):
        line.sendall(ALIVE)
        if b" 200 " in answer_on(line):
            return [line]
    line.close()
    return []


def test_a_body_that_does_not_come_is_answered(hungry: str) -> None:
    with connect(hungry) as line:
        line.sendall(HEAD + b"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{")
        answer = rest_of(line)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"did not arrive in time" in answer


def test_a_body_that_comes_a_byte_at_a_time_does_not_put_it_off(hungry: str) -> None:
    with connect(hungry) as line:
        line.sendall(HEAD + b"Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n")
        drip(line, b" ")


def test_a_large_body_that_keeps_coming_gets_the_time_it_needs(database_url: str, tmp_path: Path) -> None:
    """20 kB take longer than any body may, and what has come of them buys three minutes."""
    settings = settings_for(database_url, tmp_path, body_seconds=SECONDS, body_bytes_per_second=100)
    body = json.dumps({"task": "buy milk", "notes": "x" * 20_000}).encode()
    with live_server(settings) as url, connect(url) as line:
        head = HEAD + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        line.sendall(head + body[:-3])
        for place in range(-3, 0):
            time.sleep(2 * SECONDS)
            line.sendall(body[place:][:1])
        assert line.recv(65536).startswith(b"HTTP/1.1 201 ")


def test_every_door_that_takes_a_body_lets_go_of_one_that_does_not_come(hungry: str) -> None:
    paths = httpx.get(f"{hungry}/openapi.json", timeout=HANG_SECONDS).json()["paths"]
    doors = [(method, path) for path, operations in paths.items() for method in operations if method != "get"]
    with ThreadPoolExecutor(len(doors)) as pool:
        answers = dict(zip(doors, pool.map(lambda door: half_asked(hungry, *door), doors), strict=True))
    early = {door: answer for door, answer in answers.items() if answer != 408}
    assert set(early.values()) <= {403, 404}, early  # answered before the body is read, and then like any idle client
    assert all(method in ("delete", "head") or path.startswith("/v1/users") for method, path in early), early


def half_asked(url: str, method: str, path: str) -> int:
    """The status that a request with half a body is answered with."""
    place = re.sub(r"{\w+}", "00000000-0000-4000-8000-000000000009", path)
    kind = "multipart/form-data; boundary=b" if path in ("/v1/calendars", "/v1/memos") else "application/json"
    head = f"{method.upper()} {place} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: 90\r\n"
    head += "Upload-Offset: 0\r\n"  # what a recording in pieces needs
    with connect(url) as line:
        line.sendall(head.encode() + (b"\r\n{" if kind == "application/json" else b"\r\n-"))
        return int(line.recv(65536).split()[1])


def test_a_clip_that_stops_coming_is_let_go(hungry: str) -> None:
    with connect(hungry) as line:
        line.sendall(HEAD.replace(b"/v1/todos", b"/v1/turns"))
        line.sendall(b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n--b\r\n")
        line.sendall(b'Content-Disposition: form-data; name="audio"; filename="a.wav"\r\n\r\nRIFF')
        assert rest_of(line).startswith(b"HTTP/1.1 408 ")


@dataclass
class Clock:
    """A clock that stands until a test moves it, and counts the looks at it."""

    now: float = 0.0
    looks: int = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.now


def test_a_key_that_is_revoked_while_the_body_comes_writes_nothing(
    alice: httpx.Client, doors_database: str, tmp_path: Path
) -> None:
    made = alice.post("/v1/keys", json={"name": "phone"}).json()
    body, proof = b'{"task": "buy milk"}', f"Authorization: Bearer {made['api_key']}\r\n".encode()
    clock = Clock()
    with live_server(settings_for(doors_database, tmp_path), clock=clock) as url, connect(url) as line:
        line.sendall(HEAD + proof + b"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n" + body[:5])
        wait_until(lambda: clock.looks)  # the key was good as the body began
        assert alice.delete(f"/v1/keys/{made['id']}").status_code == 204
        clock.now += CONFIRM_SECONDS
        line.sendall(body[5:])
        assert line.recv(65536).startswith(b"HTTP/1.1 401 ")
    assert alice.get("/v1/todos").json()["items"] == []


def test_a_stream_outlives_both_deadlines(hurried: str) -> None:
    wait_until(lambda: beats(hurried, 3 * SECONDS))  # on a busy machine its headers may be late, now and then


def beats(url: str, seconds: float) -> bool:
    """Whether a stream tells as many heartbeats as take longer than that."""
    with suppress(httpx.TransportError), httpx.stream("GET", f"{url}/v1/stream", timeout=HANG_SECONDS) as stream:
        lines = stream.iter_lines()
        wanted = math.ceil(seconds / HEARTBEAT_SECONDS) + 1
        return [next(lines) for _ in range(2 * wanted)] == [": heartbeat", ""] * wanted
    return False


def test_the_front_door_shows_the_page(hungry: str) -> None:
    front = httpx.get(hungry, timeout=HANG_SECONDS)
    assert front.status_code == 200
    assert front.headers["content-type"].startswith("text/html")
