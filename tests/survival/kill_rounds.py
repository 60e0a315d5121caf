"""kill -9 at random moments under clients that send again until they are answered.

    python -m tests.survival.kill_rounds [--rounds 60] [--clients 8]

Every fourth round the database server dies, too (``--database-every 1``: in each). Prints how long each restart took
and what was found broken.
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

from tests.support.servers.clusters import kill_server
from tests.survival.clients import SETTINGS, Address, talk, unlike_asked
from tests.survival.fleet import FreshMortalServer, MortalServer, database_url, last_server, new_user
from tests.survival.invariants import broken

READY_SECONDS = 5.0
TIMES_A_CALM_START = 3.0
LIFE_SECONDS = (0.05, 1.2)


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


def campaign(
    data_dir: Path,
    rounds: int,
    clients: int,
    seed: int,
    database_every: int = 4,
    kind: type[MortalServer] = MortalServer,
) -> Campaign:
    """Kill the server ``rounds`` times under load, then check everything."""
    chance, found, address, over = random.Random(seed), Campaign(), Address(), threading.Event()
    with last_server(data_dir, **SETTINGS) as first, ThreadPoolExecutor(clients) as pool:
        keys = [new_user(first.url, f"client {client}") for client in range(clients)]
        calm, found.calm = _started(data_dir, kind)
        calm.stop()
        users = [pool.submit(talk, address, over, key, client) for client, key in enumerate(keys)]
        for number in range(rounds):
            server, seconds = _started(data_dir, kind)
            found.restarts.append(seconds)
            address.url = server.url
            time.sleep(chance.uniform(*LIFE_SECONDS))
            server.kill()
            if number % database_every == database_every - 1:
                kill_server(data_dir / "postgres")
        over.set()
        with last_server(data_dir, **SETTINGS) as survivor:
            address.url = survivor.url
            said = [turn for user in users for turn in user.result()]
        found.answered = len(said)
        found.faults = broken(database_url(data_dir)) + unlike_asked(said)
    return found


def _started(data_dir: Path, kind: type[MortalServer]) -> tuple[MortalServer, float]:
    began = time.monotonic()
    return kind(data_dir, **SETTINGS), time.monotonic() - began


def main() -> int:
    """Run a campaign and print what came of it; exit status 1 when anything is broken or slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--database-every", type=int, default=4)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}\n")
    with tempfile.TemporaryDirectory(prefix="summit-kill-") as folder:
        data_dir = Path(folder) / "data"
        found = campaign(
            data_dir, options.rounds, options.clients, options.seed, options.database_every, FreshMortalServer
        )
    sys.stdout.write(
        f"{options.rounds} kills, {found.answered} turns answered; ready again after {median(found.restarts):.1f} s "
        f"(slowest {max(found.restarts):.1f} s, a calm start {found.calm:.1f} s)\n"
    )
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    return int(bool(found.faults) or not found.quick)


if __name__ == "__main__":
    sys.exit(main())
