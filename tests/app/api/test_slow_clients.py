"""Clients that never finish asking: they are let go, and nobody else waits for them."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.api.server import live_server, settings_for

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


def test_a_stream_outlives_both_deadlines(hurried: str) -> None:
    with httpx.stream("GET", f"{hurried}/v1/stream", timeout=10) as stream:
        began = time.monotonic()
        next(stream.iter_lines())
        assert time.monotonic() - began > SECONDS


def test_the_front_door_leads_to_the_description(hurried: str) -> None:
    front = httpx.get(hurried, follow_redirects=True)
    assert (front.status_code, front.url.path) == (200, "/docs")
