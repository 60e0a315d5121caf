"""kill -9 of the server at every boundary of a turn's transactions; the client sends again with the same key."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.survival.fleet import ONE, THREE, MortalServer, database_url, insist, last_server, mortal, post
from tests.survival.invariants import broken

EVERY = bool(os.environ.get("SUMMIT_TEST_EVERY_BOUNDARY"))
# What `make test` tries: both sides of every commit that a turn's effects and its answer depend on.
CHOSEN = [
    "PostgresInbox.accept commit",
    "PostgresInbox.accept after",
    "PostgresLedger.apply commit",
    "PostgresLedger.apply after",
    "PostgresLedger.apply commit 2",
    "PostgresLedger.apply after 3",
    "TenantSaver.aput commit",
    "TenantSaver.aput after",
    "PostgresInbox.finish commit",
    "PostgresInbox.finish after",
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


def numbered(names: list[str]) -> list[str]:
    """A boundary's name, with a number from the second time on."""
    counts: Counter[str] = Counter()
    found = []
    for name in names:
        counts[name] += 1
        found.append(name if counts[name] == 1 else f"{name} {counts[name]}")
    return found


def test_the_chosen_boundaries_are_really_passed(passed: list[str]) -> None:
    assert set(CHOSEN) <= set(passed)


def test_a_turn_killed_at_a_boundary_takes_effect_once_and_is_answered(data_dir: Path, passed: list[str]) -> None:
    deaths = [(at, text) for at in (passed if EVERY else CHOSEN) for text in ((THREE, ONE) if EVERY else (THREE,))]
    died = 0
    for number, (boundary, text) in enumerate(deaths):
        with mortal(data_dir) as server:
            if number:  # what the last one died of is asked again, of a server that never saw it
                answered_once(server.url, deaths[number - 1][1], number - 1)
            died += die(server, boundary, text, number)
    assert died > len(deaths) / 2, f"{died} servers of {len(deaths)} died"
    with mortal(data_dir) as server:
        answered_once(server.url, deaths[-1][1], len(deaths) - 1)
    assert broken(database_url(data_dir)) == []


def die(server: MortalServer, boundary: str, text: str, number: int) -> bool:
    """Send a message to a server that dies of it; only what jobs of the background open may not come in time."""
    name, _, nth = boundary.rpartition(" ")
    server.trap(*((name, int(nth)) if nth.isdigit() else (boundary, 1)))
    with contextlib.suppress(httpx.HTTPError):
        post(server.url, text, f"key-{number}")
    with contextlib.suppress(subprocess.TimeoutExpired):  # what follows the answer comes a little later
        server.process.wait(1)
    died = server.process.poll() is not None
    assert died or text == ONE or boundary not in CHOSEN, f"{boundary} was not passed"
    return died


def answered_once(url: str, text: str, number: int) -> None:
    """The same turn however often it is asked for, with each effect once."""
    turn, again = (insist(url, text, f"key-{number}") for _ in range(2))
    assert turn == again
    kinds = sorted(change["kind"] for change in turn["changes"] if change["status"] == "applied")
    assert kinds == (["event", "note", "todo"] if text == THREE else ["todo"])
