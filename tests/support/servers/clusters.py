"""What tests of the embedded server do to it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg

from app.database.embedded import EmbeddedServer
from tests.support.waiting import HANG_SECONDS

Start = Callable[[], EmbeddedServer]

START = """
    import sys, time
    from pathlib import Path
    from app.database.embedded import EmbeddedServer
    server = EmbeddedServer.start(Path(sys.argv[1]), lambda line: None, durable=False)
    print(server.url, flush=True)
    sys.stdin.read()
    server.stop()
"""


def servers_of(folder: Path) -> list[psutil.Process]:
    def serves(process: psutil.Process) -> bool:
        with suppress(psutil.Error, OSError):
            return "-D" in process.cmdline() and str(folder.resolve() / "cluster") in process.cmdline()
        return False

    return [process for process in psutil.process_iter() if serves(process)]


def other_process(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(START), str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("postgresql://")
    return process


def server_pid(folder: Path) -> int:
    return int((folder / "cluster" / "postmaster.pid").read_text().splitlines()[0])


def kill_server(folder: Path) -> int:
    pid = server_pid(folder)
    process = psutil.Process(pid)
    process.kill()
    with suppress(psutil.NoSuchProcess):
        process.wait(HANG_SECONDS)
    return pid


def remember(url: str, words: str) -> None:
    with psycopg.connect(url) as conn:
        conn.execute("create table if not exists kept (words text)")
        conn.execute("insert into kept values (%s)", (words,))


def remembered(url: str) -> list[str]:
    with psycopg.connect(url) as conn:
        return [words for (words,) in conn.execute("select words from kept").fetchall()]


def answers(url: str) -> bool:
    with psycopg.connect(url) as conn:
        return conn.execute("select 1").fetchall() == [(1,)]


def leave_pid_file(folder: Path, pid: int) -> None:
    socket = folder / "socket"
    lines = [pid, folder.resolve() / "cluster", int(time.time()), 5432, socket, "", "  1234567         1", "ready   "]
    (folder / "cluster" / "postmaster.pid").write_text("\n".join(map(str, lines)) + "\n")
    for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
        (socket / name).write_text(f"{pid}\n")
