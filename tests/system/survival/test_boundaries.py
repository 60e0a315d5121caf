"""kill -9 of the server around the commits of a turn; ``flow_rounds`` does it at every boundary."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.waiting import wait_until
from tests.survival.boundaries import numbered
from tests.survival.fleet import THREE, MortalServer, database_url, insist, last_server, mortal, post
from tests.survival.invariants import broken

# What `make test-system` tries: both sides of every commit that a turn's effects and its answer depend on.
CHOSEN = [
    "Inbox.accept commit",
    "Inbox.accept after",
    "PostgresLedger.apply commit",
    "PostgresLedger.apply after",
    "PostgresLedger.apply commit 2",
    "PostgresLedger.apply after 3",
    "TenantSaver.aput commit",
    "TenantSaver.aput after",
    "Inbox.finish commit",
    "Inbox.finish after",
    "PostgresLedger.changes_of_turn after",
]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("boundaries") / "data"


@pytest.fixture(scope="module")
def passed(data_dir: Path) -> Iterator[list[str]]:
    """The boundaries that an undisturbed turn passes, numbered; the database stays up until the end."""
    with last_server(data_dir) as server:
        before = len(server.passed())
        insist(server.url, THREE, "undisturbed")
        yield numbered(server.passed()[before:])


def test_the_chosen_boundaries_are_really_passed(passed: list[str]) -> None:
    assert set(CHOSEN) <= set(passed)


def test_a_turn_killed_at_a_boundary_takes_effect_once_and_is_answered(data_dir: Path) -> None:
    for number, boundary in enumerate(CHOSEN):
        with mortal(data_dir) as server:
            if number:  # what the last one died of is asked again, of a server that never saw it
                answered_once(server.url, number - 1)
            die(server, boundary, number)
    with mortal(data_dir) as server:
        answered_once(server.url, len(CHOSEN) - 1)
    assert broken(database_url(data_dir)) == []


def die(server: MortalServer, boundary: str, number: int) -> None:
    """Send a message to a server that dies of it."""
    name, _, nth = boundary.rpartition(" ")
    server.trap(*((name, int(nth)) if nth.isdigit() else (boundary, 1)))
    with contextlib.suppress(httpx.HTTPError):
        post(server.url, THREE, f"key-{number}")
    wait_until(lambda: server.process.poll() is not None, boundary)  # what follows the answer comes a little later


def answered_once(url: str, number: int) -> None:
    """The same turn however often it is asked for, with each effect once."""
    turn, again = (insist(url, THREE, f"key-{number}") for _ in range(2))
    assert turn == again
    kinds = sorted(change["kind"] for change in turn["changes"] if change["status"] == "applied")
    assert kinds == ["event", "note", "todo"]
