"""The database restarts, is gone, only reads, or answers into a cut line; and the server stands still and goes on.

    python -m tests.survival.fault_rounds [--rounds 4] [--clients 8] [--gone 60] [--only restarted --pause 3 10]

Each round brings every fault once, in an order that the seed chooses, under clients that ask for three things at once.
Beside them a watcher asks again and again and notes each answer. Every refusal has to be 503 with Retry-After, the
first success has to come within seconds after the fault, and memory must not grow while the database is gone.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import psutil
import psycopg

from app.database.embedded import EmbeddedServer
from app.database.embedded_cluster import DATABASE, SOCKET, Cluster
from app.database.embedded_programs import SUPERUSER
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS, wait_until
from tests.survival.clients import SETTINGS, Address, talk, unlike_asked
from tests.survival.fleet import MortalServer, database_url, last_server, new_user
from tests.survival.invariants import broken
from tests.survival.lossy_line import lossy_line

BACK_SECONDS = 6.0
GROWTH_MIB = 60.0
MEBIBYTE = 1024 * 1024
QUIET_SECONDS = (0.5, 2.0)
"""Between two faults."""


@dataclass
class Watch:
    """What a client that asks all the time was told: when, and with which status; 0 where nothing came back."""

    url: str
    key: str
    over: threading.Event = field(default_factory=threading.Event)
    told: list[tuple[float, int]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def look(self) -> None:
        """Write something small until it is over."""
        with plain_client("", {"Authorization": f"Bearer {self.key}"}, seconds=HANG_SECONDS) as client:
            while not self.over.is_set():
                self._ask(client)
                time.sleep(0.1)

    def _ask(self, client: httpx.Client) -> None:
        try:
            answer = client.patch(f"{self.url}/v1/profile", json={"location": f"room {len(self.told)}"})
        except httpx.HTTPError:
            self.told.append((time.monotonic(), 0))
            return
        self.told.append((time.monotonic(), answer.status_code))
        refused = answer.status_code == httpx.codes.SERVICE_UNAVAILABLE
        if not answer.is_success and not (refused and answer.headers.get("retry-after")):
            self.faults.append(f"answered {answer.status_code}: {answer.text[:200]}")

    def next_status(self) -> int:
        """What the first is told that is asked from now on: what is under way may have been served before."""
        under_way = len(self.told)
        wait_until(lambda: len(self.told) > under_way, "for what was under way")
        wait_until(lambda: len(self.told) > under_way + 1, "for what was asked then")
        return self.told[under_way + 1][1]

    def back_after(self, moment: float) -> float:
        """Seconds from a moment to the next success."""
        deadline = moment + HANG_SECONDS
        while time.monotonic() < deadline:
            if later := [at for at, status in self.told if at > moment and 200 <= status < 300]:
                return later[0] - moment
            time.sleep(0.05)
        return float("inf")


@dataclass
class Scene:
    """Where faults happen. ``cut`` makes the line to the database lose answers while it is set."""

    data_dir: Path
    server: MortalServer
    watch: Watch
    cut: threading.Event
    gone_seconds: float
    faults: list[str] = field(default_factory=list)

    @property
    def cluster(self) -> Cluster:
        """The database's files and process."""
        return Cluster((self.data_dir / "postgres").resolve(), lambda _: None, durable=True)


def restarted(scene: Scene) -> None:
    """The database is stopped in order; the server starts it again."""
    _stop_database(scene, signal.SIGINT)


def gone(scene: Scene) -> None:
    """The database is away for long, and nobody may start it."""
    process = psutil.Process(scene.server.process.pid)
    before = process.memory_info().rss
    with (scene.data_dir / "postgres" / "lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _stop_database(scene, signal.SIGINT)
        time.sleep(scene.gone_seconds)
        grown = (process.memory_info().rss - before) / MEBIBYTE
    if grown > GROWTH_MIB:
        scene.faults.append(f"the server grew by {grown:.0f} MiB while the database was gone")


def read_only(scene: Scene) -> None:
    """Nothing can be written for a while: whoever asks then is sent away."""
    with psycopg.connect(scene.cluster.url, autocommit=True) as conn, _only_reading(conn):
        # The server tells its sessions that are there before it takes a new one.
        wait_until(partial(_only_reads, scene.cluster), "for a database that only reads")
        if (status := scene.watch.next_status()) != httpx.codes.SERVICE_UNAVAILABLE:
            scene.faults.append(f"a database that only reads was no reason to refuse: {status}")


def cut_after_commit(scene: Scene) -> None:
    """The database does what it is told, and its answers are lost with the line."""
    scene.cut.set()
    time.sleep(2)
    scene.cut.clear()


def frozen(scene: Scene) -> None:
    """The server stands still for longer than its leases, and goes on."""
    os.kill(scene.server.process.pid, signal.SIGSTOP)
    time.sleep(3)
    os.kill(scene.server.process.pid, signal.SIGCONT)


Fault = Callable[[Scene], None]
FAULTS: tuple[Fault, ...] = (restarted, gone, read_only, cut_after_commit, frozen)


@dataclass
class Found:
    """What the rounds came to; ``back`` are the slowest seconds to a success after each kind of fault."""

    answered: int = 0
    asked: int = 0
    refused: int = 0
    back: dict[str, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def rounds(
    data_dir: Path,
    count: int,
    clients: int,
    seed: int,
    gone_seconds: float,
    faults: Sequence[Fault] = FAULTS,
    quiet: tuple[float, float] = QUIET_SECONDS,
) -> Found:
    """Let every fault happen ``count`` times, then compare what everybody was told with the ledger."""
    chance, found, over, cut = random.Random(seed), Found(), threading.Event(), threading.Event()
    with _served(data_dir, cut) as server, ThreadPoolExecutor(clients + 1) as pool:
        keys = [new_user(server.url, f"client {client}") for client in range(clients)]
        watch = Watch(server.url, new_user(server.url, "watcher"))
        looking = pool.submit(watch.look)
        talks = [pool.submit(talk, Address(server.url), over, key, client) for client, key in enumerate(keys)]
        scene = Scene(data_dir, server, watch, cut, gone_seconds)
        try:
            for fault in (fault for _ in range(count) for fault in chance.sample(faults, len(faults))):
                time.sleep(chance.uniform(*quiet))
                fault(scene)
                seconds = watch.back_after(time.monotonic())
                found.back[fault.__name__] = max(seconds, found.back.get(fault.__name__, 0.0))
            over.set()
            said = [one for talking in talks for one in talking.result()]
        finally:
            over.set()
            watch.over.set()
        looking.result()
        found.answered, found.asked = len(said), len(watch.told)
        found.refused = sum(status >= httpx.codes.INTERNAL_SERVER_ERROR for _, status in watch.told)
        found.faults = broken(database_url(data_dir)) + unlike_asked(said) + watch.faults + scene.faults
    return found


@contextmanager
def _served(data_dir: Path, cut: threading.Event) -> Iterator[MortalServer]:
    """A server that reaches its database over a line which may lose answers."""
    database = EmbeddedServer.start(data_dir / "postgres", lambda _: None)
    cluster = Cluster((data_dir / "postgres").resolve(), lambda _: None, durable=True)
    try:
        with lossy_line(cluster.socket_folder / SOCKET, cut) as port:
            url = f"postgresql://{SUPERUSER}@127.0.0.1:{port}/{DATABASE}"
            with last_server(data_dir, **SETTINGS, DATABASE_URL=url) as server:
                yield server
    finally:
        database.stop()


def _stop_database(scene: Scene, number: signal.Signals) -> None:
    if process := scene.cluster.serving():
        process.send_signal(number)
        process.wait(HANG_SECONDS)


@contextmanager
def _only_reading(conn: psycopg.Connection) -> Iterator[None]:
    """The database of a superuser's session takes no writes from anybody else."""
    conn.execute("set default_transaction_read_only = off")
    conn.execute("alter system set default_transaction_read_only = on")
    try:
        conn.execute("select pg_reload_conf()")
        yield
    finally:
        conn.execute("alter system reset default_transaction_read_only")
        conn.execute("select pg_reload_conf()")


def _only_reads(cluster: Cluster) -> bool:
    """Whether a new session cannot write."""
    with psycopg.connect(cluster.url, autocommit=True) as conn:
        return conn.execute("show transaction_read_only").fetchall() == [("on",)]


def main() -> int:
    """Run the rounds and print what came of them; exit status 1 when anything is broken or slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--gone", type=float, default=60.0, help="seconds without a database")
    parser.add_argument("--only", nargs="+", choices=[fault.__name__ for fault in FAULTS], help="these faults")
    parser.add_argument("--pause", nargs=2, type=float, default=QUIET_SECONDS, help="seconds between two faults")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if not options.only or fault.__name__ in options.only]
    how = (options.rounds, options.clients, options.seed, options.gone, faults, tuple(options.pause))
    with tempfile.TemporaryDirectory(prefix="summit-faults-") as folder:
        found = rounds(Path(folder) / "data", *how)
    back = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in found.back.items())
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    sys.stdout.write(
        f"seed {options.seed}: {found.answered} turns; a watcher asked {found.asked} times, {found.refused} refused; "
        f"slowest success after {back}\n"
    )
    return int(bool(found.faults) or max(found.back.values()) > BACK_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
