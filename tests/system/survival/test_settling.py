"""kill -9 around every commit of a snooze that is sent again with its key: the task sleeps once, until one moment."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
from psycopg.rows import dict_row

from tests.support.waiting import HANG_SECONDS, wait_until
from tests.survival.fleet import CLIENT, MortalServer, database_url, last_server, mortal

# The first batch of the ledger only looks for what an earlier attempt did.
BOUNDARIES = [
    ("PostgresLedger.apply commit", 2),
    ("PostgresLedger.apply after", 2),
    ("Notifications.settle commit", 1),
    ("Notifications.settle after", 1),
    ("Replays.keep commit", 1),
]


def test_a_snooze_killed_at_a_boundary_takes_effect_once(tmp_path: Path) -> None:
    data_dir, dead = tmp_path / "data", list[dict[str, Any]]()
    with last_server(data_dir) as patient:  # its database stays up between the servers that die
        for boundary in BOUNDARIES:
            with mortal(data_dir) as server:
                told = notification(server.url, f"task {len(dead)}")
                check_all(data_dir, server.url, dead)
                die(server, *boundary, told)
                dead.append(told)
        check_all(data_dir, patient.url, dead)


def die(server: MortalServer, boundary: str, nth: int, told: dict[str, Any]) -> None:
    server.trap(boundary, nth)
    with contextlib.suppress(httpx.HTTPError):
        snooze(server.url, told)
    assert server.process.wait(HANG_SECONDS) != 0


def check_all(data_dir: Path, url: str, dead: list[dict[str, Any]]) -> None:
    """Send what servers died of again: it is there once, and every answer says the same."""
    with psycopg.connect(database_url(data_dir), autocommit=True, row_factory=dict_row) as conn:
        # As if somebody had waited for the dead owner's time to be over.
        conn.execute("update summit.replays set created_at = now() - interval '1 minute' where status is null")
        for told in dead:
            settled, again = (snooze(url, told).json() for _ in range(2))
            assert settled == again
            check(conn, told["record_id"], settled)


def check(conn: psycopg.Connection[dict[str, Any]], record_id: str, settled: dict[str, Any]) -> None:
    [change] = settled["changes"]
    until = datetime.fromisoformat(change["fields"]["snooze_until"])
    assert datetime.fromisoformat(settled["notification"]["snoozed_until"]) == until
    changes = conn.execute("select id::text from summit.changes where record_id = %s order by cursor", (record_id,))
    [_, snoozed] = changes.fetchall()  # the first one made the task
    assert snoozed["id"] == change["id"]
    waiting = "select due_at from summit.reminders where record_id = %s and state = 'pending'"
    assert [row["due_at"] for row in conn.execute(waiting, (record_id,)).fetchall()] == [until]


def notification(url: str, task: str) -> dict[str, Any]:
    """A task that has just reminded."""
    due = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    made = CLIENT.post(f"{url}/v1/todos", json={"task": task, "remind_at": due})
    assert made.status_code == 201, made.text

    def told() -> list[dict[str, Any]]:
        items = CLIENT.get(f"{url}/v1/notifications").json()["items"]
        return [item for item in items if item["record_id"] == made.json()["id"]]

    return wait_until(told)[0]


def snooze(url: str, told: dict[str, Any]) -> httpx.Response:
    """One attempt, always the same."""
    headers = {"Idempotency-Key": told["id"]}
    return CLIENT.post(f"{url}/v1/notifications/{told['id']}/snooze", json={"minutes": 600}, headers=headers)
