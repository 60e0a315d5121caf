"""Reminders across a change of clocks, in a time that goes on with each look, under kill -9 at the worst moments."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
from psycopg.rows import dict_row

from tests.support.waiting import wait_until
from tests.survival.crashing_server import LOOKED
from tests.survival.fleet import CLIENT, MortalServer, database_url, last_server, mortal

NEW_YORK = ZoneInfo("America/New_York")
TICK = 60
"""Seconds by which the clock goes on whenever it is looked at: a few reminders come due between two looks."""
ONCE, DAILY = 90, 10
END = timedelta(hours=6)
KILLS = [("PostgresOutbox.deliver commit", 6), ("PostgresOutbox.claim after", 4), ("PostgresOutbox.deliver after", 3)]
QUICK = {
    "SUMMIT_REMINDER_LEASE_SECONDS": "1",
    "SUMMIT_REMINDER_LOOK_SECONDS": "0.1",
    "SUMMIT_TIMEZONE": "America/New_York",
}


def next_change() -> datetime:
    """The next hour at which New York changes its clocks."""
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(days=3)
    while offset(hour) == offset(hour - timedelta(hours=1)):
        hour += timedelta(hours=1)
    return hour


def offset(instant: datetime) -> timedelta | None:
    return instant.astimezone(NEW_YORK).utcoffset()


def clock(shows: datetime, tick: int) -> dict[str, str]:
    stated = {"shows": shows.isoformat(), "tick": tick, "ends": (shows + END).isoformat()}
    return {**QUICK, "SUMMIT_TEST_CLOCK": json.dumps(stated)}


def remind(url: str, task: str, at: datetime, **fields: Any) -> str:
    body = {"task": task, "kind": "reminder", "remind_at": at.isoformat(), "zone": NEW_YORK.key, **fields}
    made = CLIENT.post(f"{url}/v1/todos", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def rows(url: str, query: str) -> list[dict[str, Any]]:
    with psycopg.connect(url, row_factory=dict_row) as conn:
        conn.execute("set search_path = summit")
        return conn.execute(query.encode()).fetchall()


def await_notifications(url: str, count: int) -> None:
    wait_until(lambda: rows(url, "select count(*) as n from notifications")[0]["n"] >= count, f"for {count} to be told")


def await_looks(server: MortalServer, count: int = 10) -> None:
    """Return once the server has looked at the clock so many times more: twice for each look for what is due."""
    before = server.passed().count(LOOKED)
    wait_until(lambda: server.passed().count(LOOKED) >= before + count)


def test_a_hundred_reminders_across_a_change_of_clocks_are_told_once_each(tmp_path: Path) -> None:
    data_dir, change = tmp_path / "data", next_change()
    begin = change - timedelta(minutes=100)
    with last_server(data_dir, **clock(begin, 0)) as patient:
        once = {remind(patient.url, f"once {n}", begin + timedelta(minutes=2 * n + 5)) for n in range(ONCE)}
        local = (change - timedelta(days=1)).astimezone(NEW_YORK).replace(minute=0)
        walls = [local + timedelta(minutes=6 * n) for n in range(DAILY)]
        daily = {remind(patient.url, f"daily {wall:%H:%M}", wall, recurrence="FREQ=DAILY"): wall for wall in walls}
        await_notifications(database_url(data_dir), DAILY)  # their first rounds were a day ago: late, and told

        running = clock(begin, TICK)
        for moment, nth in KILLS:
            with mortal(data_dir, **running) as server:
                server.trap(moment, nth)
                wait_until(lambda: server.process.poll() is not None, moment)
        with mortal(data_dir, **running) as one, mortal(data_dir, **running) as two:
            await_notifications(database_url(data_dir), ONCE + 2 * DAILY)
            await_looks(one)
            await_looks(two)
        check(database_url(data_dir), once, daily)
        patient.kill()
    with last_server(data_dir, **clock(begin, 0)):
        check(database_url(data_dir), once, daily)


def check(url: str, once: set[str], daily: dict[str, datetime]) -> None:
    told = rows(url, "select record_id, id::text, due_at, fired_at, late_seconds, text from notifications")
    counts = Counter(row["record_id"] for row in told)
    assert counts == {**dict.fromkeys(once, 1), **dict.fromkeys(daily, 2)}
    events = rows(url, "select data->>'id' as id from turn_events where type = 'reminder.fired'")
    assert Counter(row["id"] for row in events) == Counter(row["id"] for row in told)
    late = [row for row in told if row["late_seconds"] >= 60]
    assert all("late. It was due" in row["text"] for row in late)
    assert len(late) > DAILY
    assert all(row["fired_at"] >= row["due_at"] for row in told)
    second = {row["record_id"]: row["due_at"] for row in sorted(told, key=lambda row: row["due_at"])}
    for record_id, wall in daily.items():
        expected = (wall.replace(tzinfo=None) + timedelta(days=1)).replace(tzinfo=NEW_YORK)
        assert second[record_id] == expected.astimezone(UTC)
