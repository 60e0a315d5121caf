"""``summit chat`` as people run it: a process that talks to a server process, piped or in a terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from tests.support.servers import forked
from tests.support.servers.running import RunningServer, running
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[4]
PROGRAM = "import sys; from app.cli import main; sys.exit(main(sys.argv[1:]))"
# Ctrl-C reaches the processes of the terminal that controls them.
LIKE_A_SHELL = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # tests may run in the background
)
IN_TERMINAL = f"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); {LIKE_A_SHELL}; {PROGRAM}"
COMMAND = [sys.executable, "-c", PROGRAM, "chat"]
END_OF_INPUT = b"\x04"
INTERRUPT = b"\x03"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("home") / "data") as found:
        yield found


def chat(url: str, said: str, *options: str) -> subprocess.CompletedProcess[str]:
    """The finished process of a conversation whose lines are piped in."""
    return forked.summit("chat", "--url", url, *options, environment=os.environ, said=said.encode())


def test_each_line_is_a_message_and_each_reply_follows(server: RunningServer) -> None:
    done = chat(server.url, "call mom tomorrow at 5\n\n  \nbuy oat milk")
    assert done.returncode == 0, done.stderr
    mom, milk = done.stdout.splitlines()
    assert "call mom" in mom
    assert "buy oat milk" in milk
    tasks = {todo["task"] for todo in httpx.get(f"{server.url}/v1/todos").json()["items"]}
    assert {"call mom", "buy oat milk"} <= tasks


def test_a_question_shows_its_options_and_a_number_chooses(server: RunningServer) -> None:
    done = chat(server.url, "add task paint the fence\nadd task paint the door\ndelete the paint task\n2\n")
    assert done.returncode == 0, done.stderr
    offered = [line.split(". ", 1)[1] for line in done.stdout.splitlines() if line.startswith(("  1. ", "  2. "))]
    assert sorted(offered) == ["paint the door", "paint the fence"]
    tasks = {todo["task"] for todo in httpx.get(f"{server.url}/v1/todos").json()["items"]}
    assert offered[1] not in tasks
    assert offered[0] in tasks


def test_what_is_refused_is_told_and_the_rest_is_said(server: RunningServer) -> None:
    done = chat(server.url, "x" * 30_000 + "\nbuy stamps\n")
    assert done.returncode == 1
    assert "20000" in done.stderr
    assert "buy stamps" in done.stdout


def test_a_server_that_is_not_there_or_refuses_is_told_in_one_line(server: RunningServer) -> None:
    for url, options, word in (
        ("http://127.0.0.1:1", [], "summit serve"),
        ("localhost", [], "address"),
        (server.url, ["--key", "sk_summit_nonsense"], "sk_summit_"),
        (f"{server.url}/docs", [], "address of a Summit server"),
    ):
        done = chat(url, "buy stamps\n", *options)
        assert done.returncode == 1
        assert word in done.stderr
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""


def test_it_goes_on_by_itself_when_the_server_comes_back(database_url: str, tmp_path: Path) -> None:
    settings = {"DATABASE_URL": database_url, "SUMMIT_TURN_LEASE_SECONDS": "1"}
    with ExitStack() as stack:
        first = stack.enter_context(running(tmp_path / "data", **settings))
        command, pipe, quiet = [*COMMAND, "--url", first.url], subprocess.PIPE, subprocess.DEVNULL
        talking = stack.enter_context(
            subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, text=True, cwd=ROOT)
        )
        assert talking.stdin is not None
        assert talking.stdout is not None
        talking.stdin.write("buy milk\n")
        talking.stdin.flush()
        assert "buy milk" in talking.stdout.readline()
        first.kill()
        talking.stdin.write("buy bread\nbuy salt\n")
        talking.stdin.close()
        stack.enter_context(running(tmp_path / "data", SUMMIT_PORT=first.url.rpartition(":")[2], **settings))
        told = talking.stdout.read()
        assert talking.wait(HANG_SECONDS) == 0
        tasks = [todo["task"] for todo in httpx.get(f"{first.url}/v1/todos").json()["items"]]
    assert "buy bread" in told
    assert "buy salt" in told
    assert sorted(tasks) == ["buy bread", "buy milk", "buy salt"]


@pytest.mark.parametrize(("key", "status"), [(END_OF_INPUT, 0), (INTERRUPT, 130)])
def test_in_a_terminal_it_prompts_and_a_key_leaves_at_once(server: RunningServer, key: bytes, status: int) -> None:
    terminal, inside = pty.openpty()
    command = [sys.executable, "-c", IN_TERMINAL, "chat", "--url", server.url]
    with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, cwd=ROOT, start_new_session=True) as it:
        os.close(inside)
        try:
            read_until(terminal, b"> ")
            os.write(terminal, b"buy candles\n")
            assert b"candles" in read_until(terminal, b"> ")
            os.write(terminal, key)
            read_until(terminal, b"")
            assert it.wait(HANG_SECONDS) == status
        finally:
            it.kill()  # else a failure would wait for it
    os.close(terminal)


def test_a_reminder_is_shown_while_nothing_is_typed_and_counts_as_seen(server: RunningServer) -> None:
    terminal, inside = pty.openpty()
    command = [sys.executable, "-c", IN_TERMINAL, "chat", "--url", server.url]
    with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, cwd=ROOT, start_new_session=True) as it:
        os.close(inside)
        read_until(terminal, b"> ")
        at = (datetime.now(UTC) + timedelta(seconds=0.5)).isoformat()
        httpx.post(f"{server.url}/v1/todos", json={"task": "stretch", "remind_at": at})
        assert "* Reminder: “stretch”.".encode() in read_until(terminal, b"> ")
        os.write(terminal, b"buy rope\n")
        assert b"rope" in read_until(terminal, b"> ")
        os.write(terminal, END_OF_INPUT)
        read_until(terminal, b"")
        assert it.wait(HANG_SECONDS) == 0
    os.close(terminal)
    (told,) = httpx.get(f"{server.url}/v1/notifications").json()["items"]
    assert (told["title"], told["outcome"]) == ("stretch", "acknowledged")


def read_until(terminal: int, end: bytes) -> bytes:
    """What the terminal shows up to some bytes; up to its end when there are none."""
    found = b""
    while not (end and found.endswith(end)):
        assert select.select([terminal], [], [], HANG_SECONDS)[0], found
        try:
            more = os.read(terminal, 4096)
        except OSError:  # the other side is closed
            return found
        if not more:
            return found
        found += more
    return found
