"""kill -9 of a server, its worker and its database in the middle of runs.

    python -m tests.survival.run_rounds [--kills 50] [--runs 6] [--life 6]

Every fourth kill takes the database with it. A scripted model gives every run the same work: tasks through the ledger,
files that are written and moved, and a deletion that is asked about and clicked twenty times. Prints what was broken.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.servers.clusters import kill_server
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS
from tests.survival.clients import SETTINGS
from tests.survival.fleet import MortalServer, database_url, last_server, new_user

TASKS = 4
CLICKS = 20
SHORTEST_LIFE, LONGEST_LIFE = 0.5, 6.0
END_SECONDS = 2 * HANG_SECONDS
PRICED = {"SUMMIT_LLM_PRICES": '{"scripted": [1, 5]}', "SUMMIT_CREDITS_STARTER": "1000000"}
GOAL = re.compile(r"goal (\w+)")
UNSEEN = """
select count(*) from summit.runs r where r.event_seq <> (select count(*) from summit.run_events e where e.run_id = r.id)
   or r.event_seq <> (select coalesce(max(seq), 0) from summit.run_events e where e.run_id = r.id)
"""
UNBALANCED = """
select count(*) from summit.credit_accounts a
where a.held <> 0 or a.available + a.spent <> a.granted
   or exists (select from summit.credit_holds h where h.user_id = a.user_id)
"""
DECIDED = "select data ->> 'approval_id' from summit.run_events where type = 'run.resumed'"
CREATED = "select title from summit.changes where op = 'create' and kind = 'todo' and status = 'applied'"


@dataclass
class Found:
    """What a campaign came to."""

    ends: Counter[str] = field(default_factory=Counter)
    decided: int = 0
    faults: list[str] = field(default_factory=list)


def calls_of(name: str) -> list[Call]:
    """The work of one run, call by call."""
    tasks = [
        Call("change_record", {"op": "create", "kind": "todo", "fields": {"task": f"task {name} {number}"}})
        for number in range(TASKS)
    ]
    write = Call("write_file", {"path": f"{name}/draft.txt", "content": name})
    move = Call("move_file", {"source": f"{name}/draft.txt", "target": f"{name}/final.txt"})
    delete = Call("delete_file", {"path": f"{name}/final.txt"})
    return [*tasks[:2], write, move, *tasks[2:], delete, Call("finish", {"answer": f"{name} is done"})]


def model(request: RecordedRequest) -> Reply:
    """The next call by what the run has seen; a little slow, so that kills meet every place."""
    messages = [str(message["content"]) for message in request.json["messages"]]
    goal = GOAL.search(" ".join(messages[1:]))
    seen = sum("<observation tool" in message for message in messages[1:])
    calls = calls_of(goal.group(1) if goal else "nobody")
    time.sleep(0.05)
    return chat(calls[min(seen, len(calls) - 1)])(request)


def settings_of(models: ScriptedModelServer) -> dict[str, str]:
    """Of servers whose runs ask these models."""
    named = {"SUMMIT_LLM_BASE_URL": models.base_url, "SUMMIT_LLM_MODEL": "scripted", "SUMMIT_LLM_API_KEY": "x"}
    return {**SETTINGS, **named, **PRICED}


def campaign(data_dir: Path, kills: int, runs: int, seed: int, life: float = LONGEST_LIFE) -> Found:
    """Kill the server ``kills`` times while runs work, then let them end, and check everything."""
    chance, found = random.Random(seed), Found()
    with ScriptedModelServer() as models, ThreadPoolExecutor(CLICKS) as pool:
        models.script("/chat/completions", model)
        settings = settings_of(models)
        with last_server(data_dir, **settings) as first:
            key, known = new_user(first.url, "runner"), Known()
        for number in range(kills):
            server = MortalServer(data_dir, **settings)
            until = time.monotonic() + chance.uniform(SHORTEST_LIFE, life)
            with client_of(server.url, key) as client:
                known.start(client, runs)
                while time.monotonic() < until:
                    known.look(client, pool, found)
                    time.sleep(0.1)
            server.kill()
            if number % 4 == 3:
                kill_server(data_dir / "postgres")
        with last_server(data_dir, **settings) as survivor, client_of(survivor.url, key) as client:
            deadline = time.monotonic() + END_SECONDS
            while known.open and time.monotonic() < deadline:
                known.look(client, pool, found)
                time.sleep(0.2)
            found.faults += [f"run {name} has not ended" for name in known.open]
            found.ends = known.ends
            found.faults += broken_runs(database_url(data_dir), known)
    return found


class Known:
    """The runs that were started."""

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.ends: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.started = 0

    def start(self, client: httpx.Client, most: int) -> None:
        """Start runs until so many are open."""
        while len(self.open) < most:
            name = f"r{self.started}"
            body = {"goal": f"goal {name}", "planner": "react"}
            try:
                answer = client.post("/v1/runs", json=body, headers={"Idempotency-Key": name})
            except httpx.HTTPError:
                return
            if answer.status_code != 202:
                return
            self.open[name], self.started = answer.json()["id"], self.started + 1

    def look(self, client: httpx.Client, pool: ThreadPoolExecutor, found: Found) -> None:
        """Take note of what has ended, and click on what is asked, twenty times at once."""
        with suppress(httpx.HTTPError):
            for name, run_id in list(self.open.items()):
                run = client.get(f"/v1/runs/{run_id}").json()
                if run.get("status") == "done":
                    self._ended(name, run)
                elif run.get("status") == "waiting":
                    _click(client, pool, run_id, found)

    def _ended(self, name: str, run: dict[str, Any]) -> None:
        del self.open[name]
        self.ends[run["stop_reason"]] += 1
        if run["stop_reason"] != "goal_achieved":
            self.wrong.append(f"run {name} ended as {run['stop_reason']}: {run['result']}")


def _click(client: httpx.Client, pool: ThreadPoolExecutor, run_id: str, found: Found) -> None:
    """Approve what is asked; what nobody knows is left as it is."""
    for asked in client.get(f"/v1/runs/{run_id}/approvals").json()["items"]:
        if asked["status"] != "pending":
            continue
        body = {"approval_id": asked["id"], "action": "reject" if asked["kind"] == "unknown" else "approve"}

        def click(_: int, body: dict[str, Any] = body) -> int:
            with suppress(httpx.HTTPError):
                return client.post(f"/v1/runs/{run_id}/approvals", json=body).status_code
            return 0

        statuses = list(pool.map(click, range(CLICKS)))
        found.decided += statuses.count(200)
        if statuses.count(200) > 1:
            found.faults.append(f"an approval was decided {statuses.count(200)} times")


def broken_runs(url: str, known: Known) -> list[str]:
    """What is wrong with the runs that were started, and with what they did."""
    faults = [*known.wrong]
    with psycopg.connect(url) as conn:
        if (gaps := conn.execute(UNSEEN).fetchone()) != (0,):
            faults.append(f"{gaps} traces have a gap")
        if conn.execute("select sum(spent) from summit.credit_accounts").fetchone() in ((0,), (None,)):
            faults.append("no call of the model was paid")
        if (held := conn.execute(UNBALANCED).fetchone()) != (0,):
            faults.append(f"{held} accounts hold credits of runs that have ended, or do not add up")
        decided = Counter(row[0] for row in conn.execute(DECIDED))
        faults += [f"approval {one} was decided {times} times" for one, times in decided.items() if times > 1]
        created = Counter(row[0] for row in conn.execute(CREATED))
    wanted = {f"task r{run} {number}" for run in range(known.started) for number in range(TASKS)}
    faults += [f"{title} was created {times} times" for title, times in created.items() if times > 1]
    return faults + [f"{title} was never created" for title in wanted - set(created)]


def client_of(url: object, key: str) -> httpx.Client:
    """A client of the user with this key."""
    return plain_client(str(url), {"Authorization": f"Bearer {key}"}, seconds=HANG_SECONDS)


def main() -> int:
    """Run a campaign and print what came of it; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--runs", type=int, default=6)
    parser.add_argument("--life", type=float, default=LONGEST_LIFE, help="longest, in seconds; more on a busy machine")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}\n")
    with tempfile.TemporaryDirectory(prefix="summit-runs-") as folder:
        found = campaign(Path(folder) / "data", options.kills, options.runs, options.seed, options.life)
    ends = ", ".join(f"{count} {reason}" for reason, count in found.ends.items())
    sys.stdout.write(f"{options.kills} kills; runs ended: {ends}; {found.decided} approvals decided\n")
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing is broken\n")
    return int(bool(found.faults))


if __name__ == "__main__":
    sys.exit(main())
