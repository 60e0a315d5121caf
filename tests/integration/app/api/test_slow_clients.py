"""Clients that never finish asking: they are let go, and nobody else waits for them."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.support.servers.live_server import live_server, settings_for

HEAD = b"POST /v1/todos HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SECONDS = 0.5


@pytest.fixture
def hurried(database_url: str, tmp_path: Path) -> Iterator[str]:
    with live_server(settings_for(database_url, tmp_path, header_seconds=SECONDS, body_seconds=SECONDS)) as url:
        yield url


def connect(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


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
    for number in range(100):
        line.sendall(text[number % len(text) :][:1])
        time.sleep(0.05)


def test_headers_that_come_a_byte_at_a_time_do_not_put_it_off(hurried: str) -> None:
    with connect(hurried) as line:
        began = time.monotonic()
        with pytest.raises(OSError, match=r"reset|pipe"):
            drip(line, HEAD)
        assert time.monotonic() - began < 4 * SECONDS


def test_the_second_request_of_a_connection_is_due_in_time_as_well(hurried: str) -> None:
    with connect(hurried) as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b" 200 " in line.recv(65536)
        time.sleep(2 * SECONDS)  # idle between requests is what keep-alive is for
        line.sendall(HEAD)
        assert rest_of(line) == b""


def test_a_body_that_does_not_come_is_answered(hurried: str) -> None:
    with connect(hurried) as line:
        line.sendall(HEAD + b"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{")
        answer = rest_of(line)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"did not arrive in time" in answer


def test_a_body_that_comes_a_byte_at_a_time_does_not_put_it_off(hurried: str) -> None:
    with connect(hurried) as line:
        line.sendall(HEAD + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n")
        began = time.monotonic()
        with pytest.raises(OSError, match=r"reset|pipe"):
            drip(line, b" ")
        assert time.monotonic() - began < 4 * SECONDS


def test_a_large_body_that_keeps_coming_gets_the_time_it_needs(database_url: str, tmp_path: Path) -> None:
    """20 kB in more than three times the allowance for any body, at twice the slowest rate."""
    settings = settings_for(database_url, tmp_path, body_seconds=SECONDS, body_bytes_per_second=5_000)
    body = json.dumps({"task": "buy milk", "notes": "x" * 20_000}).encode()
    with live_server(settings) as url, connect(url) as line:
        line.sendall(HEAD + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
        for start in range(0, len(body), 1_000):
            line.sendall(body[start:][:1_000])
            time.sleep(0.08)
        assert line.recv(65536).startswith(b"HTTP/1.1 201 ")


def test_every_door_that_takes_a_body_lets_go_of_one_that_does_not_come(hurried: str) -> None:
    paths = httpx.get(f"{hurried}/openapi.json").json()["paths"]
    doors = [(method, path) for path, operations in paths.items() for method in operations if method != "get"]
    with ThreadPoolExecutor(len(doors)) as pool:
        answers = dict(zip(doors, pool.map(lambda door: half_asked(hurried, *door), doors), strict=True))
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


def test_a_clip_that_stops_coming_is_let_go(hurried: str) -> None:
    with connect(hurried) as line:
        line.sendall(HEAD.replace(b"/v1/todos", b"/v1/turns"))
        line.sendall(b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n--b\r\n")
        line.sendall(b'Content-Disposition: form-data; name="audio"; filename="a.wav"\r\n\r\nRIFF')
        assert rest_of(line).startswith(b"HTTP/1.1 408 ")


def test_a_key_that_is_revoked_while_the_body_comes_writes_nothing(alice: httpx.Client, base_url: str) -> None:
    made = alice.post("/v1/keys", json={"name": "phone"}).json()
    body, proof = b'{"task": "buy milk"}', f"Authorization: Bearer {made['api_key']}\r\n".encode()
    with connect(base_url) as line:
        line.sendall(HEAD + proof + b"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n" + body[:5])
        time.sleep(0.2)
        assert alice.delete(f"/v1/keys/{made['id']}").status_code == 204
        time.sleep(1)
        line.sendall(body[5:])
        assert line.recv(65536).startswith(b"HTTP/1.1 401 ")
    assert alice.get("/v1/todos").json()["items"] == []


def test_a_stream_outlives_both_deadlines(hurried: str) -> None:
    with httpx.stream("GET", f"{hurried}/v1/stream", timeout=10) as stream:
        began = time.monotonic()
        next(stream.iter_lines())
        assert time.monotonic() - began > SECONDS


def test_the_front_door_shows_the_page(hurried: str) -> None:
    front = httpx.get(hurried)
    assert front.status_code == 200
    assert front.headers["content-type"].startswith("text/html")
