"""kill -9 of a server, its worker and its database in the middle of workflows.

    python -m tests.survival.workflow_rounds [--kills 30] [--runs 12]

Every fourth kill takes the database with it. Each run adds a task, asks memory, adds a task with what it heard, and
tells. Prints what was broken: a task or a telling that is missing or there twice, a run that never ended.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg

from tests.support.servers.clusters import kill_server
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS
from tests.survival.clients import SETTINGS
from tests.survival.fleet import MortalServer, database_url, last_server, new_user

LIFE_SECONDS = (0.0, 0.8)
"""After the last start of a round."""
END_SECONDS = 600.0
FLOW = {
    "slug": "round",
    "name": "Round",
    "inputs": ["name"],
    "steps": [
        {"id": "first", "kind": "turn", "message": "add a task: paint the {{inputs.name}} fence"},
        {"id": "ask", "kind": "memory_query", "question": "What did I say about the fence?"},
        {"id": "second", "kind": "turn", "message": "add a task: photograph the {{inputs.name}} fence"},
        {"id": "tell", "kind": "notify", "text": "{{inputs.name}}: {{steps.second}}"},
    ],
}
CREATED = "select title from summit.changes where op = 'create' and kind = 'todo' and status = 'applied'"
TOLD = "select text from summit.notifications where kind = 'workflow'"
CUT = "select count(*) from summit.workflow_runs where lease_generation > 1"
ENDS = "select status, message, count(*) from summit.workflow_runs group by 1, 2"


@dataclass
class Found:
    """What a campaign came to; ``cut`` counts the runs that more than one worker had."""

    runs: int = 0
    cut: int = 0
    faults: list[str] = field(default_factory=list)


def name_of(number: int) -> str:
    """A word that is like no other."""
    return "zu" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


def campaign(data_dir: Path, kills: int, runs: int, seed: int) -> Found:
    """Kill the server ``kills`` times while workflows run, then let them end, and check everything."""
    chance, found = random.Random(seed), Found()
    with last_server(data_dir, **SETTINGS) as first:
        key = new_user(first.url, "worker")
        with _client(first.url, key) as client:
            assert client.put("/v1/workflows/round", json=FLOW).status_code == 200
    for number in range(kills):
        server = MortalServer(data_dir, **SETTINGS)
        with _client(server.url, key) as client:
            for _ in range(runs):
                _start(client, found)
            time.sleep(chance.uniform(*LIFE_SECONDS))
        server.kill()
        if number % 4 == 3:
            kill_server(data_dir / "postgres")
    with last_server(data_dir, **SETTINGS), psycopg.connect(database_url(data_dir), autocommit=True) as conn:
        found.faults += _broken(conn, found.runs)
        [(found.cut,)] = conn.execute(CUT).fetchall()
    return found


def _start(client: httpx.Client, found: Found) -> None:
    """One run; whether it was accepted is not known for sure when the server dies, so it is asked for again."""
    name = name_of(found.runs)
    with suppress(httpx.HTTPError):
        body = {"inputs": {"name": name}}
        if client.post("/v1/workflows/round/runs", json=body, headers={"Idempotency-Key": name}).status_code == 202:
            found.runs += 1


def _broken(conn: psycopg.Connection, runs: int) -> list[str]:
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        ends = conn.execute(ENDS).fetchall()
        if all(status == "done" for status, _, _ in ends):
            break
        time.sleep(0.5)
    faults = [f"{count} runs are {status}: {message}" for status, message, count in ends if status != "done"]
    created = Counter(title for (title,) in conn.execute(CREATED))
    told = Counter(text.partition(":")[0] for (text,) in conn.execute(TOLD))
    wanted = {f"{verb} the {name_of(number)} fence" for number in range(runs) for verb in ("paint", "photograph")}
    faults += [f"{title} was created {times} times" for title, times in created.items() if times > 1]
    faults += [f"{title} was never created" for title in sorted(wanted - set(created))]
    faults += [f"{name} was told {times} times" for name, times in told.items() if times > 1]
    return faults + [f"{name_of(number)} was never told" for number in range(runs) if name_of(number) not in told]


def _client(url: object, key: str) -> httpx.Client:
    return plain_client(str(url), {"Authorization": f"Bearer {key}"}, seconds=HANG_SECONDS)


def main() -> int:
    """Run a campaign and print what came of it; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}\n")
    with tempfile.TemporaryDirectory(prefix="summit-workflows-") as folder:
        found = campaign(Path(folder) / "data", options.kills, options.runs, options.seed)
    sys.stdout.write(f"{options.kills} kills; {found.runs} runs ended, {found.cut} of them after they were cut\n")
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
