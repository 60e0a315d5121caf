"""Strategies for a message that comes while a turn runs at another server; cancels and cut streams at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.support.waiting import wait_until
from tests.survival.cut_rounds import BETWEEN, LONG, Servers, cancels, streams
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

CANCELS, STREAMS = 12, 8
AMID = "TenantSaver.aput before"  # everything is applied, nothing is told


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("double") / "data"


@pytest.fixture(scope="module")
def servers(data_dir: Path) -> Iterator[Servers]:
    """Two servers whose leases are long: only what they tell each other is quick."""
    patient = {"SUMMIT_TURN_LEASE_SECONDS": "600"}
    with last_server(data_dir, **patient) as one, last_server(data_dir, **patient) as two:
        yield one, two


def begin(server: MortalServer, thread: str, at: str, text: str = THREE) -> str:
    """A turn that stands still at a boundary; its id."""
    server.trap(at, do=LONG)
    answer = CLIENT.post(
        f"{server.url}/v1/turns",
        json={"text": distinct(text, uuid4().hex), "thread_id": thread},
        headers=ASYNC,
    )
    wait_until(lambda: not server.trap_file.exists(), at)
    return str(answer.json()["id"])


ASYNC = {"Prefer": "respond-async"}
QUEUED = "select count(*) from summit.turns where thread_id = %s and state = 'queued'"


def new_thread(server: MortalServer) -> str:
    return str(CLIENT.post(f"{server.url}/v1/threads", json={"title": "t"}).json()["id"])


def say(server: MortalServer, thread: str, strategy: str) -> httpx.Response:
    return post(server.url, ONE, f"key-{uuid4()}", thread_id=thread, strategy=strategy)


@pytest.mark.parametrize("at", [BETWEEN, AMID])
@pytest.mark.parametrize("strategy", ["interrupt", "rollback"])
def test_a_newer_message_stops_the_turn_of_another_server(servers: Servers, strategy: str, at: str) -> None:
    one, two = servers
    thread = new_thread(one)
    earlier = begin(one, thread, at)
    turn = say(two, thread, strategy).json()
    assert turn["status"] == "done"  # it did not wait for the earlier one, which stands still for longer
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
        with psycopg.connect(database_url(two.data_dir), autocommit=True) as conn:
            wait_until(lambda: conn.execute(QUEUED, (thread,)).fetchone() == (1,))
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
