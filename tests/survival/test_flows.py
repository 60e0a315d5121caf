"""kill -9 at the boundaries of other flows than a message: an undo, a workflow, a memo that is remembered."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import httpx
import psycopg
import pytest

from tests.survival.fleet import CLIENT, ONE, distinct, insist, last_server, mortal
from tests.survival.invariants import broken

from tests.survival.fleet import MortalServer, database_url  # isort: skip
from tests.survival.test_boundaries import numbered

EVERY = bool(os.environ.get("SUMMIT_TEST_EVERY_BOUNDARY"))
QUIET_SECONDS = 4.0
DEATH_SECONDS = 3.0
END_SECONDS = 60.0
LATER = "update summit.replays set created_at = created_at - interval '31 seconds' where status is null"
"""A request whose server died is taken for lost after half a minute; nobody waits for that here."""
FLOW = {
    "slug": "round",
    "name": "Round",
    "inputs": ["task"],
    "steps": [
        {"id": "add", "kind": "turn", "message": "{{inputs.task}}"},
        {"id": "tell", "kind": "notify", "text": "{{inputs.task}}: {{steps.add}}"},
    ],
}


class Flow(Protocol):
    """Something that a client asks for, again and again with one key until it is answered.

    ``matters`` begins the names of the boundaries that it surely passes.
    """

    matters: tuple[str, ...]

    def prepare(self, url: str, mark: str) -> Any:
        """What has to be there before; given to the rest as ``there``."""

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        """One attempt."""

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        """Wait for its end; raises AssertionError unless all of it happened once."""


class Undo:
    """A task that is taken back."""

    matters = ("PostgresLedger", "PostgresReplays")

    def prepare(self, url: str, mark: str) -> Any:
        return insist(url, ONE, f"task-{mark}")["changes"][0]["id"]

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        return CLIENT.post(f"{url}/v1/changes/{there}/undo", headers={"Idempotency-Key": f"undo-{mark}"})

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        assert answer["undo_of"] == there
        assert answer["status"] == "applied"
        undone = [one for one in changes(url) if one["undo_of"] == there]
        assert [one["id"] for one in undone] == [answer["id"]]


class Workflow:
    """A workflow that adds a task and tells of it."""

    matters = ("PostgresWorkflow", "PostgresLedger", "PostgresInbox")

    def prepare(self, url: str, mark: str) -> Any:
        assert CLIENT.put(f"{url}/v1/workflows/round", json=FLOW).status_code == 200
        return distinct(ONE, f"flow {mark}")

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        headers = {"Idempotency-Key": f"flow-{mark}"}
        return CLIENT.post(f"{url}/v1/workflows/round/runs", json={"inputs": {"task": there}}, headers=headers)

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        path = f"{url}/v1/workflows/round/runs/{answer['id']}"
        run = until(lambda: CLIENT.get(path).json(), lambda found: found["finished_at"])
        assert run["status"] == "done", run
        made = [one for one in changes(url) if one["op"] == "create" and one["title"] in there]
        assert len(made) == 1, made
        told = CLIENT.get(f"{url}/v1/notifications", params={"limit": 200}).json()["items"]
        assert len([one for one in told if one["text"].startswith(there)]) == 1


class Remembering:
    """A memo in words, which a job then indexes."""

    matters = ("PostgresMemoEdits", "PostgresLedger", "PostgresSources.done")

    def prepare(self, url: str, mark: str) -> Any:
        return distinct("{} likes the lighthouse", f"memo {mark}")

    def ask(self, url: str, mark: str, there: Any) -> httpx.Response:
        headers = {"Idempotency-Key": f"memo-{mark}"}
        return CLIENT.post(f"{url}/v1/memos", json={"transcript": there}, headers=headers)

    def once(self, url: str, mark: str, there: Any, answer: dict[str, Any]) -> None:
        who = there.split()[0]

        def cited() -> list[str]:
            found = CLIENT.post(f"{url}/v1/memory/search", json={"query": who}).json()["items"]
            return [one["id"] for one in found if who in one["quote"]]

        assert until(cited, lambda found: found) == [answer["id"]]


def changes(url: str) -> list[dict[str, Any]]:
    """The latest changes."""
    return list(CLIENT.get(f"{url}/v1/changes", params={"limit": 200, "before": 10**12}).json()["items"])


def until(read: Callable[[], Any], enough: Callable[[Any], Any]) -> Any:
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        found = read()
        if enough(found):
            return found
        time.sleep(0.1)
    raise AssertionError(f"it never ended: {found}")


def insisted(url: str, flow: Flow, mark: str, there: Any) -> None:
    """Ask until it is answered, then once more: the answer is the same, and all of it happened once."""
    answer = until(lambda: flow.ask(url, mark, there), lambda found: found.is_success)
    assert flow.ask(url, mark, there).json() == answer.json()
    flow.once(url, mark, there, answer.json())


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder whose database a server keeps up that leaves all jobs to those that die."""
    folder = tmp_path_factory.mktemp("flows") / "data"
    with last_server(folder, SUMMIT_WORKERS_IN_PROCESS="false"):
        yield folder


@pytest.mark.parametrize("flow", [Undo(), Workflow(), Remembering()], ids=lambda flow: type(flow).__name__)
def test_a_flow_killed_at_a_boundary_happens_once(flow: Flow, data_dir: Path) -> None:
    with mortal(data_dir) as traced:
        passed = boundaries(traced, flow)
    tried = passed if EVERY else [middle([one for one in passed if one.startswith(flow.matters)])]
    died = 0
    for number, boundary in enumerate(tried):
        mark = str(number)
        with mortal(data_dir) as server:
            there = flow.prepare(server.url, mark)
            died += dies(server, boundary, partial(flow.ask, server.url, mark, there))
        with psycopg.connect(database_url(data_dir), autocommit=True) as conn:
            conn.execute(LATER)
        with mortal(data_dir) as server:
            insisted(server.url, flow, mark, there)
    assert died >= len(tried) / 2, f"{died} servers of {len(tried)} died"
    assert broken(database_url(data_dir), worded=False) == []


def boundaries(server: MortalServer, flow: Flow) -> list[str]:
    """Those that an undisturbed server passes from the request on, jobs included."""
    there = flow.prepare(server.url, "calm")
    before = len(server.passed())
    assert flow.ask(server.url, "calm", there).is_success
    time.sleep(QUIET_SECONDS)
    passed = numbered(server.passed()[before:])
    insisted(server.url, flow, "calm", there)
    return passed


def middle(names: list[str]) -> str:
    """The one boundary that `make test` tries: the last of the first half."""
    return names[(len(names) - 1) // 2]


def dies(server: MortalServer, boundary: str, ask: Callable[[], Any]) -> bool:
    """Ask a server that dies of it; what other jobs of the background open may not come in time."""
    name, _, nth = boundary.rpartition(" ")
    server.trap(*((name, int(nth)) if nth.isdigit() else (boundary, 1)))
    with contextlib.suppress(httpx.HTTPError):
        ask()
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(DEATH_SECONDS)
    return server.process.poll() is not None
