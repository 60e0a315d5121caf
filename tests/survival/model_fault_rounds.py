"""Every kind of fault of a model, twenty turns each, from several users at once: answered, once, and truly.

    python -m tests.survival.model_fault_rounds [--turns 20] [--users 4]

Each kind has a scripted server of its own. Prints, for each, how many turns were answered and what was found wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.models.llm.requests import ModelTarget
from app.turns.model.turns import Turn
from tests.integration.app.models.test_faults import FAULTS, WITHOUT
from tests.support.fakes import ScriptedModelServer, chat
from tests.support.minds import mind_at, mind_on
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server
from tests.survival.fleet import distinct

NOWHERE = {"connection refused": "http://127.0.0.1:9/v1", "no such name": "http://nowhere.invalid/v1"}
SLOW = "slower than the budget"
KINDS = (*FAULTS, *NOWHERE, SLOW)
WORDS = ("buy milk for {}", "call {} tomorrow", "pay {} by friday", "clean {}'s kitchen", "water {}'s plants")
PATIENCE_SECONDS = 60.0


@dataclass
class Found:
    """What one kind of fault came to."""

    answered: int = 0
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0


async def rounds(database: Database, kind: str, turns: int, users: int) -> Found:
    """So many turns of users who talk at once, all against a model with one fault."""
    found = Found()
    with ScriptedModelServer() as models:
        models.script("/chat/completions", chat(delay_seconds=30.0) if kind == SLOW else FAULTS.get(kind, chat()))
        mind = (
            mind_on(ModelTarget(NOWHERE[kind], "m"))
            if kind in NOWHERE
            else mind_at(models, budget_seconds=_budget(kind))
        )
        async with turn_server(database, mind) as server:
            everybody = [await server.another(f"user {number}") for number in range(users)]
            shares = [range(number, turns, users) for number in range(users)]
            await asyncio.gather(*(_talk(one, share, found) for one, share in zip(everybody, shares, strict=True)))
    return found


def _budget(kind: str) -> float:
    return 0.5 if kind == SLOW else 15.0


async def _talk(server: TurnServer, numbers: range, found: Found) -> None:
    said: list[str] = []
    for number in numbers:
        began = time.monotonic()
        turn = await server.wait(
            await server.submit(distinct(WORDS[number % len(WORDS)], f"{number}")), PATIENCE_SECONDS
        )
        found.slowest = max(found.slowest, time.monotonic() - began)
        found.answered += turn.state == "done"
        found.wrong += await _faults_of(server, turn)
        said.append(turn.text or "")
    tasks = await server.tasks()
    if len(tasks) != len(said):
        found.wrong.append(f"{len(said)} messages made {len(tasks)} tasks")


async def _faults_of(server: TurnServer, turn: Turn) -> list[str]:
    """Lost, doubled, or claiming what no row shows."""
    if turn.state != "done" or turn.result is None:
        return [f"{turn.text!r} is {turn.state}"]
    rows = [(row.op, row.status) for row in await server.changes(turn)]
    wrong = [] if rows == [("create", "applied")] else [f"{turn.text!r} made {rows}"]
    if turn.result.understanding != "fallback" or not reply_of(turn).endswith(WITHOUT):
        wrong.append(f"{turn.text!r} does not say that the model failed")
    if "Done!" in reply_of(turn) or reply_of(turn).count("Added “") != 1:
        wrong.append(f"{turn.text!r} claims {reply_of(turn)!r}")
    return wrong


async def _all(url: str, turns: int, users: int) -> int:
    await migrate(url, lambda _: None)
    total, wrong = 0, 0
    async with Database(url) as database:
        for kind in KINDS:
            found = await rounds(database, kind, turns, users)
            total, wrong = total + found.answered, wrong + len(found.wrong)
            sys.stdout.write(f"{kind}: {found.answered} of {turns} answered, slowest {found.slowest:.1f} s\n")
            sys.stdout.writelines(f"  {one}\n" for one in found.wrong)
    sys.stdout.write(f"{len(KINDS)} kinds, {total} of {len(KINDS) * turns} turns answered, {wrong} things wrong\n")
    return int(wrong > 0 or total < len(KINDS) * turns)


def main() -> int:
    """Play all kinds; exit status 1 when anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--users", type=int, default=4)
    options = parser.parse_args()
    logging.getLogger("app").setLevel(logging.ERROR)  # every turn fails at the model, by intention
    with tempfile.TemporaryDirectory(prefix="summit-faults-") as folder:
        server = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None, durable=False)
        try:
            return asyncio.run(_all(server.url, options.turns, options.users))
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
