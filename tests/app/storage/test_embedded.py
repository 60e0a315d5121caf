"""Every way a kill can leave the embedded server behind, each made for real, and the next start after it."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from app.storage import embedded_account
from app.storage.embedded import EmbeddedServer, EmbeddedServerError

START = """
    import sys, time
    from pathlib import Path
    from app.storage.embedded import EmbeddedServer
    server = EmbeddedServer.start(Path(sys.argv[1]), lambda line: None, durable=False)
    print(server.url, flush=True)
    sys.stdin.read()
    server.stop()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    # Not pytest's own: its names are long enough to move the socket elsewhere.
    parent = Path(tempfile.mkdtemp(prefix="summit-test-"))
    yield parent / "postgres"
    for process in _servers(parent / "postgres"):
        process.kill()
        with suppress(psutil.TimeoutExpired):
            process.wait(5)
    shutil.rmtree(parent)


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[[], EmbeddedServer]]:
    started: list[EmbeddedServer] = []

    def start_one() -> EmbeddedServer:
        started.append(EmbeddedServer.start(folder, lambda _: None, durable=False))
        return started[-1]

    yield start_one
    for server in started:
        server.stop()


def _servers(folder: Path) -> list[psutil.Process]:
    def serves(process: psutil.Process) -> bool:
        with suppress(psutil.Error, OSError):
            return "-D" in process.cmdline() and str(folder.resolve() / "cluster") in process.cmdline()
        return False

    return [process for process in psutil.process_iter() if serves(process)]


def _other_process(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(START), str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("postgresql://")
    return process


def _pid(folder: Path) -> int:
    return int((folder / "cluster" / "postmaster.pid").read_text().splitlines()[0])


def _kill_server(folder: Path) -> int:
    pid = _pid(folder)
    process = psutil.Process(pid)
    process.kill()
    with suppress(psutil.TimeoutExpired, psutil.NoSuchProcess):
        process.wait(5)
    return pid


def _remember(url: str, words: str) -> None:
    with psycopg.connect(url) as conn:
        conn.execute("create table if not exists kept (words text)")
        conn.execute("insert into kept values (%s)", (words,))


def _remembered(url: str) -> list[str]:
    with psycopg.connect(url) as conn:
        return [words for (words,) in conn.execute("select words from kept").fetchall()]


NOBODY = 65534
Start = Callable[[], EmbeddedServer]


def test_a_stopped_server_keeps_what_was_committed(start: Start, folder: Path) -> None:
    server = start()
    _remember(server.url, "kept")
    server.stop()
    assert _servers(folder) == []
    assert _remembered(start().url) == ["kept"]


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
    other = _other_process(folder)
    first.stop()
    assert len(_servers(folder)) == 1
    other.communicate(timeout=20)
    assert _servers(folder) == []


def test_a_user_killed_without_stopping_does_not_keep_the_server_alive(start: Start, folder: Path) -> None:
    server = start()
    other = _other_process(folder)
    other.kill()
    other.communicate(timeout=20)
    server.stop()
    assert _servers(folder) == []


def test_stopping_twice_is_harmless(start: Start, folder: Path) -> None:
    first, second = start(), start()
    first.stop()
    first.stop()
    assert _remembered_one(second.url) == 1


def _remembered_one(url: str) -> int:
    with psycopg.connect(url) as conn:
        [(one,)] = conn.execute("select 1").fetchall()
    return int(one)


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
    assert _remembered_one(start().url) == 1
    assert list(folder.glob("new-*")) == []


def test_recovers_from_kill_of_the_database_server(start: Start, folder: Path) -> None:
    server = start()
    _remember(server.url, "before the kill")
    server._stopping.set()  # the watch must not help
    _kill_server(folder)
    assert _remembered(start().url) == ["before the kill"]
    os.close(server._share)


def test_a_running_process_brings_a_killed_server_back(start: Start, folder: Path) -> None:
    server = start()
    _remember(server.url, "before the kill")
    killed = _kill_server(folder)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with suppress(psycopg.OperationalError):
            assert _remembered(server.url) == ["before the kill"]
            break
        time.sleep(0.05)
    assert _pid(folder) != killed


def test_recovers_from_a_zombie_in_the_pid_file(start: Start, folder: Path) -> None:
    start().stop()
    zombie = subprocess.Popen(["true"])
    while psutil.Process(zombie.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.005)
    _leave_pid_file(folder, zombie.pid)
    assert _remembered_one(start().url) == 1
    zombie.wait()


def test_recovers_from_a_reused_pid(start: Start, folder: Path) -> None:
    start().stop()
    innocent = subprocess.Popen(["sleep", "60"], **_as_server_account())
    _leave_pid_file(folder, innocent.pid)
    try:
        assert _remembered_one(start().url) == 1
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


def test_recovers_from_a_reused_pid_of_another_postgres(start: Start, folder: Path) -> None:
    start().stop()
    other = folder.with_name("other")
    neighbour = EmbeddedServer.start(other, lambda _: None, durable=False)
    _leave_pid_file(folder, _pid(other))
    try:
        assert _remembered_one(start().url) == 1
        assert _remembered_one(neighbour.url) == 1
    finally:
        neighbour.stop()


@pytest.mark.parametrize("text", ["", "12", "\0\0\0\0", "{pid}\n{data}\n"])
def test_recovers_from_a_truncated_pid_file(start: Start, folder: Path, text: str) -> None:
    server = start()
    _remember(server.url, "kept")
    server._stopping.set()  # the watch must not help
    pid = _kill_server(folder)
    (folder / "cluster" / "postmaster.pid").write_text(text.format(pid=pid, data=folder / "cluster"))
    assert _remembered(start().url) == ["kept"]
    os.close(server._share)


def test_recovers_from_a_pid_file_truncated_under_a_live_server(start: Start, folder: Path) -> None:
    server = start()
    _remember(server.url, "kept")
    (folder / "cluster" / "postmaster.pid").write_text("")
    assert _remembered(start().url) == ["kept"]
    assert len(_servers(folder)) == 1


def test_recovers_from_a_socket_that_was_deleted(start: Start, folder: Path) -> None:
    start()
    (folder / "socket" / ".s.PGSQL.5432").unlink()
    assert _remembered_one(start().url) == 1
    assert len(_servers(folder)) == 1


def test_a_long_path_gets_a_short_private_socket_folder(folder: Path) -> None:
    deep = folder / ("x" * 60) / ("y" * 60)
    server = EmbeddedServer.start(deep, lambda _: None, durable=False)
    try:
        socket = server._cluster.socket_folder
        assert _remembered_one(server.url) == 1
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
        timeout=60,
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_an_ordinary_user_runs_the_server_itself(folder: Path) -> None:
    folder.parent.chmod(0o777)
    # Imported before: root's Python may be in a folder that nobody else may enter.
    code = f"import os, psycopg, app.storage.embedded; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})"
    command = [sys.executable, "-c", f"{code}\n{textwrap.dedent(START)}", str(folder)]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (folder / "cluster").stat().st_uid == NOBODY


def test_threads_of_one_process_may_start_and_stop_at_once(folder: Path) -> None:
    failures: list[BaseException] = []

    def start_and_stop() -> None:
        try:
            server = EmbeddedServer.start(folder, lambda _: None, durable=False)
            _remembered_one(server.url)
            server.stop()
        except BaseException as error:  # noqa: BLE001 - a thread must hand its failure to the test
            failures.append(error)

    threads = [threading.Thread(target=start_and_stop) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert _servers(folder) == []


def _can(command: list[str], **options: Any) -> bool:
    return subprocess.run(command, capture_output=True, check=False, **options).returncode == 0


def _as_server_account() -> dict[str, Any]:
    account = embedded_account.server_account()
    return account.process_options() if account else {}


def _leave_pid_file(folder: Path, pid: int) -> None:
    socket = folder / "socket"
    lines = [pid, folder.resolve() / "cluster", int(time.time()), 5432, socket, "", "  1234567         1", "ready   "]
    (folder / "cluster" / "postmaster.pid").write_text("\n".join(map(str, lines)) + "\n")
    for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
        (socket / name).write_text(f"{pid}\n")
