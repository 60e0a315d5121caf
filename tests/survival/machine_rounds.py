"""Two API hosts, two workers and a database, each on a network of its own, which is cut and healed at random.

    python -m tests.survival.machine_rounds [--cuts 20] [--clients 8]

Needs Linux, root and `ip`: every machine is a network namespace on one bridge, and a cut takes its link down, so that
packets are lost in silence. The database's own machine is a program that leads its port to PostgreSQL's socket. Clients
go to either host in turn, and insist. Prints what was answered, and what is broken.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg

from app.database.embedded import EmbeddedServer
from app.database.embedded_cluster import DATABASE, SOCKET, Cluster
from app.database.embedded_programs import SUPERUSER
from tests.support.servers.plain import plain_client
from tests.support.servers.running import FreshServer
from tests.support.waiting import HANG_SECONDS
from tests.survival.clients import SETTINGS, Address, talk, unlike_asked
from tests.survival.fleet import LEASE_SECONDS, database_url, new_user
from tests.survival.invariants import broken
from tests.survival.lossy_line import accept

NET = "10.77.0"
PORT = 5432
HOSTS, WORKERS, BASE = ("api1", "api2"), ("worker1", "worker2"), "base"
MACHINES = (*HOSTS, *WORKERS, BASE)
CUT_SECONDS, QUIET_SECONDS = (1.0, 12.0), (1.0, 4.0)
INDEXED_SECONDS = 90.0
LISTENING_SECONDS = 30.0
QUICK = {
    "SUMMIT_TURN_LEASE_SECONDS": str(LEASE_SECONDS),
    "SUMMIT_SWEEP_SECONDS": "0.2",
    "SUMMIT_EVENT_LOG_SIZE": "1000000",
    "SUMMIT_TURN_ATTEMPTS": "100",
    "SUMMIT_WORKERS_IN_PROCESS": "false",
    "SUMMIT_TRANSCRIBER": "none",
}
NOTICED = {socket.TCP_KEEPIDLE: 10, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3, socket.TCP_USER_TIMEOUT: 10_000}


class Network:
    """One bridge with a machine at each of its ports."""

    def __init__(self) -> None:
        self._mark = f"s{os.getpid() % 10_000}"
        self._bridge = f"{self._mark}br"

    def space(self, machine: str) -> str:
        return f"{self._mark}-{machine}"

    def link(self, machine: str) -> str:
        return f"{self._mark}{machine}"

    def address(self, machine: str) -> str:
        return f"{NET}.{1 + MACHINES.index(machine)}"

    def build(self) -> None:
        """The bridge, with an address of its own for the clients, and every machine up."""
        _ip("link", "add", self._bridge, "type", "bridge")
        _ip("addr", "add", f"{NET}.254/24", "dev", self._bridge)
        _ip("link", "set", self._bridge, "up")
        for machine in MACHINES:
            space, link = self.space(machine), self.link(machine)
            _ip("netns", "add", space)
            _ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space)
            _ip("link", "set", link, "master", self._bridge, "up")
            _ip("-n", space, "addr", "add", f"{self.address(machine)}/24", "dev", "eth0")
            _ip("-n", space, "link", "set", "eth0", "up")
            _ip("-n", space, "link", "set", "lo", "up")

    def cut(self, machine: str, seconds: float) -> None:
        """Take it off the network for a while."""
        _ip("link", "set", self.link(machine), "down")
        time.sleep(seconds)
        _ip("link", "set", self.link(machine), "up")

    def clear(self) -> None:
        """Take all of it away, whatever there is."""
        for machine in MACHINES:
            subprocess.run(["ip", "netns", "del", self.space(machine)], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", self._bridge], check=False, capture_output=True)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


class Machine(FreshServer):
    """A server, or a worker, in the network of its machine."""

    def __init__(self, network: Network, machine: str, folder: Path, command: str, url: str) -> None:
        self.name, self._space = machine, network.space(machine)
        where = {"SUMMIT_HOST": network.address(machine), "SUMMIT_PORT": "8000", "DATABASE_URL": url}
        super().__init__(folder / machine, command, **{**SETTINGS, **QUICK, **where})

    def command_line(self, command: str) -> list[str]:
        return ["ip", "netns", "exec", self._space, *super().command_line(command)]

    def last_words(self) -> str:
        """The end of its log."""
        return self.log.read_text()[-400:]


class Either(Address):
    """The one host, then the other."""

    def __init__(self, urls: list[str]) -> None:
        super().__init__()
        self._urls, self._turn = urls, count()

    def __str__(self) -> str:
        return self._urls[next(self._turn) % len(self._urls)]


@dataclass
class Found:
    """What the rounds came to: cuts by machine, turns answered, parts asked for, faults."""

    cuts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MACHINES, 0))
    answered: int = 0
    parts: int = 0
    faults: list[str] = field(default_factory=list)


def rounds(folder: Path, cuts: int, clients: int, seed: int) -> Found:
    """Cut machines off ``cuts`` times while ``clients`` talk, then compare what they were told with the ledger."""
    chance, found, over = random.Random(seed), Found(), threading.Event()
    with _fleet(folder) as (network, machines), ThreadPoolExecutor(clients) as pool:
        hosts = [machine.url for machine in machines if machine.url]
        keys = [new_user(hosts[0], f"client {client}") for client in range(clients)]
        talks = [pool.submit(talk, Either(hosts), over, key, client) for client, key in enumerate(keys)]
        try:
            for _ in range(cuts):
                machine = chance.choice(MACHINES)
                found.cuts[machine] += 1
                time.sleep(chance.uniform(*QUIET_SECONDS))
                network.cut(machine, chance.uniform(*CUT_SECONDS))
        finally:
            over.set()
        said = [one for talking in talks for one in talking.result()]
        found.answered, found.parts = len(said), sum(len(one.wanted) for one in said)
        left = [key for key in keys if not _indexed(hosts[0], key)]
        found.faults = broken(database_url(folder / "data")) + unlike_asked(said)
        found.faults += [f"{one.name} ended: {one.last_words()}" for one in machines if one.process.poll() is not None]
        found.faults += [f"the memory of {len(left)} users was not brought up to date"] if left else []
    return found


def _indexed(url: str, key: str) -> bool:
    """Whether the workers finish what a user's words left for them."""
    deadline = time.monotonic() + INDEXED_SECONDS
    with plain_client(url, {"Authorization": f"Bearer {key}"}, seconds=40) as client:
        while time.monotonic() < deadline:
            if client.get("/v1/memory").json()["waiting"] == 0:
                return True
            time.sleep(0.5)
    return False


@contextmanager
def _fleet(folder: Path) -> Iterator[tuple[Network, list[Machine]]]:
    """The network, and what runs on it beside the database."""
    network = Network()
    with ExitStack() as stack:
        stack.callback(network.clear)
        network.build()
        database = EmbeddedServer.start(folder / "data" / "postgres", lambda _: None)
        stack.callback(database.stop)
        cluster = Cluster((folder / "data" / "postgres").resolve(), lambda _: None, durable=True)
        line = [sys.executable, "-m", "tests.survival.machine_rounds", "--lead-to", str(cluster.socket_folder / SOCKET)]
        leading = subprocess.Popen(["ip", "netns", "exec", network.space(BASE), *line, network.address(BASE)])
        stack.callback(leading.wait)
        stack.callback(leading.kill)
        _await_line(network.address(BASE))
        url = f"postgresql://{SUPERUSER}@{network.address(BASE)}:{PORT}/{DATABASE}"
        machines = []
        for machine in (*HOSTS, *WORKERS):
            machines.append(Machine(network, machine, folder, "serve" if machine in HOSTS else "worker", url))
            stack.callback(machines[-1].kill)
        _await_workers(database.url)
        yield network, machines


def _await_line(address: str) -> None:
    """Until the database's machine listens."""
    deadline = time.monotonic() + LISTENING_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((address, PORT), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError(f"nothing listens at {address}; is another network {NET} here?")


def _await_workers(url: str) -> None:
    """Until both ask for jobs: one that cannot reach the database as it starts ends, by intention."""
    deadline = time.monotonic() + HANG_SECONDS
    with psycopg.connect(url, autocommit=True) as conn:
        while time.monotonic() < deadline:
            row = conn.execute("select count(*) from summit.procrastinate_workers").fetchone()
            if row and row[0] >= len(WORKERS):
                return
            time.sleep(0.2)
    raise AssertionError("the workers did not start")


def lead(path: Path, address: str) -> None:
    """Be the database's machine: its port leads to the socket, and notices a line that is cut as PostgreSQL would."""
    with socket.create_server((address, PORT), backlog=200) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in NOTICED.items():
            listener.setsockopt(socket.IPPROTO_TCP, option, value)
        accept(listener, path, threading.Event())


def main() -> int:
    """Run the rounds and print what came of them; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--lead-to", nargs=2, metavar=("SOCKET", "ADDRESS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.lead_to:
        lead(Path(options.lead_to[0]), options.lead_to[1])
        return 0
    if os.geteuid() != 0 or shutil.which("ip") is None:
        sys.stdout.write("this needs root and ip, for networks of their own: 1 skipped\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="summit-machines-") as folder:
        found = rounds(Path(folder), options.cuts, options.clients, options.seed)
    cuts = ", ".join(f"{machine} {times}" for machine, times in found.cuts.items())
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    sys.stdout.write(f"seed {options.seed}: cut off {cuts}; {found.answered} turns answered, {found.parts} parts\n")
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
