"""Servers that die on one data folder, and clients that do not give up."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import md5
from pathlib import Path
from typing import Any

import httpx

from app.database.embedded_cluster import Cluster
from tests.support.servers.plain import plain_client
from tests.support.servers.running import RunningServer
from tests.support.waiting import HANG_SECONDS
from tests.survival import crashing_server

LEASE_SECONDS = 1.0
ADMIN_KEY = "the administrator's key of these rounds"
WHEN = {"captured_at": "2026-11-18T09:30:00+00:00", "timezone": "Europe/Lisbon"}
ONE = "add a task: buy oat milk for {}"
THREE = "add a task: call {}. book lunch with {} for Friday 3pm. note: the code of {} is 1234"
CLIENT = plain_client("", seconds=HANG_SECONDS)
RETRY_SECONDS = 0.2
FINISHED = ("done", "waiting", "cancelled", "failed")


def distinct(text: str, mark: str) -> str:
    """A message about somebody of its own: what is there already is not added again."""
    letters = (chr(ord("a") + int(digit, 16)) for digit in md5(mark.encode(), usedforsecurity=False).hexdigest()[:8])
    return text.replace("{}", f"Zo{''.join(letters)}")


class MortalServer(RunningServer):
    """A server with traps on a data folder; ``trap_file`` and ``trace`` are its files."""

    def __init__(self, data_dir: Path, command: str = "serve", **settings: str) -> None:
        self.name, self.data_dir = f"{time.monotonic_ns()}", data_dir
        self.trap_file = data_dir.with_suffix(f".{self.name}.trap")
        self.trace = data_dir.with_suffix(f".{self.name}.trace")
        files = {"SUMMIT_TEST_TRAP": str(self.trap_file), "SUMMIT_TEST_TRACE": str(self.trace)}
        quick = {"SUMMIT_TURN_LEASE_SECONDS": str(LEASE_SECONDS), "SUMMIT_SWEEP_SECONDS": "0.2"}
        whole = {
            "SUMMIT_EVENT_LOG_SIZE": "1000000"
        }  # the invariants look at every event, however many turns there were
        super().__init__(data_dir, command, **{**files, **quick, **whole, "SUMMIT_TURN_ATTEMPTS": "100", **settings})

    def program(self, command: str) -> Callable[[], int]:
        return partial(crashing_server.main, command)

    def command_line(self, command: str) -> list[str]:
        return [sys.executable, "-m", "tests.survival.crashing_server", command]

    def trap(self, at: str, nth: int = 1, do: str = "kill") -> None:
        """Kill, stop or delay this server at a boundary, the nth time it is passed from now on."""
        aside = self.trap_file.with_suffix(".new")
        aside.write_text(json.dumps({"at": at, "nth": nth, "do": do}))
        aside.rename(self.trap_file)

    def passed(self) -> list[str]:
        """The boundaries passed so far."""
        return self.trace.read_text().splitlines() if self.trace.exists() else []


class FreshMortalServer(MortalServer):
    """One that starts as people start it."""

    fresh = True


@contextmanager
def mortal(data_dir: Path, command: str = "serve", **settings: str) -> Iterator[MortalServer]:
    """A server, or a worker, that is gone at the end, dead, stopped or alive."""
    server = MortalServer(data_dir, command, **settings)
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def last_server(data_dir: Path, **settings: str) -> Iterator[MortalServer]:
    """A server that is stopped politely, and the database with it."""
    server = MortalServer(data_dir, **settings)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def database_url(data_dir: Path) -> str:
    """The superuser's way into a data folder's database."""
    return Cluster((data_dir / "postgres").resolve(), lambda _: None, durable=True).url


def new_user(url: object, name: str) -> str:
    """The API key of a new user of a server whose ADMIN_KEY is ours."""
    headers = {"Authorization": f"Bearer {ADMIN_KEY}"}
    return str(CLIENT.post(f"{url}/v1/users", json={"name": name}, headers=headers).json()["api_key"])


def post(
    url: object, text: str, key: str, *, api_key: str | None = None, prefer: str = "", **fields: Any
) -> httpx.Response:
    """One attempt to say something."""
    body = {"text": distinct(text, key), **WHEN, **fields}
    headers = {"Idempotency-Key": key, **proof(api_key), **({"Prefer": prefer} if prefer else {})}
    return CLIENT.post(f"{url}/v1/turns", json=body, headers=headers)


def proof(api_key: str | None) -> dict[str, str]:
    """The header of a request by who has this key."""
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


def insist(
    url: object, text: str, key: str, seconds: float = HANG_SECONDS, *, api_key: str | None = None, **fields: Any
) -> dict[str, Any]:
    """The finished turn, asked for until it is there."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            answer = post(url, text, key, api_key=api_key, **fields)
        except httpx.HTTPError:
            time.sleep(RETRY_SECONDS)
            continue
        if answer.status_code == 200:
            return dict(answer.json())
        assert answer.status_code in (202, 429, 500, 503), answer.text
        time.sleep(RETRY_SECONDS)
    raise AssertionError(f"{text!r} ({key}) was never answered")


def trust(url: object, text: str, key: str, seconds: float, *, api_key: str) -> dict[str, Any]:
    """The finished turn of a client that sends until it is told 202, and from then on only looks.

    Raises AssertionError for a turn that was acknowledged and is not there.
    """
    deadline, turn_id = time.monotonic() + seconds, ""
    while time.monotonic() < deadline:
        try:
            if not turn_id:
                answer = post(url, text, key, api_key=api_key, prefer="respond-async")
                turn_id = str(answer.json()["id"]) if answer.status_code in (200, 202) else ""
            else:
                answer = CLIENT.get(f"{url}/v1/turns/{turn_id}", headers=proof(api_key))
                assert answer.status_code != httpx.codes.NOT_FOUND, f"turn {turn_id} was acknowledged and is gone"
                if answer.status_code == httpx.codes.OK and answer.json()["status"] in FINISHED:
                    return dict(answer.json())
        except httpx.HTTPError:
            pass
        time.sleep(RETRY_SECONDS)
    raise AssertionError(f"{text!r} ({key}) was never answered")


def finished(url: str, turn_id: str, seconds: float = HANG_SECONDS, *, api_key: str | None = None) -> dict[str, Any]:
    """A turn once it is finished."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        turn = dict(CLIENT.get(f"{url}/v1/turns/{turn_id}", headers=proof(api_key)).json())
        if turn["status"] in FINISHED:
            return turn
        time.sleep(0.05)
    raise AssertionError(f"turn {turn_id} was never finished")
