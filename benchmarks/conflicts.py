"""Measures what it costs to find what a new event clashes with, among many recurring ones.

    python -m benchmarks conflicts [--series 1000] [--tenants 3] [--rounds 200]

One user has the series, as many again stand in each of the other tenants' calendars. The check is what the ledger does
between its lock and its writes: rehearse the batch, read the busy time around it, settle. It is compared with a ledger
that reads the same events and expands them each time, and with one user who has no event at all.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from uuid import UUID, uuid4

import psycopg

from agents.contract import Proposal
from agents.ledger.conflicts import BusyCalendar
from agents.ledger.settle import Book, preview_events, settle
from agents.ports import Batch
from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.http.accounts.store.users import Users
from app.principal import Principal, acting_as
from app.records.store.busy_time import Calendar, open_busy_calendar
from app.records.store.ledger import PostgresLedger
from app.records.store.occurrences import Occurrences

BATCH = 20
RULES = ("FREQ=WEEKLY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=TU,TH", "FREQ=WEEKLY;INTERVAL=2", "FREQ=MONTHLY", "FREQ=DAILY")
ROW = "{:44}{:>10}{:>10}"
COPY = """
insert into summit.occurrences (user_id, source, item, title, during, whole_day, busy, series)
select %s, source, item, title, during, whole_day, busy, series from summit.occurrences where user_id = %s
"""
Timed = Callable[[], Awaitable[object]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--series", type=int, default=1000)
    parser.add_argument("--tenants", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
        server = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None)
        try:
            asyncio.run(_measure(server.url, options.series, options.tenants, options.rounds))
        finally:
            server.stop()


async def _measure(url: str, series: int, tenants: int, rounds: int) -> None:
    await migrate(url, lambda _: None)
    async with Database(url) as database:
        users = Users(database)
        busy, empty = (await users.create("busy", uuid4())).id, (await users.create("empty", uuid4())).id
        await _fill(PostgresLedger(database), busy, series)
        others = [(await users.create("other", uuid4())).id for _ in range(tenants)]
        rows = await asyncio.to_thread(_copy, url, busy, others)
        print(f"{series} series of one user, {rows} occurrences of {tenants + 1} users")
        print(ROW.format("milliseconds", "median", "p95"))
        ledger = PostgresLedger(database)
        await _table("check, no event in the calendar", rounds, lambda: _check(database, _booking(empty)))
        checked = await _table(f"check among {series} series", rounds, lambda: _check(database, _booking(busy)))
        await _table("the whole write, no event in the calendar", rounds, lambda: _write(ledger, _booking(empty)))
        await _table(f"the whole write among {series} series", rounds, lambda: _write(ledger, _booking(busy)))
        expanded = await _table("expanding on the fly instead", 5, lambda: _expanding(database, _booking(busy)))
        print(f"On the fly takes {expanded / checked:.0f} times as long as the check.")


async def _fill(ledger: PostgresLedger, user_id: UUID, series: int) -> None:
    chosen = random.Random(7)
    events = [_event(number, chosen) for number in range(series)]
    for place in range(0, series, BATCH):
        await _write(ledger, _batch(user_id, events[place : place + BATCH]))


def _event(number: int, chosen: random.Random) -> dict[str, str]:
    """A series of half an hour that began in the last three years."""
    day = datetime.now(UTC).date() - timedelta(days=chosen.randrange(1, 1095))
    start = datetime(day.year, day.month, day.day, chosen.randrange(7, 19), 15 * chosen.randrange(4), tzinfo=UTC)
    end = start + timedelta(minutes=30)
    return {
        "title": f"series {number}",
        "start": start.isoformat(),
        "end": end.isoformat(),
        "recurrence": chosen.choice(RULES),
    }


def _booking(user_id: UUID) -> Batch:
    """One event of an hour on some hour of the coming weeks; each request another one."""
    day = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(days=random.randrange(1, 60))
    return _batch(user_id, [{"title": "call", "start": day.replace(hour=random.randrange(8, 18)).isoformat()}])


def _batch(user_id: UUID, events: list[dict[str, str]]) -> Batch:
    proposals = [Proposal(op="create", kind="event", fields=dict(fields)) for fields in events]
    return Batch(
        user_id=str(user_id),
        origin=str(uuid4()),
        agent="bench",
        proposals=proposals,
        at=datetime.now(UTC),
        timezone="Europe/Lisbon",
    )


async def _write(ledger: PostgresLedger, batch: Batch) -> None:
    with acting_as(Principal(UUID(batch.user_id))):
        changes = await ledger.apply(batch)
    assert {change.status for change in changes} == {"applied"}


async def _check(database: Database, batch: Batch) -> None:
    book = Book(cursor=0)
    async with database.tenant(UUID(batch.user_id)) as conn:
        book.diary = await open_busy_calendar(conn, batch, preview_events(batch, book), Occurrences())
        settle(batch, book)


async def _expanding(database: Database, batch: Batch) -> None:
    """The same check without the table: every series is read and worked out where it is needed."""
    book = Book(cursor=0)
    changed = preview_events(batch, book)
    async with database.tenant(UUID(batch.user_id)) as conn:
        book.diary = diary = BusyCalendar(batch.at, batch.timezone)
        calendar = Calendar(conn, UUID(batch.user_id))
        found = await calendar.clashing([span for pair in changed for span in diary.claimed(*pair)])
        diary.taken = await calendar.taken(diary.hold(changed, found))
        settle(batch, book)


async def _table(name: str, rounds: int, work: Timed) -> float:
    """Time the work, print a row of the table, return the median in milliseconds."""
    taken = []
    for number in range(rounds + 3):
        began = time.perf_counter()
        await work()
        taken += [(time.perf_counter() - began) * 1000] if number >= 3 else []
    print(ROW.format(name, f"{median(taken):.1f}", f"{quantiles(taken, n=20)[-1]:.1f}"))
    return median(taken)


def _copy(url: str, busy: UUID, others: list[UUID]) -> int:
    """Give other tenants the same occurrences, past row-level security; returns how many rows there are."""
    with psycopg.connect(url, autocommit=True) as conn:
        for other in others:
            conn.execute(COPY, (other, busy))
        conn.execute("analyze summit.occurrences")
        row = conn.execute("select count(*) from summit.occurrences").fetchone()
    assert row is not None
    return int(row[0])
