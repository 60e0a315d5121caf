"""Every way a kill can leave the embedded server behind, each made for real, and the next start after it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from app.database import embedded_account
from app.database.embedded import EmbeddedServer
from tests.support.servers.clusters import (
    START,
    Start,
    answers,
    kill_server,
    leave_pid_file,
    remember,
    remembered,
    server_pid,
    servers_of,
)
from tests.support.servers.ready_made import furnish
from tests.support.waiting import wait_until


@pytest.fixture
def used(folder: Path) -> Path:
    """A folder in which a server ran before."""
    furnish(folder.parent)
    return folder


@pytest.mark.parametrize("after", [0.02, 0.1, 0.2])
def test_recovers_from_kill_during_the_first_initdb(start: Start, folder: Path, after: float) -> None:
    command = [sys.executable, "-c", textwrap.dedent(START), str(folder)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
    while not list(folder.glob("new-*")):
        assert other.poll() is None
        time.sleep(0.002)
    time.sleep(after)
    # The whole group: Python and the initdb it waits for.
    os.killpg(other.pid, signal.SIGKILL)
    other.communicate()
    assert not (folder / "cluster").exists()
    assert answers(start().url)
    assert list(folder.glob("new-*")) == []


def test_recovers_from_kill_of_the_database_server(start: Start, used: Path) -> None:
    server = start()
    remember(server.url, "before the kill")
    server._stopping.set()  # the watch must not help
    kill_server(used)
    assert remembered(start().url) == ["before the kill"]
    os.close(server._share)


def test_a_running_process_brings_a_killed_server_back(start: Start, used: Path) -> None:
    server = start()
    remember(server.url, "before the kill")
    killed = kill_server(used)

    def back() -> list[str]:
        with suppress(psycopg.OperationalError):
            return remembered(server.url)
        return []

    assert wait_until(back) == ["before the kill"]
    assert server_pid(used) != killed


def test_recovers_from_a_zombie_in_the_pid_file(start: Start, used: Path) -> None:
    start().stop()
    zombie = subprocess.Popen(["true"])
    while psutil.Process(zombie.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.005)
    leave_pid_file(used, zombie.pid)
    assert answers(start().url)
    zombie.wait()


def test_recovers_from_a_reused_pid(start: Start, used: Path) -> None:
    start().stop()
    innocent = subprocess.Popen(["sleep", "60"], **_as_server_account())
    leave_pid_file(used, innocent.pid)
    try:
        assert answers(start().url)
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


def test_recovers_from_a_reused_pid_of_another_postgres(start: Start, used: Path) -> None:
    start().stop()
    other = used.with_name("other")
    neighbour = EmbeddedServer.start(other, lambda _: None, durable=False)
    leave_pid_file(used, server_pid(other))
    try:
        assert answers(start().url)
        assert answers(neighbour.url)
    finally:
        neighbour.stop()


@pytest.mark.parametrize("text", ["", "12", "\0\0\0\0", "{pid}\n{data}\n"])
def test_recovers_from_a_truncated_pid_file(start: Start, used: Path, text: str) -> None:
    server = start()
    remember(server.url, "kept")
    server._stopping.set()  # the watch must not help
    pid = kill_server(used)
    (used / "cluster" / "postmaster.pid").write_text(text.format(pid=pid, data=used / "cluster"))
    assert remembered(start().url) == ["kept"]
    os.close(server._share)


def test_recovers_from_a_pid_file_truncated_under_a_live_server(start: Start, used: Path) -> None:
    server = start()
    remember(server.url, "kept")
    (used / "cluster" / "postmaster.pid").write_text("")
    assert remembered(start().url) == ["kept"]
    assert len(servers_of(used)) == 1


def test_recovers_from_a_socket_that_was_deleted(start: Start, used: Path) -> None:
    start()
    (used / "socket" / ".s.PGSQL.5432").unlink()
    assert answers(start().url)
    assert len(servers_of(used)) == 1


def _as_server_account() -> dict[str, Any]:
    account = embedded_account.server_account()
    return account.process_options() if account else {}
