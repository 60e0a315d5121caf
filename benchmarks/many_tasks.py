"""Measures turns of a user with little and of one with very much stored, side by side on one server.

    python -m benchmarks many_tasks [--many 5000] [--rounds 20]

The one has five tasks, events and notes, the other ``--many`` tasks, as many events and a fifth as many notes; what the
messages are about is the same, so that both answers are of one length. Each message is sent in turn by both, so that
what else the machine does strikes both alike; figures are medians, of processor time of the API process, too. The last
lines are a third user's, who has nothing: alone, and while the big account is talked to all the time.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from agents.contract import Proposal
from agents.ports import Batch
from agents.records import Kind
from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.principal import Principal, acting_as
from app.records.store.ledger import PostgresLedger
from benchmarks.gauges import Gauges
from tests.support.servers.load import ADMIN_KEY, Connection, connected
from tests.support.servers.running import running

FEW, WARM_UP = 5, 3
ADD, MOVE, ASK, REMEMBER = "add", "move", "question", "memory question"
COLOURS = "red green yellow white black purple".split()
FRUIT = "grapes plums pears figs melons cherries apricots peaches olives quinces".split()
SAID = {
    ADD: tuple(f"add a task: buy {colour} {fruit}" for colour in COLOURS for fruit in FRUIT),
    MOVE: ("move the glacier survey to friday at 3pm", "move the glacier survey to thursday at 4pm"),
    ASK: ("what's on tomorrow",),
    REMEMBER: ("what did i say about the lighthouse",),
}
CHORES = "paint mend sweep order call measure clean sort wash pack".split()
PLACES = "kitchen hallway garden attic cellar garage balcony office shed roof fence gate pond barn loft".split()
THINGS = "shelf lamp rug chair mirror curtain kettle ladder vase clock drawer basket".split()
OCCURRENCES = """
insert into summit.occurrences (user_id, source, item, title, during)
select %s, 'own', key, value->>'title', tstzrange((value->>'start')::timestamptz, (value->>'end')::timestamptz)
from summit.store where prefix = %s on conflict do nothing
"""
ROW = "{:34}{:>10}{:>10}{:>8}"


@dataclass
class Account:
    """A user with a key; ``ms`` and ``cpu`` are what the turns of each sort took."""

    id: UUID
    key: str
    sent: int = 0
    asked: int = 0
    ms: dict[str, list[float]] = field(default_factory=dict)
    cpu: dict[str, list[float]] = field(default_factory=dict)


def things(count: int) -> dict[Kind, list[dict[str, Any]]]:
    """Return tasks, events and notes: what the messages are about, and the rest far ahead of the days asked about."""
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    names = [
        f"{CHORES[n % 10]} the {PLACES[n // 10 % len(PLACES)]} {THINGS[n // 7 % len(THINGS)]} {n}" for n in range(count)
    ]
    days = [now + timedelta(days=20 + n // 4, hours=n % 4 * 3) for n in range(count)]
    todos = [{"task": name, "deadline": f"{day:%Y-%m-%d}"} for name, day in zip(names, days, strict=True)]
    events = [
        {"title": f"meet about {name}", "start": day.isoformat(), "end": (day + timedelta(hours=1)).isoformat()}
        for name, day in zip(names, days, strict=True)
    ]
    notes = [{"content": f"{name} needs new screws"} for name in names[: max(FEW, count // 5)]]
    survey = (now + timedelta(days=9)).isoformat()
    events[0] |= {"title": "glacier survey", "start": survey, "end": (now + timedelta(days=9, hours=1)).isoformat()}
    notes[0] = {"content": "the lighthouse is painted every third summer"}
    return {"todo": todos, "event": events, "note": notes}


async def settle_in(line: Connection, ledger: PostgresLedger, session: psycopg.Connection, count: int) -> Account:
    """Return a new user once so much is stored: the first few by the ledger, the rest as it would have written them."""
    made = await line.post("/v1/users", {"name": "bench"}, ADMIN_KEY)
    account = Account(UUID(made["id"]), made["api_key"])
    stored = things(count) if count else {}
    first = [Proposal(op="create", kind=kind, fields=one) for kind, some in stored.items() for one in some[:FEW]]
    batch = Batch(
        user_id=str(account.id), origin=str(uuid4()), agent="bench", proposals=first, at=datetime.now(UTC),
        timezone="UTC",
    )  # fmt: skip
    with acting_as(Principal(account.id)):
        changes = await ledger.apply(batch)
    assert {change.status for change in changes} <= {"applied"}
    for kind, some in stored.items():
        like = next(change.after or {} for change in changes if change.kind == kind)
        await asyncio.to_thread(_copy, session, account.id, kind, [like | one for one in some[FEW:]])
    return account


def _copy(session: psycopg.Connection, user: UUID, kind: Kind, records: Sequence[dict[str, Any]]) -> None:
    rows = [(f"{kind}.{user}", str(uuid4()), record) for record in records]
    with session.cursor() as cursor:
        cursor.executemany(
            "insert into summit.store (prefix, key, value) values (%s, %s, %s)",
            [(prefix, key, Jsonb(record | {"id": key})) for prefix, key, record in rows],
        )
        if kind == "event":
            cursor.execute(OCCURRENCES, (user, f"event.{user}"))


async def turn(line: Connection, account: Account, sort: str, gauges: Gauges | None = None) -> None:
    """Have a user say something of a sort, and note what it took."""
    words = SAID[sort][account.sent % len(SAID[sort])]
    account.sent += 1
    began, cpu = time.perf_counter(), gauges.cpu_ms() if gauges else 0.0
    answer = await line.post("/v1/turns", {"text": words}, account.key)
    account.ms.setdefault(sort, []).append((time.perf_counter() - began) * 1000)
    account.cpu.setdefault(sort, []).append((gauges.cpu_ms() if gauges else 0.0) - cpu)
    account.asked += answer["status"] != "done"


@asynccontextmanager
async def talked_to(url: str, account: Account) -> AsyncIterator[None]:
    """Have the account talked to all the time."""

    async def talk() -> None:
        async with connected(url) as line:
            while True:
                for sort in SAID:
                    await turn(line, account, sort)

    talking = asyncio.create_task(talk())
    try:
        yield
    finally:
        talking.cancel()
        with suppress(asyncio.CancelledError):
            await talking


def say_row(name: str, few: Sequence[float], many: Sequence[float]) -> None:
    """Print two medians and what one is of the other."""
    ratio = median(many) / (median(few) or 1)
    print(ROW.format(name, f"{median(few):.1f}", f"{median(many):.1f}", f"{ratio:.2f}"), flush=True)


async def measure(url: str, database_url: str, gauges: Gauges, many: int, rounds: int) -> None:
    """Print a line for each sort of message, and those of the neighbour."""
    async with Database(database_url) as database, connected(url) as line:
        ledger = PostgresLedger(database)
        few, big, neighbour, crowd = [
            await settle_in(line, ledger, gauges.session, count) for count in (FEW, many, 0, FEW)
        ]
        for account in (few, big):
            await turn(line, account, ASK)
        print(ROW.format("first turn, ms", f"{few.ms[ASK][0]:.0f}", f"{big.ms[ASK][0]:.0f}", ""), flush=True)
        for sort in SAID:
            for place in range(rounds + WARM_UP):
                for account in (few, big) if place % 2 else (big, few):
                    await turn(line, account, sort, gauges)
            if few.asked or big.asked:
                print(f"{few.asked} and {big.asked} turns were answered with a question", flush=True)
            for name, of in (("ms", "ms"), ("ms of processor", "cpu")):
                times = [getattr(account, of)[sort][-rounds:] for account in (few, big)]
                say_row(f"{sort}, {name}", *times)
        for name, beside in (("small", crowd), ("big", big)):
            neighbour.ms.clear()
            async with talked_to(url, beside):
                for _ in range(rounds + WARM_UP):
                    await turn(line, neighbour, ASK)
            spent = neighbour.ms[ASK][WARM_UP:]
            print(
                f"neighbour beside a {name} account: median {median(spent):.1f} ms, longest {max(spent):.1f} ms",
                flush=True,
            )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--many", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
        postgres = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None)
        settings = {"DATABASE_URL": postgres.url, "SUMMIT_ADMIN_KEY": ADMIN_KEY}
        try:
            with running(Path(folder) / "data", **settings) as server:
                gauges = Gauges(server.process.pid, postgres.url)
                print(ROW.format(f"{FEW} of each, and {options.many}", "few", "many", "ratio"), flush=True)
                asyncio.run(measure(server.url, postgres.url, gauges, options.many, options.rounds))
                gauges.close()
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
