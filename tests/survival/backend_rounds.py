"""Connections to the database are cut at random moments under clients that ask for three things at once.

    python -m tests.survival.backend_rounds [--kills 60] [--clients 8]

A kill ends one backend of the server, one of those that write, or all of them. Prints what was answered, and what is
broken.
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

import psycopg

from tests.survival.clients import SETTINGS, Address, talk, unlike_asked
from tests.survival.fleet import database_url, last_server, new_user
from tests.survival.invariants import broken

PAUSE_SECONDS = (0.05, 0.6)
CUT = """
select pg_terminate_backend(pid) from (
    select pid from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() and (%(idle)s or backend_xid is not null)
    order by random() limit %(most)s
) as victims
"""
VICTIMS = ({"idle": True, "most": 1}, {"idle": False, "most": 1}, {"idle": True, "most": 1000})
SETTINGS_AS_INSTALLED = {**SETTINGS, "SUMMIT_TURN_ATTEMPTS": "5"}


@dataclass
class Found:
    """What the rounds came to: backends ended, turns answered, parts asked for, faults."""

    cut: int = 0
    answered: int = 0
    parts: int = 0
    faults: list[str] = field(default_factory=list)


def rounds(data_dir: Path, kills: int, clients: int, seed: int) -> Found:
    """Cut connections ``kills`` times while ``clients`` talk, then compare what they were told with the ledger."""
    chance, found, over = random.Random(seed), Found(), threading.Event()
    with last_server(data_dir, **SETTINGS_AS_INSTALLED) as server, ThreadPoolExecutor(clients) as pool:
        keys = [new_user(server.url, f"client {client}") for client in range(clients)]
        talks = [pool.submit(talk, Address(server.url), over, key, client) for client, key in enumerate(keys)]
        try:
            found.cut = sum(_cut(database_url(data_dir), chance) for _ in range(kills))
        finally:
            over.set()
        said = [one for talking in talks for one in talking.result()]
        found.answered, found.parts = len(said), sum(len(one.wanted) for one in said)
        found.faults = broken(database_url(data_dir)) + unlike_asked(said)
    return found


def _cut(url: str, chance: random.Random) -> int:
    """End some backends now; how many."""
    time.sleep(chance.uniform(*PAUSE_SECONDS))
    with psycopg.connect(url, autocommit=True) as conn:
        return len(conn.execute(CUT, chance.choice(VICTIMS)).fetchall())


def main() -> int:
    """Run the rounds and print what came of them; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-cut-") as folder:
        found = rounds(Path(folder) / "data", options.kills, options.clients, options.seed)
    sys.stdout.write(
        f"seed {options.seed}: {options.kills} kills ended {found.cut} backends; {found.answered} turns answered, "
        f"{found.parts} parts\n"
    )
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
