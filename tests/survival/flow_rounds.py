"""kill -9 of a server at every boundary of seven flows, as an undisturbed one has passed them.

    python -m tests.survival.flow_rounds [FLOW ...] [--percent 100]

A boundary is before or after a commit, a flush of a file or an answer, or where a job is claimed and ends. After each
death the client asks again with the same key, of the server that is to die next. Prints how many there are.
``--percent`` takes that part of each flow's boundaries, spread evenly.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from traceback import format_exc
from typing import Any

import httpx
import psycopg

from tests.survival.boundaries import that_count
from tests.survival.fleet import CLIENT, MortalServer, database_url, last_server, mortal
from tests.survival.flows import Flow, flows, until
from tests.survival.invariants import broken

IDLE_SECONDS = 3.0
TRIES = 3
"""What jobs of the background open may not come in time: where no server dies, another one is waited for."""
FORGIVEN = 0.05
"""The part of a flow's deaths that may be missing all the same."""
LATER = (
    "update summit.replays set created_at = created_at - interval '31 seconds' where status is null",
    "update summit.procrastinate_workers set last_heartbeat = last_heartbeat - interval '5 seconds'",
)
"""A request, and a worker, whose server died is taken for lost after a while; nobody waits for that here."""


def sweep(flow: Flow, data_dir: Path, percent: int) -> tuple[int, list[str]]:
    """How many boundaries were tried, and those at which no server died; raises AssertionError for what was broken."""
    with kept(data_dir):
        with mortal(data_dir, **flow.settings) as calm:
            passed = passed_by(calm, flow)
        tried = [name for number, name in enumerate(passed) if (number + 1) * percent // 100 > number * percent // 100]
        missed: Sequence[str] = tried
        for again in range(TRIES):
            missed = strike(flow, data_dir, missed, f"{again}x") if missed else []
    assert len(missed) <= max(2, FORGIVEN * len(tried)), f"no server of {len(tried)} died at {missed}"
    return len(tried), list(missed)


def kept(data_dir: Path) -> AbstractContextManager[MortalServer]:
    """A server that keeps the database up, and leaves all jobs to those that die."""
    return last_server(data_dir, SUMMIT_WORKERS_IN_PROCESS="false")


def strike(flow: Flow, data_dir: Path, boundaries: Sequence[str], marked: str = "", patience: float = 0.0) -> list[str]:
    """Let a server die at each; those at which none did. Raises AssertionError for what was broken.

    A boundary is missed if no server dies of it within the flow's seconds, or within ``patience``.
    """
    missed, before = [], ("", None)
    for number, boundary in enumerate(boundaries):
        with mortal(data_dir, **flow.settings) as server:
            if number:
                insisted(server.url, flow, *before)
            mark = f"{marked}{number}"
            before = mark, flow.prepare(server.url, mark)
            if not dies(server, boundary, partial(flow.ask, server.url, *before), patience or flow.seconds):
                missed.append(boundary)
        later(data_dir)
    with mortal(data_dir, **flow.settings) as survivor:
        insisted(survivor.url, flow, *before)
    with psycopg.connect(database_url(data_dir)) as conn:
        faults = flow.broken(conn)
    assert faults + broken(database_url(data_dir), worded=False) == []
    return missed


def passed_by(server: MortalServer, flow: Flow) -> list[str]:
    """The boundaries that an undisturbed server passes for a flow, jobs included, without what it passes anyway."""
    CLIENT.get(f"{server.url}/v1/todos").raise_for_status()  # what only a first request reads
    time.sleep(IDLE_SECONDS)
    anyway = set(server.passed())
    there = flow.prepare(server.url, "calm")
    before = len(server.passed())
    first = flow.ask(server.url, "calm", there).raise_for_status().json()
    flow.once(server.url, "calm", there, first)
    passed: list[str] = []
    quiet_since = time.monotonic()
    while time.monotonic() < quiet_since + flow.seconds:
        known, trace = len(passed), server.passed()[before:]
        passed = that_count([name for name in trace if name not in anyway and not name.startswith(flow.beside)])
        if len(passed) > known:
            quiet_since = time.monotonic()
        time.sleep(0.2)
    insisted(server.url, flow, "calm", there)
    return passed


def dies(server: MortalServer, boundary: str, ask: Callable[[], Any], seconds: float) -> bool:
    """Ask a server that dies of it."""
    name, _, nth = boundary.rpartition(" ")
    server.trap(*((name, int(nth)) if nth.isdigit() else (boundary, 1)))
    with contextlib.suppress(httpx.HTTPError):
        ask()
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(seconds)
    return server.process.poll() is not None


def later(data_dir: Path) -> None:
    """Some seconds pass."""
    with psycopg.connect(database_url(data_dir), autocommit=True) as conn:
        for statement in LATER:
            conn.execute(statement.encode())


def insisted(url: str, flow: Flow, mark: str, there: Any) -> None:
    """Ask until it is answered, then twice more: the answer is the same, and all of it happened once."""
    first = until(lambda: flow.ask(url, mark, there), lambda found: found.is_success).json()
    flow.once(url, mark, there, first)
    last, again = (flow.ask(url, mark, there).json() for _ in range(2))
    assert last == again, (last, again)
    assert last == first if flow.repeats else last["id"] == first["id"], (first, last)


def main() -> int:
    """Sweep the flows that are named, or all; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="FLOW")
    parser.add_argument("--percent", type=int, default=100)
    options = parser.parse_args()
    wrong, points, deaths = 0, 0, 0
    with flows() as every, tempfile.TemporaryDirectory(prefix="summit-flows-") as folder:
        if unknown := set(options.names) - set(every):
            parser.error(f"there is no flow {', '.join(sorted(unknown))}; there are {', '.join(every)}")
        chosen = options.names or list(every)
        for name in chosen:
            began = time.monotonic()
            try:
                tried, missed = sweep(every[name], Path(folder) / name, options.percent)
            except AssertionError:
                wrong += 1
                sys.stdout.write(f"{name}: BROKEN: {format_exc()}\n")
            else:
                died, but = tried - len(missed), f", none at {', '.join(missed)}" if missed else ""
                points, deaths = points + tried, deaths + died
                sys.stdout.write(f"{name}: {tried} boundaries, {died} deaths{but}, {time.monotonic() - began:.0f} s\n")
            sys.stdout.flush()
    sys.stdout.write(f"{points} boundaries of {len(chosen)} flows, {deaths} deaths: {wrong} flows are broken\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
