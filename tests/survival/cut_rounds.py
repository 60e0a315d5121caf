"""Turns are cancelled, and streams of their events are cut and resumed, at random moments.

    python -m tests.survival.cut_rounds [--cancels 200] [--streams 100]

A cancelled turn has to tell what it had done, and the next one in its thread has to work. A stream that was cut, by
server-sent events or by websocket, and resumed has to tell each event once, in order, as one that was never cut.
"""

from __future__ import annotations

import argparse
import random
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import httpx

from tests.support.servers.live import Envelope, open_socket, receive, until_done, whole_stream
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until
from tests.survival.clients import SETTINGS
from tests.survival.fleet import (
    CLIENT,
    FINISHED,
    ONE,
    THREE,
    MortalServer,
    database_url,
    finished,
    last_server,
    new_user,
    post,
    proof,
)
from tests.survival.invariants import broken

ASYNC = "respond-async"
BETWEEN = "AsyncPostgresSaver.aget_tuple before"  # the turn has begun, nothing is applied
LONG = "600"  # seconds; whoever waits for this was not stopped
Servers = tuple[MortalServer, MortalServer]


@dataclass
class Found:
    """What the rounds came to: how the cancelled turns ended, streams that were resumed, and what was wrong."""

    ends: dict[str, int] = field(default_factory=dict)
    streams: int = 0
    faults: list[str] = field(default_factory=list)


def cancels(servers: Servers, count: int, seed: int, api_key: str | None = None) -> Found:
    """Cancel so many turns at moments from their beginning to after their end, at this server or the other one."""
    chance, found = random.Random(seed), Found()
    headers = proof(api_key)
    thread = str(CLIENT.post(f"{servers[0].url}/v1/threads", json={"title": "t"}, headers=headers).json()["id"])
    begun = time.monotonic()
    post(servers[0].url, ONE, _mark(), api_key=api_key, thread_id=thread)
    longest = 2 * (time.monotonic() - begun)  # by then a turn is over, on a slow machine as on a fast one
    for number in range(count):
        runs, tells = chance.sample(servers, 2)
        if number == 0:  # however fast the machine is, one turn is cancelled before its end, and one after it
            runs.trap(BETWEEN, do=LONG)
        said = post(runs.url, THREE, _mark(), api_key=api_key, prefer=ASYNC, thread_id=thread).json()
        if number == 0:
            wait_until(lambda: not runs.trap_file.exists(), BETWEEN)  # noqa: B023 - waited for here
        if number == count - 1:
            finished(runs.url, said["id"], api_key=api_key)
        time.sleep(longest * number / max(1, count - 1))
        turn = CLIENT.post(f"{tells.url}/v1/turns/{said['id']}/cancel", headers=headers).json()
        following = post(tells.url, ONE, _mark(), api_key=api_key, thread_id=thread).json()
        found.ends[turn["status"]] = found.ends.get(turn["status"], 0) + 1
        found.faults += _faults_of(turn, following)
    return found


def _mark() -> str:
    return f"key-{time.monotonic_ns()}"


def _faults_of(turn: dict[str, Any], following: dict[str, Any]) -> list[str]:
    """What is wrong with a turn that was cancelled, and with the one after it."""
    told = [change["title"] for change in turn["changes"] if change["status"] == "applied"]
    left_out = [title for title in told if title not in turn["reply"]]
    works = (following["status"], len(following["changes"])) == ("done", 1)
    return [
        *([f"turn {turn['id']} is {turn['status']}"] if turn["status"] not in FINISHED else []),
        *([f"turn {turn['id']} did {left_out} and does not say so"] if left_out else []),
        *([] if works else [f"the turn after {turn['id']} is {following['status']}: {following['reply']!r}"]),
    ]


def streams(url: str, count: int, seed: int, api_key: str | None = None) -> Found:
    """Cut so many streams after a random number of events of a turn, and resume each."""
    chance, found = random.Random(seed), Found()
    with plain_client(url, proof(api_key)) as client:
        with whole_stream(client) as events:
            post(url, THREE, _mark(), api_key=api_key)
            first = until_done(events)
        after, most = first[-1]["seq"], len(first)
        for number in range(count):
            turn = str(post(url, THREE, _mark(), api_key=api_key, prefer=ASYNC).json()["id"])
            door = (_by_events, _by_socket)[number % 2]
            with door(client, after) as events:
                beginning = list(islice(events, chance.randint(0, most)))
            with door(client, beginning[-1]["seq"] if beginning else after) as events:
                told = beginning if _is_over(beginning) else beginning + until_done(events)
            with whole_stream(client, after=after) as events:
                whole = until_done(events)
            if told != whole or {one["turn_id"] for one in whole} != {turn}:
                found.faults.append(f"after {after}, cut after {len(beginning)}: {_seqs(told)}, not {_seqs(whole)}")
            after = whole[-1]["seq"]
            found.streams += 1
    return found


def _is_over(events: list[Envelope]) -> bool:
    return bool(events) and events[-1]["type"] == "turn.done"


def _seqs(events: list[Envelope]) -> list[int]:
    return [one["seq"] for one in events]


def _by_events(client: httpx.Client, after: int) -> AbstractContextManager[Iterator[Envelope]]:
    """What comes after an event, by a stream that a browser resumes."""
    return whole_stream(client, None, **{"Last-Event-ID": str(after)})


@contextmanager
def _by_socket(client: httpx.Client, after: int) -> Iterator[Iterator[Envelope]]:
    """The same by a websocket whose line is cut in the end, without a farewell."""
    key = client.headers.get("authorization", "").removeprefix("Bearer ") or None
    with open_socket(str(client.base_url).rstrip("/"), key, f"?last_seq={after}") as opened:
        yield iter(partial(receive, opened), None)
        opened.socket.shutdown(socket.SHUT_RDWR)


def rounds(data_dir: Path, cancelled: int, cut: int, seed: int) -> Found:
    """Both campaigns on one database, and what its invariants say afterwards."""
    patient = {**SETTINGS, "SUMMIT_TURN_LEASE_SECONDS": LONG}
    with last_server(data_dir, **patient) as one, last_server(data_dir, **patient) as two:
        found = cancels((one, two), cancelled, seed, new_user(one.url, "cancels"))
        resumed = streams(one.url, cut, seed, new_user(one.url, "streams"))
        found.streams, found.faults = resumed.streams, found.faults + resumed.faults + broken(database_url(data_dir))
    return found


def main() -> int:
    """Run the rounds and print what came of them; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cancels", type=int, default=200)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-cut-") as folder:
        found = rounds(Path(folder) / "data", options.cancels, options.streams, options.seed)
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    ends = ", ".join(f"{count} {status}" for status, count in sorted(found.ends.items()))
    sys.stdout.write(
        f"seed {options.seed}: turns that were cancelled ended as {ends}; {found.streams} streams resumed\n"
    )
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
