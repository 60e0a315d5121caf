"""Recordings over connections that break: what was acknowledged is there, what was not is sent again."""

from __future__ import annotations

import base64
import hashlib
import socket as sockets
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from app.http.limits import larger_bodies
from app.routes import ROUTERS
from app.turns.routes.uploads import PIECE
from tests.support.servers.api import problem
from tests.support.servers.live import key_of
from tests.support.speech.sounds import JFK
from tests.support.waiting import wait_until

URL = "/v1/memos/uploads"
SOUND = JFK.read_bytes()
HALF = len(SOUND) // 2


T = TypeVar("T")


def until(read: Callable[[], T], enough: Callable[[T], object]) -> T:
    """What is read once it is enough."""
    [found] = wait_until(lambda: [found] if enough(found := read()) else [])
    return found


def begin(client: httpx.Client, **more: Any) -> str:
    made = client.post(URL, json={"client_id": str(uuid4()), **more})
    assert made.status_code == 201, made.text
    assert made.headers["Location"] == f"{URL}/{made.json()['id']}"
    address: str = made.headers["Location"]
    return address


def send(client: httpx.Client, address: str, offset: int, sound: bytes, **headers: str) -> httpx.Response:
    return client.patch(address, content=sound, headers={"Upload-Offset": str(offset), **headers})


def far(client: httpx.Client, address: str) -> tuple[str, str]:
    told = client.head(address)
    assert told.status_code == 204
    return told.headers["Upload-Offset"], told.headers["Upload-Complete"]


def digest(sound: bytes) -> dict[str, str]:
    return {"Content-Digest": f"sha-256=:{base64.b64encode(hashlib.sha256(sound).digest()).decode()}:"}


def test_a_recording_in_pieces_is_acted_upon_as_a_whole_one(alice: httpx.Client) -> None:
    address = begin(alice, act=True, speak=True)
    memo = f"/v1/memos/{address.rsplit('/')[-1]}"
    assert alice.get(memo).json()["state"] == "receiving"
    assert send(alice, address, 0, SOUND[:HALF], **digest(SOUND[:HALF])).headers["Upload-Offset"] == str(HALF)
    assert far(alice, address) == (str(HALF), "?0")
    assert send(alice, address, HALF, SOUND[HALF:]).status_code == 204
    finished = alice.post(f"{address}/finish")
    assert (finished.status_code, finished.headers["Location"]) == (202, memo)
    turn = alice.get(f"/v1/turns/{finished.json()['turn_id']}").json()
    assert (turn["status"], turn["input"]) == ("queued", {"text": None, "memo_id": memo.removeprefix("/v1/memos/")})
    assert (finished.json()["state"], finished.json()["container"]) == ("received", "flac")
    assert far(alice, address) == (str(len(SOUND)), "?1")
    assert alice.get(f"{memo}/audio").content == SOUND
    assert alice.post(f"{address}/finish").json()["turn_id"] == finished.json()["turn_id"]


def test_a_connection_that_breaks_off_keeps_what_came(alice: httpx.Client, base_url: str) -> None:
    address, sound = begin(alice), bytes(700_000)
    place = urlsplit(base_url)
    with sockets.create_connection((place.hostname, place.port)) as raw:
        head = f"PATCH {address} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {key_of(alice)}\r\n"
        head += f"Upload-Offset: 0\r\nContent-Length: {len(sound)}\r\n\r\n"
        raw.sendall(head.encode() + sound[:600_000])
        came = until(lambda: int(far(alice, address)[0]), lambda offset: offset >= 600_000 - PIECE)
    came = int(far(alice, address)[0])
    assert came <= 600_000
    assert send(alice, address, came, sound[came:]).headers["Upload-Offset"] == str(len(sound))


def test_begun_again_it_says_how_far_it_came(alice: httpx.Client) -> None:
    name = str(uuid4())
    first = alice.post(URL, json={"client_id": name}).json()
    send(alice, f"{URL}/{first['id']}", 0, SOUND[:100])
    again = alice.post(URL, json={"client_id": name})
    assert (again.json()["id"], again.headers["Upload-Offset"]) == (first["id"], "100")


def test_what_does_not_fit_is_refused_and_keeps_nothing(alice: httpx.Client) -> None:
    address = begin(alice)
    send(alice, address, 0, SOUND[:100])
    assert problem(send(alice, address, 50, b"x"), 409)["upload_offset"] == 100
    problem(send(alice, address, 100, b"other", **digest(b"bytes")), 422)
    problem(send(alice, address, 100, b"other", **{"Content-Digest": "md5=:x:"}), 422)
    problem(send(alice, address, -1, b"x"), 422)
    problem(alice.patch(address, content=b"x"), 422)
    problem(send(alice, address, 100, bytes(2_000_001)), 413)
    assert far(alice, address) == ("100", "?0")


def test_nobody_else_sees_or_touches_it(alice: httpx.Client, bob: httpx.Client) -> None:
    address = begin(alice)
    for answer in (
        bob.get(address),
        send(bob, address, 0, b"x"),
        bob.post(f"{address}/finish"),
        bob.delete(address),
    ):
        problem(answer, 404)
    assert bob.head(address).status_code == 404
    assert far(alice, address) == ("0", "?0")


def test_cancelled_nothing_is_left(alice: httpx.Client, clips_folder: Path) -> None:
    address = begin(alice)
    send(alice, address, 0, SOUND)
    memo = address.removeprefix(f"{URL}/")
    assert list(clips_folder.rglob(f"*{memo}*"))
    assert alice.delete(address).status_code == 204
    assert list(clips_folder.rglob(f"*{memo}*")) == []
    problem(alice.get(address), 404)
    problem(alice.get(f"/v1/memos/{memo}"), 404)


@pytest.mark.parametrize(
    "body", [{}, {"client_id": ""}, {"client_id": "a b"}, {"client_id": "a", "form": "mp4"}, {"client_id": "a", "x": 1}]
)
def test_what_cannot_be_begun_is_refused(alice: httpx.Client, body: dict[str, Any]) -> None:
    problem(alice.post(URL, json=body), 422)


def test_every_form_with_a_recording_may_be_as_large_as_a_recording(alice: httpx.Client) -> None:
    paths = alice.get("/openapi.json").json()["paths"]
    forms = {
        path
        for path, methods in paths.items()
        if "audio" in str(methods.get("post", {}).get("requestBody", {}).get("content", {}).get("multipart/form-data"))
    }
    assert forms
    assert all(any(pattern.match(path) and larger.form for pattern, larger in larger_bodies(ROUTERS)) for path in forms)
