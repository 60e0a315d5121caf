"""A server that stands still while another one finishes its turn, and then goes on."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from tests.survival.fleet import THREE, MortalServer, database_url, finished, insist, last_server, mortal
from tests.survival.invariants import broken

REFUSED = "was taken over by another server"
MOMENTS = [
    "AsyncPostgresSaver.aget_tuple before",
    "PostgresLedger.apply before",
    "PostgresLedger.apply commit",
    "TenantSaver.aput before",
    "PostgresInbox.finish before",
]


def test_late_writes_of_a_frozen_server_are_refused_and_logged(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with (
        last_server(data_dir) as quick,
        mortal(data_dir, SUMMIT_TRANSACTION_SECONDS="2") as slow,
        ThreadPoolExecutor(1) as pool,
    ):
        for number, moment in enumerate(MOMENTS):
            slow.trap(moment, do="stop")
            said = pool.submit(insist, slow.url, THREE, f"key-{number}")
            await_state(slow, psutil.STATUS_STOPPED)
            turn = insist(quick.url, THREE, f"key-{number}")
            assert (turn["status"], len(turn["changes"])) == ("done", 3)
            os.kill(slow.process.pid, signal.SIGCONT)
            assert said.result()["id"] == turn["id"]
            assert refusals(slow, number + 1), slow.log.read_text()
            assert finished(quick.url, turn["id"]) == turn, moment
        assert broken(database_url(data_dir)) == []


def await_state(server: MortalServer, state: str) -> None:
    deadline = time.monotonic() + 5
    while psutil.Process(server.process.pid).status() != state:
        if time.monotonic() > deadline:
            pytest.fail(f"the server never became {state}")
        time.sleep(0.01)


def refusals(server: MortalServer, count: int) -> bool:
    """Whether the server's log tells of that many refused turns, within a few seconds."""
    deadline = time.monotonic() + 5
    while server.log.read_text().count(REFUSED) < count and time.monotonic() < deadline:
        time.sleep(0.05)
    return server.log.read_text().count(REFUSED) == count
