"""The guard of the unit tests: a test that reaches out fails."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.conftest import Watch

pytest_plugins = ["pytester"]


def call_the_network() -> None:
    with socket.socket() as one:
        one.connect(("127.0.0.1", 9))


def call_the_network_of_ipv6() -> None:
    with socket.socket(socket.AF_INET6) as one:
        one.connect(("::1", 9))


def call_a_unix_socket() -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect("/nonexistent")


def start_a_program() -> None:
    subprocess.run([sys.executable, "--version"], check=True)


def spawn_a_program() -> None:
    os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "--version"], {}), 0)


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


REACHING = [call_the_network, call_the_network_of_ipv6, call_a_unix_socket, start_a_program, spawn_a_program, fork]


@pytest.mark.parametrize("reach", REACHING, ids=lambda reach: reach.__name__)
def test_whoever_reaches_out_is_stopped_and_noted(watch: Watch, reach: Callable[[], None]) -> None:
    with pytest.raises(RuntimeError, match="a unit test reaches out"):
        reach()
    assert len(watch.seen) == 1
    watch.seen.clear()


def test_a_test_that_swallows_the_refusal_fails_all_the_same(watch: Watch, pytester: pytest.Pytester) -> None:
    guard = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
    pytester.makeconftest(guard)
    pytester.makepyfile(
        """
        import contextlib, socket

        def test_reaches_out():
            with contextlib.suppress(Exception), socket.socket() as one:
                one.connect(("127.0.0.1", 9))

        def test_stays_at_home():
            pass
        """
    )
    watch.active = False  # the guard of that run is to see it
    try:
        pytester.inline_run("-p", "no:cacheprovider", "-p", "no:asyncio").assertoutcome(passed=1, failed=1)
    finally:
        watch.active = True


def test_a_pair_of_sockets_of_ones_own_is_let_be(watch: Watch) -> None:
    """Event loops wake themselves by one."""
    here, there = socket.socketpair()
    with contextlib.closing(here), contextlib.closing(there):
        here.send(b"x")
        assert there.recv(1) == b"x"
    assert not watch.seen
