"""A server that stands still while another one finishes its turn, and then goes on."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg

from tests.support.waiting import wait_until
from tests.survival.fleet import THREE, database_url, finished, insist, last_server, mortal
from tests.survival.invariants import broken

REFUSED = "was taken over by another server"
LONG_LEASE = {"SUMMIT_TURN_LEASE_SECONDS": "600"}
LEASE_IS_OVER = "update summit.turns set lease_until = now() where state = 'running'"
"""Nobody waits for the lease of a server that stands still, and a slow machine loses none."""
MOMENTS = [
    "AsyncPostgresSaver.aget_tuple before",
    "PostgresLedger.apply before",
    "PostgresLedger.apply commit",
    "TenantSaver.aput before",
    "Inbox.finish before",
]


def test_late_writes_of_a_frozen_server_are_refused_and_logged(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with (
        last_server(data_dir, **LONG_LEASE) as quick,
        mortal(data_dir, SUMMIT_TRANSACTION_SECONDS="2", **LONG_LEASE) as slow,
        ThreadPoolExecutor(1) as pool,
    ):
        for number, moment in enumerate(MOMENTS):
            slow.trap(moment, do="stop")
            said = pool.submit(insist, slow.url, THREE, f"key-{number}")
            wait_until(lambda: psutil.Process(slow.process.pid).status() == psutil.STATUS_STOPPED, moment)
            with psycopg.connect(database_url(data_dir), autocommit=True) as conn:
                conn.execute(LEASE_IS_OVER)
            turn = insist(quick.url, THREE, f"key-{number}")
            assert (turn["status"], len(turn["changes"])) == ("done", 3)
            os.kill(slow.process.pid, signal.SIGCONT)
            assert said.result()["id"] == turn["id"]
            wait_until(lambda: slow.log.read_text().count(REFUSED) > number, moment)  # noqa: B023 - waited for here
            assert slow.log.read_text().count(REFUSED) == number + 1
            assert finished(quick.url, turn["id"]) == turn, moment
        assert broken(database_url(data_dir)) == []
