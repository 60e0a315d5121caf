"""Strategies for a message that comes while a turn runs at another server; cancels and cut streams at any moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.survival.cut_rounds import Servers, cancels, streams
from tests.survival.fleet import (
    CLIENT,
    ONE,
    THREE,
    MortalServer,
    database_url,
    distinct,
    finished,
    last_server,
    post,
)
from tests.survival.invariants import broken

CANCELS, STREAMS = 40, 20
LONG = "20"  # seconds; whoever waits for this was not stopped
AT_ONCE_SECONDS = 1.5
BETWEEN = "AsyncPostgresStore.abatch before"  # the turn has begun, nothing is applied
AMID = "TenantSaver.aput before"  # everything is applied, nothing is told


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("double") / "data"


@pytest.fixture(scope="module")
def servers(data_dir: Path) -> Iterator[Servers]:
    """Two servers whose leases are long: only what they tell each other is quick."""
    patient = {"SUMMIT_TURN_LEASE_SECONDS": "30"}
    with last_server(data_dir, **patient) as one, last_server(data_dir, **patient) as two:
        yield one, two


def begin(server: MortalServer, thread: str, at: str, text: str = THREE) -> str:
    """A turn that stands still at a boundary; its id."""
    server.trap(at, do=LONG)
    answer = CLIENT.post(
        f"{server.url}/v1/turns",
        json={"text": distinct(text, str(time.monotonic_ns())), "thread_id": thread},
        headers=ASYNC,
    )
    deadline = time.monotonic() + 5
    while server.trap_file.exists():
        assert time.monotonic() < deadline, "the boundary was never passed"
        time.sleep(0.01)
    return str(answer.json()["id"])


ASYNC = {"Prefer": "respond-async"}


def new_thread(server: MortalServer) -> str:
    return str(CLIENT.post(f"{server.url}/v1/threads", json={"title": "t"}).json()["id"])


def say(server: MortalServer, thread: str, strategy: str) -> httpx.Response:
    return post(server.url, ONE, f"key-{time.monotonic_ns()}", thread_id=thread, strategy=strategy)


@pytest.mark.parametrize("at", [BETWEEN, AMID])
@pytest.mark.parametrize("strategy", ["interrupt", "rollback"])
def test_a_newer_message_stops_the_turn_of_another_server(servers: Servers, strategy: str, at: str) -> None:
    one, two = servers
    thread = new_thread(one)
    earlier = begin(one, thread, at)
    began = time.monotonic()
    turn = say(two, thread, strategy).json()
    assert time.monotonic() - began < AT_ONCE_SECONDS
    assert turn["status"] == "done"
    stopped = finished(two.url, earlier)
    assert stopped["status"] == "cancelled"
    standing = [change["status"] for change in stopped["changes"]]
    wanted = {"interrupt": "applied", "rollback": "undone"}[strategy]
    assert standing == ([wanted] * 3 if at == AMID else [])


def test_a_message_that_may_not_wait_is_refused_and_one_that_may_comes_next(servers: Servers) -> None:
    one, two = servers
    thread = new_thread(one)
    earlier = begin(one, thread, BETWEEN)
    assert say(two, thread, "reject").status_code == 409
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(say, two, thread, "enqueue")
        time.sleep(0.3)
        assert not waiting.done()
        assert CLIENT.post(f"{two.url}/v1/turns/{earlier}/cancel").json()["status"] == "cancelled"
        assert waiting.result().json()["status"] == "done"


def test_a_cancel_at_any_moment_leaves_a_valid_history_and_a_working_next_turn(
    servers: Servers, data_dir: Path
) -> None:
    found = cancels(servers, CANCELS, seed=20261118)
    assert found.faults == []
    assert set(found.ends) == {"cancelled", "done"}
    assert broken(database_url(data_dir)) == []


def test_a_stream_that_is_cut_anywhere_goes_on_with_the_next_event(servers: Servers) -> None:
    found = streams(servers[0].url, STREAMS, seed=20261126)
    assert (found.faults, found.streams) == ([], STREAMS)
