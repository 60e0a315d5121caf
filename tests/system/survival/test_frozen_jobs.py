"""A worker that stands still in the middle of a job while another one does it, and then goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import psutil
import psycopg
import pytest

from tests.support.waiting import wait_until
from tests.survival import flow_rounds
from tests.survival.fleet import MortalServer, database_url, last_server, mortal
from tests.survival.flows import Flow, flows
from tests.survival.invariants import broken

HASTE = {"SUMMIT_TRANSACTION_SECONDS": "2"}
LEFT = "select count(*) from summit.procrastinate_jobs where task_name = any(%s)"
TASKS = ["summit:transcribe_memo", "summit:index_memory"]
MOMENTS = [
    ("Clip", "summit:transcribe_memo claimed", "Inbox.deliver_transcript after"),
    (
        "Clip",
        "Memos.set_state commit",
        "summit:transcribe_memo retry before",
    ),  # its transaction is undone by then
    (
        "Remembering",
        "MemorySources.dequeue commit",
        "summit:index_memory retry before",
    ),  # its transaction is undone by then
]
"""Where a worker of which flow stands still, and what it passes once it goes on."""


@pytest.fixture(scope="module")
def every() -> Iterator[dict[str, Flow]]:
    with flows() as made:
        yield made


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory, every: dict[str, Flow]) -> Iterator[MortalServer]:
    """A server that leaves all jobs to workers; what they did is looked through at the end."""
    data_dir = tmp_path_factory.mktemp("frozen") / "data"
    apart = {"SUMMIT_WORKERS_IN_PROCESS": "false", "SUMMIT_TURN_WAIT_SECONDS": "0.5"}  # nobody works while one asks
    with last_server(data_dir, **apart, **every["Clip"].settings) as server:
        yield server
        assert broken(database_url(data_dir), worded=False) == []


@pytest.mark.parametrize(("name", "moment", "later"), MOMENTS)
def test_a_job_that_was_taken_over_is_done_once(
    name: str, moment: str, later: str, api: MortalServer, every: dict[str, Flow]
) -> None:
    flow, data_dir, settings, mark = every[name], api.data_dir, every["Clip"].settings, moment.replace(" ", "-")
    with mortal(data_dir, "worker", **settings, **HASTE) as slow:
        there = flow.prepare(api.url, mark)
        slow.trap(moment, do="stop")
        first = flow.ask(api.url, mark, there).raise_for_status().json()
        wait_until(lambda: psutil.Process(slow.process.pid).status() == psutil.STATUS_STOPPED, "it never stood still")
        flow_rounds.later(data_dir)

        with mortal(data_dir, "worker", **settings):
            flow.once(api.url, mark, there, first)
            with psycopg.connect(database_url(data_dir), autocommit=True) as conn:
                wait_until(lambda: conn.execute(LEFT, (TASKS,)).fetchone() == (0,), "a job is left")
        passed = len(slow.passed())
        os.kill(slow.process.pid, signal.SIGCONT)
        wait_until(lambda: later in slow.passed()[passed:], "it never went on")
        flow.once(api.url, mark, there, first)
