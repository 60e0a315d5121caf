"""Frames that no client should send over the websocket: each is answered or closes the connection with a reason.

    python -m tests.fuzz.frames [--frames 5000] [--seed N]

A frame is one that the server knows with parts changed, taken out or put in; text that is no such object; or bytes.
Broken is a connection that fails (1011), is silent, or ends without a code, and a server that then does no turn.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from app.database.embedded import EmbeddedServer
from tests.support.servers.live import open_socket, receive, send
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for

BROKEN = ("silent", "closed 1011", "closed 1006")
NOBODY = str(UUID(int=0))
KNOWN: tuple[dict[str, Any], ...] = (
    {"type": "turn", "text": "hello", "idempotency_key": "k", "captured_at": "2026-11-18T09:30:00Z", "timezone": "UTC"},
    {"type": "cancel", "turn_id": NOBODY},
    {"type": "resume", "last_seq": 0},
    {"type": "ack", "notification_id": NOBODY},
    {"type": "ping"},
    {"type": "audio.start", "form": "pcm16", "act": False, "end_pointing": True, "silence_ms": 800},
    {"type": "audio.end"},
    {"type": "audio.cancel"},
)
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 2**63, 1e308, "", " ", "\x00", "\ud800", "x" * 70_000, "../..", "' or 1=1 --", [], [[]] * 50, {},
    {"a": {}}, "2026-13-45T99:99:99Z", "9999-12-31T23:59:59Z", "Mars/Olympus", NOBODY[:-1], "\u202eturn", "𝔱𝔲𝔯𝔫",
)  # fmt: skip
Frame = str | bytes


def frame(chance: random.Random) -> Frame:
    """One frame at random."""
    makers: tuple[Callable[[random.Random], Frame], ...] = (changed, changed, changed, torn, noise, sound)
    return chance.choice(makers)(chance)


def changed(chance: random.Random) -> str:
    """A known frame with up to three of its parts changed, taken out or put in."""
    made = dict(chance.choice(KNOWN))
    for _ in range(chance.randint(0, 3)):
        name = chance.choice([*made, "type", "extra", "v", "seq", "transcript", "client_id"])
        if chance.random() < 0.2:
            made.pop(name, None)
        else:
            made[name] = chance.choice(ODD)
    return json.dumps(made)


def torn(chance: random.Random) -> str:
    """A known frame that is cut, doubled, or deeper than anybody needs."""
    whole = json.dumps(chance.choice(KNOWN))
    cut = chance.randrange(len(whole))
    return chance.choice((whole[:cut], whole + whole, "[" * 5000, '{"type":' * 900, f"{whole[:cut]}\x00{whole[cut:]}"))


def noise(chance: random.Random) -> str:
    """Characters of any script."""
    return "".join(chr(chance.choice((chance.randrange(32, 127), chance.randrange(0xA0, 0xD7FF)))) for _ in range(99))


def sound(chance: random.Random) -> bytes:
    """Bytes, where no sound was announced or in the middle of it."""
    return chance.randbytes(chance.choice((0, 1, 2, 3, 320, 4097, 100_000)))


def campaign(url: str, frames: int, number: int) -> tuple[Counter[str], list[str]]:
    """What the frames came to, and what is broken."""
    admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    key = httpx.post(f"{url}/v1/users", json={"name": "x"}, headers=admin, timeout=60).json()["api_key"]
    chance, told, broken = random.Random(number), Counter[str](), list[str]()
    while told.total() < frames:
        with open_socket(url, key) as socket:
            for _ in range(frames - told.total()):
                said = frame(chance)
                outcome = answered(socket, said)
                told[outcome] += 1
                if outcome in BROKEN:
                    broken.append(f"{outcome}: {said[:200]!r}")
                if outcome != "answered":
                    break
    after = httpx.post(
        f"{url}/v1/turns", json={"text": "buy milk"}, headers={"Authorization": f"Bearer {key}"}, timeout=60
    )
    if after.json().get("status") != "done":
        broken.append(f"the turn after it: {after.text[:200]}")
    return told, broken


def answered(socket: ClientConnection, said: Frame) -> str:
    """What comes of a frame: the server still talks, or closes with a code, or neither."""
    try:
        socket.send(said)
        send(socket, type="ping")
        while receive(socket)["type"] != "pong":
            pass
    except ConnectionClosed as closed:
        return f"closed {closed.rcvd.code if closed.rcvd else 1006}"
    except TimeoutError:
        return "silent"
    return "answered"


def main() -> int:
    """One campaign on a server and a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-frames-") as name:
        folder = Path(name)
        postgres = EmbeddedServer.start(folder / "postgres", lambda _: None, durable=False)
        try:
            with live_server(settings_for(postgres.url, folder)) as url:
                told, broken = campaign(url, options.frames, options.seed)
        finally:
            postgres.stop()
    sys.stdout.write("".join(f"{line}\n" for line in broken))
    sys.stdout.write(f"{options.frames} frames: {', '.join(f'{count} {what}' for what, count in told.most_common())}\n")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
