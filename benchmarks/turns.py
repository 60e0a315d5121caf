"""Measures turns over HTTP against the real server, and a bare LangGraph server on the same PostgreSQL.

    python -m benchmarks turns [--quick] [--flush-ms 2]

Both serve one client, then sixteen, in alternation; users (threads for the baseline) are changed every 15 messages,
so that what is stored stays alike. Medians and ratios mean more than numbers: the machine does other things, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Protocol
from uuid import uuid4

import psycopg

from app.database.embedded import EmbeddedServer
from benchmarks.ageing import Ageing, measure_ageing
from benchmarks.gauges import Gauges
from tests.support.servers.load import ADMIN_KEY, Connection, Send, connected, new_user, one_by_one, side_by_side
from tests.support.servers.running import running
from tests.survival.fleet import distinct

CLIENTS = 16
MESSAGES_PER_PLACE = 15
WARM_UP = 5
ROUNDS = 5
BARE_READY = re.compile(r"ready at (http://\S+)")
ONE = "buy oat milk for {} tomorrow"
THREE = "call {} tomorrow at 5, book the dentist in [] days at 3pm and note that the wifi code is 1234"
ROW = "{:34}{:>12}{:>12}{:>12}"


@dataclass(frozen=True)
class Size:
    """How much is sent: sequential messages a round, messages of each client a round, turns of the long thread."""

    one_by_one: int
    each: int
    long: int


FULL, QUICK = Size(60, 15, 5000), Size(15, 5, 500)


@dataclass(frozen=True)
class Measured:
    """One server under one kind of message; milliseconds, messages per second, log-flushing commits per message."""

    p50: float
    p95: float
    rate: float
    cpu: float
    flushes: float


class Door(Protocol):
    """Where messages go."""

    url: str
    gauges: Gauges

    async def prepare(self, line: Connection, places: int) -> None:
        """Make that many users, or threads, before anything is measured."""

    async def post(self, line: Connection, client: int, number: int) -> None:
        """Send message ``number`` of a client, to a new place every few messages."""


class SummitDoor:
    """Each place is a user of its own, in the main thread."""

    def __init__(self, url: str, gauges: Gauges, text: str) -> None:
        self.url, self.gauges, self._text = url, gauges, text
        self._fresh: list[str] = []
        self._keys: dict[int, str] = {}

    async def prepare(self, line: Connection, places: int) -> None:
        """Make users."""
        self._fresh += [await new_user(line) for _ in range(places)]

    async def post(self, line: Connection, client: int, number: int) -> None:
        """One message of a client as its current user."""
        if number % MESSAGES_PER_PLACE == 0:
            self._keys[client] = self._fresh.pop()
        # Nothing of the same name or at the same time: neither duplicates nor clashes are measured here.
        day = str(number % MESSAGES_PER_PLACE + 2)
        text = distinct(self._text, f"{client} {number} {self._keys[client]}").replace("[]", day)
        turn = await line.post("/v1/turns", {"text": text}, self._keys[client])
        assert turn["status"] == "done", turn


class BareDoor:
    """Each place is a thread: the baseline knows no users."""

    def __init__(self, url: str, gauges: Gauges) -> None:
        self.url, self.gauges = url, gauges
        self._ids: dict[int, str] = {}

    async def prepare(self, line: Connection, places: int) -> None:
        """Nothing: its threads need no making."""

    async def post(self, line: Connection, client: int, number: int) -> None:
        """One message of a client in its current thread."""
        if number % MESSAGES_PER_PLACE == 0:
            self._ids[client] = str(uuid4())
        await line.post("/turns", {"thread_id": self._ids[client], "text": ONE})


async def measure(doors: Sequence[Door], size: Size) -> list[Measured]:
    """Every door in turn, round after round: what else the machine does strikes them all alike."""
    async with AsyncExitStack() as stack:
        sends = [await _sender(door, size, stack) for door in doors]
        samples = [Sample(door.gauges) for door in doors]
        for _ in range(ROUNDS):
            for sample, send in zip(samples, sends, strict=True):
                await sample.take(send, size)
        idle = _idle_flushes(doors[0].gauges)
        flushes = [await _flushes(door, size, idle) for door in doors]
    return [sample.summed_up(count) for sample, count in zip(samples, flushes, strict=True)]


async def _sender(door: Door, size: Size, stack: AsyncExitStack) -> Send:
    """Sends a door's messages, after warming it up; its places are made before anything is measured."""
    lines = [await stack.enter_async_context(connected(door.url)) for _ in range(CLIENTS)]
    crowds = CLIENTS * (1 + ROUNDS * places(size.each))
    await door.prepare(lines[0], crowds + (ROUNDS + 1) * places(size.one_by_one))

    async def send(client: int, number: int) -> None:
        await door.post(lines[client], client, number)

    await side_by_side(send, CLIENTS, WARM_UP)
    return send


@dataclass
class Sample:
    """What the rounds of one door gave."""

    gauges: Gauges
    spent: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)

    async def take(self, send: Send, size: Size) -> None:
        """One round: one client, then sixteen."""
        self.spent += await one_by_one(send, size.one_by_one)
        cpu = self.gauges.cpu_ms()
        self.rates.append(await side_by_side(send, CLIENTS, size.each))
        self.costs.append((self.gauges.cpu_ms() - cpu) / (CLIENTS * size.each))

    def summed_up(self, flushes: float) -> Measured:
        """Medians over the rounds."""
        slow = quantiles(self.spent, n=20)[-1]
        return Measured(median(self.spent), slow, median(self.rates), median(self.costs), flushes)


def _idle_flushes(gauges: Gauges) -> float:
    """Log flushes per second while nothing is sent: background jobs say that they live."""
    before, began = gauges.flushes(), time.monotonic()
    return (gauges.flushes() - before) / (time.monotonic() - began)


async def _flushes(door: Door, size: Size, idle: float) -> float:
    """Log-flushing commits of one message."""
    before, began = door.gauges.flushes(), time.monotonic()
    async with connected(door.url) as line:
        for number in range(size.one_by_one):
            await door.post(line, 0, number)
    return (door.gauges.flushes() - before - idle * (time.monotonic() - began)) / size.one_by_one


def places(messages: int) -> int:
    """How many users or threads a client needs for its messages."""
    return -(-messages // MESSAGES_PER_PLACE)


@contextmanager
def bare_server(url: str) -> Iterator[tuple[str, int]]:
    """The baseline in a process of its own: its URL and process id."""
    command = [sys.executable, "-m", "benchmarks.bare"]
    process = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": url}, stdout=subprocess.PIPE, text=True)
    try:
        found = BARE_READY.search(process.stdout.readline() if process.stdout else "")
        assert found, "the baseline did not start"
        yield found.group(1), process.pid
    finally:
        process.terminate()
        process.wait(10)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks turns", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer messages, for a first look")
    parser.add_argument("--flush-ms", type=float, default=0, help="let each flush of the log take so much longer")
    options = parser.parse_args()
    size = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
        data_dir = Path(folder) / "data"
        database = EmbeddedServer.start(data_dir / "postgres", lambda _: None)
        try:
            _measure_all(data_dir, database.url, size, options.flush_ms)
        finally:
            database.stop()


def _measure_all(data_dir: Path, url: str, size: Size, flush_ms: float) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("create database bare")
    with (
        bare_server(url.replace("/summit?", "/bare?")) as (bare_url, bare_pid),
        running(data_dir, SUMMIT_ADMIN_KEY=ADMIN_KEY) as server,
    ):
        bare, summit = Gauges(bare_pid, url), Gauges(server.process.pid, url)
        bare.delay_flushes(flush_ms)
        doors = (
            BareDoor(bare_url, bare),
            SummitDoor(server.url, summit, ONE),
            SummitDoor(server.url, summit, THREE),
        )
        show(*asyncio.run(measure(doors, size)))
        memory = (bare.memory_mib(), summit.memory_mib())
        show_rest(*memory, asyncio.run(measure_ageing(server.url, summit, size.long)), size)


def show(bare: Measured, one: Measured, three: Measured) -> None:
    """The table, with ratios to the baseline."""
    print(ROW.format("", "bare", "one change", "three agents"))
    rows: tuple[tuple[str, Callable[[Measured], float]], ...] = (
        ("one client, p50 ms", lambda m: m.p50),
        ("one client, p95 ms", lambda m: m.p95),
        (f"{CLIENTS} clients, turns/s", lambda m: m.rate),
        (f"{CLIENTS} clients, server CPU ms/turn", lambda m: m.cpu),
        ("log-flushing commits/turn", lambda m: m.flushes),
    )
    for name, value in rows:
        print(ROW.format(name, *(f"{value(column):.1f}" for column in (bare, one, three))))
    print(ROW.format("ratio of p50 to bare", "", f"{one.p50 / bare.p50:.2f}", f"{three.p50 / bare.p50:.2f}"))
    print(ROW.format("ratio of turns/s to bare", "", f"{one.rate / bare.rate:.2f}", f"{three.rate / bare.rate:.2f}"))


def show_rest(bare: float, summit: float, ageing: Ageing, size: Size) -> None:
    """Resident memory after everything, and what a turn costs early and late in a thread."""
    print(f"API process, resident MiB: bare {bare:.0f}, Summit {summit:.0f}")
    print(
        f"turn {size.long} against turn 50: {ageing.late_ms:.1f} / {ageing.early_ms:.1f} ms "
        f"= {ageing.late_ms / ageing.early_ms:.2f}; {ageing.late_bytes:.0f} / {ageing.early_bytes:.0f} bytes of log "
        f"= {ageing.late_bytes / ageing.early_bytes:.2f}"
    )


if __name__ == "__main__":
    main()
