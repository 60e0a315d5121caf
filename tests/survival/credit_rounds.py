"""Credits under kill -9: users talk through a model that fails at random, and the server is killed again and again.

    python -m tests.survival.credit_rounds [--turns 200] [--users 20] [--kills 6]

At the end every message is answered, the ledger of credits adds up to the last one, and nothing is held any more.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
from psycopg.rows import dict_row

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.minds import message_of
from tests.survival.clients import Address
from tests.survival.fleet import (
    ADMIN_KEY,
    CLIENT,
    RETRY_SECONDS,
    MortalServer,
    database_url,
    distinct,
    last_server,
    new_user,
)
from tests.survival.invariants import broken

PRICES = '{"scripted": [1.0, 5.0]}'
LIFE_SECONDS = (0.5, 2.0)
ANSWER_SECONDS = 600.0
DRIFT = """
select a.user_id, a.available, a.held, a.spent, coalesce(sum(e.available), 0) as sum_available,
       coalesce(sum(e.held), 0) as sum_held, coalesce(sum(e.spent), 0) as sum_spent,
       (select coalesce(sum(h.credits), 0) from credit_holds h where h.user_id = a.user_id) as holds
from credit_accounts a left join credit_entries e on e.user_id = a.user_id group by a.user_id
"""


@dataclass
class Found:
    """What the rounds came to."""

    answered: int = 0
    spent: int = 0
    given_back: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Moody:
    """A model that takes its time, and fails now and then; ``dice`` is shared by the threads that ask it."""

    dice: random.Random

    def __call__(self, request: RecordedRequest) -> Reply:
        luck, pause = self.dice.random(), self.dice.random() * 0.3
        if luck < 0.1:
            return Reply({}, status=500, delay_seconds=pause)
        if luck < 0.15:
            return Reply(drop=True, delay_seconds=pause)
        if luck < 0.2:
            return Reply("<html></html>", content_type="text/html")
        return chat(Call("create_task", {"title": message_of(request)}), delay_seconds=pause)(request)


def rounds(data_dir: Path, turns: int, users: int, kills: int, seed: int) -> Found:
    """Kill the server ``kills`` times while ``users`` send ``turns`` messages, then look at every account."""
    chance, found, address = random.Random(seed), Found(), Address()
    with ScriptedModelServer() as models, ThreadPoolExecutor(users) as pool:
        models.script("/chat/completions", Moody(random.Random(seed)))
        settings = _settings(models)
        with last_server(data_dir, **settings) as first:
            keys = [new_user(first.url, f"user {number}") for number in range(users)]
        over = threading.Event()
        talks = [pool.submit(_talk, address, key, range(number, turns, users), over) for number, key in enumerate(keys)]
        try:
            for _ in range(kills):
                server = MortalServer(data_dir, **settings)
                address.url = server.url
                time.sleep(chance.uniform(*LIFE_SECONDS))
                server.kill()
            with last_server(data_dir, **settings) as survivor:
                address.url = survivor.url
                found.answered = sum(_said(talk) for talk in talks)
                found.faults = [
                    *broken(database_url(data_dir), worded=False),
                    *_accounts(database_url(data_dir), found),
                ]
        finally:
            over.set()
    return found


def _settings(models: ScriptedModelServer) -> dict[str, str]:
    return {
        "SUMMIT_ADMIN_KEY": ADMIN_KEY,
        "SUMMIT_LLM_BASE_URL": models.base_url,
        "SUMMIT_LLM_MODEL": "scripted",
        "SUMMIT_LLM_PRICES": PRICES,
        "SUMMIT_LLM_BACKOFF_SECONDS": "0.1",
        "SUMMIT_LLM_FAILURES": "1000000",
    }


def _talk(address: Address, key: str, numbers: range, over: threading.Event) -> int:
    """How many messages were answered; the next one is said once the last is."""
    answered = 0
    for number in numbers:
        turn = _insist(address, key, number, over)
        answered += turn["status"] == "done" and [change["status"] for change in turn["changes"]] == ["applied"]
    return answered


def _insist(address: Address, key: str, number: int, over: threading.Event) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": str(number)}
    body = {"text": distinct("buy soap for {}", f"{number}")}
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline and not over.is_set():
        try:
            answer = CLIENT.post(f"{address}/v1/turns", json=body, headers=headers)
        except httpx.HTTPError:
            time.sleep(RETRY_SECONDS)
            continue
        if answer.status_code == 200:
            return dict(answer.json())
        time.sleep(RETRY_SECONDS)
    raise AssertionError(f"message {number} was never answered")


def _said(talk: Future[int]) -> int:
    return talk.result(ANSWER_SECONDS)


def _accounts(url: str, found: Found) -> list[str]:
    """What does not add up, and what is still held."""
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as conn:
        conn.execute("set search_path = summit, public")
        rows = conn.execute(DRIFT).fetchall()
        back = conn.execute("select count(*) as n from credit_entries where kind = 'release'").fetchone()
    found.spent = sum(row["spent"] for row in rows)
    found.given_back = back["n"] if back else 0
    drifted = [row for row in rows if any(row[name] != row[f"sum_{name}"] for name in ("available", "held", "spent"))]
    held = [row for row in rows if row["held"] or row["holds"]]
    return [f"drift: {row}" for row in drifted] + [f"still held: {row}" for row in held]


def main() -> int:
    """Run the rounds and print what came of them; exit status 1 when anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-credits-") as folder:
        found = rounds(Path(folder) / "data", options.turns, options.users, options.kills, options.seed)
    sys.stdout.write(
        f"seed {options.seed}: {options.kills} kills, {found.answered} of {options.turns} turns answered once, "
        f"{found.spent} credits spent, {found.given_back} holds given back\n"
    )
    sys.stdout.write("\n".join([*found.faults, ""]) or "nothing drifted, nothing is held\n")
    return int(bool(found.faults) or found.answered != options.turns)


if __name__ == "__main__":
    sys.exit(main())
