"""Heads of requests are bounded: one connection that sends headers for ever holds up nobody."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.waiting import HANG_SECONDS

MOST_BYTES = 20_000_000
"""What the buffers of both sides hold is sent before the answer is seen."""
BEGIN = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@contextmanager
def connected(base_url: str) -> Iterator[socket.socket]:
    place = urlsplit(base_url)
    with socket.create_connection((place.hostname, place.port), HANG_SECONDS) as opened:
        yield opened


def answered_already(opened: socket.socket) -> bool:
    return bool(select.select([opened], [], [], 0)[0])


def answered(opened: socket.socket) -> bytes:
    """Return all that comes until the server closes; a reset after it counts as its end."""
    told = b""
    try:
        while more := opened.recv(65536):
            told += more
    except ConnectionResetError:
        pass
    return told


@pytest.mark.parametrize(
    "head",
    [
        b"X-Long: " + b"a" * 200_000,
        b"".join(b"X-%d: a\r\n" % number for number in range(200)) + b"\r\n",
        b"".join(b"X-%d: %s\r\n" % (number, b"a" * 2000) for number in range(100)),
    ],
    ids=["one long header", "many headers", "many long headers"],
)
def test_a_head_that_is_too_large_is_refused_with_431(base_url: str, head: bytes) -> None:
    with connected(base_url) as opened:
        with suppress(BrokenPipeError, ConnectionResetError):
            opened.sendall(BEGIN + head)
        told = answered(opened)
    assert told.startswith(b"HTTP/1.1 431 ")
    assert b"application/problem+json" in told
    assert b"headers-too-large" in told


def test_a_header_that_never_ends_is_cut_after_few_bytes(base_url: str) -> None:
    sent = 0
    with connected(base_url) as opened:
        opened.sendall(BEGIN + b"X-Long: ")
        with suppress(BrokenPipeError, ConnectionResetError):
            while not answered_already(opened):
                sent += opened.send(b"a" * 1000)
    assert sent < MOST_BYTES
    assert httpx.get(f"{base_url}/livez", timeout=HANG_SECONDS).status_code == 200


def test_many_requests_on_one_connection_are_counted_one_by_one(base_url: str) -> None:
    with httpx.Client(base_url=base_url, timeout=HANG_SECONDS) as client:
        for number in range(20):
            headers = {f"X-{name}": "a" * 500 for name in range(100)}
            assert client.get("/livez", headers={**headers, "X-Number": str(number)}).status_code == 200


def test_a_large_body_is_no_head(alice: httpx.Client) -> None:
    answer = alice.post("/v1/notes", json={"category": "note", "content": "a" * 9_000}, headers={"X-A": "a" * 30_000})
    assert answer.status_code in (201, 422), answer.text
