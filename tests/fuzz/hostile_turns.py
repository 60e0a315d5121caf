"""Hostile messages to a real server over HTTP: how long each turn takes, and how long the server stands still.

python -m tests.fuzz.hostile_turns [COUNT] [SEED] [CLIENTS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx

from app.boundary.reading.beside import TOO_SLOW
from tests.fuzz import watched_server
from tests.fuzz.hostile import hostile
from tests.fuzz.watched_server import STEPS
from tests.support.servers.running import RunningServer

MOST_CHARS, EACH = 20_000, 25
ADMIN = "an-admin-key-for-this-server-alone"
FINISHED = frozenset({"done", "waiting", "422"})
"""How a turn ends; a text with nothing to see in it begins none."""
PLAIN = "add milk"
LONG = "ring granny tomorrow at 5 and book the vet for friday 3pm. " * 10


@dataclass(frozen=True)
class Attack:
    """What came of a message: how long its turn took in seconds, how it ended and what was answered."""

    text: str
    seconds: float
    state: str
    reply: str


@dataclass(frozen=True)
class Step:
    """A step of the event loop in milliseconds on the clock and of the processor."""

    clock: float
    processor: float
    what: str


class WatchedServer(RunningServer):
    """A server that writes down the slow steps of its event loop."""

    def program(self, command: str) -> Callable[[], int]:
        """The watched server has no other command than serve."""
        return watched_server.serve


class Flood:
    """A watched server under hostile messages."""

    def __init__(self, server: WatchedServer, steps: Path) -> None:
        self._server = server
        self._steps = steps
        self._talk((PLAIN, LONG))  # loads what is loaded once, and the child process
        self._before = len(self._lines())

    def attack(self, texts: Sequence[str], clients: int) -> list[Attack]:
        """Send all messages, so many at once, ``EACH`` of them by one user in one thread."""
        with ThreadPoolExecutor(clients) as pool:
            talks = list(pool.map(self._talk, (texts[first : first + EACH] for first in range(0, len(texts), EACH))))
        return [one for talk in talks for one in talk]

    def steps(self) -> list[Step]:
        """The slow steps since the first message."""
        parts = (line.split(" ", 2) for line in self._lines()[self._before :])
        return [Step(float(clock), float(processor), what) for clock, processor, what in parts]

    def _talk(self, texts: Sequence[str]) -> list[Attack]:
        with self._server.client() as client:
            user = client.post("/v1/users", json={"name": uuid4().hex}, headers=bearer(ADMIN)).raise_for_status().json()
            client.headers.update(bearer(user["api_key"]))
            thread = client.post("/v1/threads", json={}).raise_for_status().json()["id"]
            return [_said(client, thread, text) for text in texts]

    def _lines(self) -> list[str]:
        return self._steps.read_text().splitlines()


def bearer(key: str) -> dict[str, str]:
    """The header that carries a key."""
    return {"Authorization": f"Bearer {key}"}


def _said(client: httpx.Client, thread: str, text: str) -> Attack:
    begun = time.perf_counter()
    response = client.post("/v1/turns", json={"text": text, "thread_id": thread})
    took = time.perf_counter() - begun
    turn = response.json()
    return Attack(text, took, str(turn.get("status", response.status_code)), turn.get("reply") or "")


@contextmanager
def flooded(folder: Path, **settings: str) -> Iterator[Flood]:
    """A watched server with its own database in a folder, gone at the end."""
    steps = folder / "steps"
    steps.touch()
    values = {"SUMMIT_TRANSCRIBER": "none", "SUMMIT_ADMIN_KEY": ADMIN, STEPS: str(steps), **settings}
    server = WatchedServer(folder / "data", **values)
    try:
        yield Flood(server, steps)
    finally:
        server.stop()


def main(count: int = 500, seed: int = 12, clients: int = 1) -> int:
    """Print the longest turns and steps; 1 when a message found no end."""
    with tempfile.TemporaryDirectory() as folder, flooded(Path(folder)) as flood:
        found = sorted(flood.attack(hostile(seed, count, MOST_CHARS), clients), key=lambda one: -one.seconds)
        slowest = sorted(flood.steps(), key=lambda step: -step.processor)
    late = sum(one.reply == TOO_SLOW for one in found)
    odd = [one for one in found if one.state not in FINISHED]
    for one in [*odd, *found[:10]]:
        print(f"  {one.seconds:.3f} s {one.state} {one.text[:40]!r} ({len(one.text)}): {one.reply[:60]!r}")
    print(f"{len(slowest)} steps of the event loop took more than 20 ms of the processor")
    for step in slowest[:10]:
        print(f"  {step.processor:.0f} ms ({step.clock:.0f} on the clock) {step.what[:150]}")
    print(f"{count} messages, {clients} at once: {late} not read in time, {len(odd)} without an end")
    return int(bool(odd))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
