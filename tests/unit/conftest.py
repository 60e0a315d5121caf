"""Unit tests reach nothing: no network, no other process. One that tries fails, and belongs to another tier."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest

BEGINS_A_PROCESS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"})
REACHING = (socket.AF_INET, socket.AF_INET6, getattr(socket, "AF_UNIX", None))


class Watch:
    """What a test has tried to reach; nothing is watched between tests."""

    def __init__(self) -> None:
        self.active = False
        self.seen: list[str] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch while open."""
        self.active = True
        try:
            yield
        finally:
            self.active = False

    def __call__(self, event: str, values: tuple[Any, ...]) -> None:
        """Note what an event of the interpreter tells, see ``sys.addaudithook``; it is refused as well."""
        if not self.active:
            return
        if event in BEGINS_A_PROCESS or (event == "socket.connect" and values[0].family in REACHING):
            told = f"{event} {values[1] if event == 'socket.connect' else values[:2]}"
            self.seen.append(told)
            raise RuntimeError(f"a unit test reaches out: {told}")


WATCH = Watch()
sys.addaudithook(WATCH)  # it cannot be taken away again: outside of unit tests it does nothing


@pytest.fixture(scope="session")
def watch() -> Watch:
    """What this test has tried to reach so far."""
    return WATCH


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Watch what a test's fixtures do."""
    WATCH.seen.clear()
    with WATCH.watching():
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that tried, even where something has swallowed the refusal."""
    with WATCH.watching():
        yield
    _insist_on_nothing_seen()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Fail a test whose fixtures tried; after the last of all, what other tiers have shared is ended."""
    with WATCH.watching() if nextitem else nullcontext():
        yield
    _insist_on_nothing_seen()


def _insist_on_nothing_seen() -> None:
    seen, WATCH.seen[:] = list(WATCH.seen), []
    assert not seen, f"a unit test reaches out, move it to tests/integration or tests/system: {seen}"
