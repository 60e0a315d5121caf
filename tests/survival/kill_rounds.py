"""kill -9 at random moments under clients that send again until they are answered.

    python -m tests.survival.kill_rounds [--rounds 60] [--clients 8]

Every fourth round the database server dies, too. Prints how long each restart took and what was found broken.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.app.storage.clusters import kill_server
from tests.survival.fleet import ONE, THREE, MortalServer, database_url, insist, last_server
from tests.survival.invariants import broken

READY_SECONDS = 5.0
TIMES_A_CALM_START = 3.0
LIFE_SECONDS = (0.05, 1.2)


@dataclass
class Address:
    """Where the living server is, if one is; clients look before each attempt."""

    url: str = "http://127.0.0.1:9"

    def __str__(self) -> str:
        return self.url


@dataclass
class Campaign:
    """What a campaign of kills found: seconds until each new server was ready, turns answered, faults.

    ``calm`` is how many seconds a start takes that nothing went before, so that a slow machine is not called a fault.
    """

    calm: float = 0.0
    restarts: list[float] = field(default_factory=list)
    answered: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def quick(self) -> bool:
        """Whether every new server was ready within five seconds, or little more than a calm start takes."""
        return max(self.restarts) < max(READY_SECONDS, TIMES_A_CALM_START * self.calm)


def campaign(data_dir: Path, rounds: int, clients: int, seed: int) -> Campaign:
    """Kill the server ``rounds`` times under load, then check everything."""
    chance, found, address, over = random.Random(seed), Campaign(), Address(), threading.Event()
    with last_server(data_dir), ThreadPoolExecutor(clients) as pool:
        calm, found.calm = _started(data_dir)
        calm.stop()
        users = [pool.submit(_talk, address, over, client) for client in range(clients)]
        for number in range(rounds):
            server, seconds = _started(data_dir)
            found.restarts.append(seconds)
            address.url = server.url
            time.sleep(chance.uniform(*LIFE_SECONDS))
            server.kill()
            if number % 4 == 3:
                kill_server(data_dir / "postgres")
        over.set()
        with last_server(data_dir) as survivor:
            address.url = survivor.url
            said = [turn for user in users for turn in user.result()]
        found.answered = len(said)
        found.faults = broken(database_url(data_dir)) + twice(said)
    return found


def _started(data_dir: Path) -> tuple[MortalServer, float]:
    began = time.monotonic()
    return MortalServer(data_dir), time.monotonic() - began


def _talk(address: Address, over: threading.Event, client: int) -> list[tuple[str, str, int]]:
    """(key, turn, effects) of each message; the next one is said once the last is answered."""
    said = []
    number = 0
    while not over.is_set():
        key, text = f"{client}-{number}", THREE if number % 2 else ONE
        turn = insist(address, text, key, seconds=60)
        assert turn["status"] == "done", turn
        said.append((key, turn["id"], sum(change["status"] == "applied" for change in turn["changes"])))
        number += 1
    return said


def twice(said: list[tuple[str, str, int]]) -> list[str]:
    """Turns that were answered for two keys, and turns with too many or too few effects."""
    wrong = [f"{key}: {effects} effects" for key, _, effects in said if effects not in (1, 3)]
    return wrong + (["two keys, one turn"] if len({turn for _, turn, _ in said}) < len(said) else [])


def main() -> int:
    """Run a campaign and print what came of it; exit status 1 when anything is broken or slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}\n")
    with tempfile.TemporaryDirectory(prefix="summit-kill-") as folder:
        found = campaign(Path(folder) / "data", options.rounds, options.clients, options.seed)
    sys.stdout.write(
        f"{options.rounds} kills, {found.answered} turns answered; ready again after {median(found.restarts):.1f} s "
        f"(slowest {max(found.restarts):.1f} s, a calm start {found.calm:.1f} s)\n"
    )
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    return int(bool(found.faults) or not found.quick)


if __name__ == "__main__":
    sys.exit(main())
