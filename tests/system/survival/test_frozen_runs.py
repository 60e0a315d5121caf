"""A server that stands still in the middle of runs while another one finishes them, and then goes on."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from tests.support.fakes import ScriptedModelServer
from tests.support.waiting import wait_until
from tests.survival.fleet import MortalServer, database_url, last_server, mortal, new_user
from tests.survival.run_rounds import CLICKS, Found, Known, broken_runs, client_of, model, settings_of

GOES_ON_ELSEWHERE = "goes on elsewhere"
CONNECTION_LOST = "the connection is lost"
RUNS = 6
"""More than one server works on at once, so that each of the two has some."""
MOMENTS = [
    "PostgresRunWork.record before",
    "TenantSaver.aput before",
    "PostgresRunWork.end_effect commit",  # its transaction is undone by then, and the job is tried again for nothing
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_late_writes_of_a_frozen_worker_are_refused(tmp_path: Path, moment: str) -> None:
    data_dir, known, found = tmp_path / "data", Known(), Found()
    with ScriptedModelServer() as models, ThreadPoolExecutor(CLICKS) as pool:
        models.script("/chat/completions", model)
        settings = settings_of(models)
        with (
            last_server(data_dir, **settings) as quick,
            mortal(data_dir, SUMMIT_TRANSACTION_SECONDS="2", **settings) as slow,
            client_of(quick.url, new_user(quick.url, "runner")) as client,
        ):
            slow.trap(moment, do="stop")
            known.start(client, RUNS)

            wait_until(lambda: look(known, client, pool, found) or is_stopped(slow), "the server never stood still")
            wait_until(lambda: look(known, client, pool, found) or not known.open, "the runs were not finished")
            os.kill(slow.process.pid, signal.SIGCONT)
            late = CONNECTION_LOST if moment.endswith("commit") else GOES_ON_ELSEWHERE
            wait_until(lambda: late in slow.log.read_text(), late)
            assert "broke" not in slow.log.read_text()
            assert found.faults + broken_runs(database_url(data_dir), known) == []
            assert set(known.ends) == {"goal_achieved"}


def look(known: Known, client: httpx.Client, pool: ThreadPoolExecutor, found: Found) -> bool:
    """Click on what is asked; never the end of the wait."""
    known.look(client, pool, found)
    return False


def is_stopped(server: MortalServer) -> bool:
    return psutil.Process(server.process.pid).status() == psutil.STATUS_STOPPED
