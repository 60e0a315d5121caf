"""An agent in a terminal of its own, relayed to the one of whoever calls it: for people, who watch it themselves."""

from __future__ import annotations

import fcntl
import os
import pty
import pwd
import select
import signal
import subprocess
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from app.work.projects.children import LEASH, ChildSurroundings

CHUNK = 65_536
NOBODY_LOOKS = ("CI", "NO_COLOR")
"""Variables that are for agents without a person in front of them."""


def attend(
    command: Sequence[str],
    folder: Path,
    around: ChildSurroundings,
    variables: Sequence[str] = (),
    *,
    typed: int = 0,
    shown: int = 1,
) -> int:
    """Run a program whose terminal is what ``typed`` and ``shown`` are; its exit status. Its group is gone then."""
    reading, writing = os.pipe()
    master, slave = pty.openpty()
    if around.account:
        os.fchown(slave, pwd.getpwnam(around.account).pw_uid, -1)
    environment = around.environment(variables)
    process = subprocess.Popen(
        [sys.executable, "-I", str(LEASH), str(reading), around.account, *command],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={name: value for name, value in environment.items() if name not in NOBODY_LOOKS},
        start_new_session=True,
        pass_fds=(reading,),
    )
    for descriptor in (slave, reading):
        os.close(descriptor)
    try:
        with _as_large_as(typed, master), _raw(typed):
            _relay(master, typed, shown)
        return process.wait()
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for descriptor in (master, writing):
            os.close(descriptor)


def _relay(master: int, typed: int, shown: int) -> None:
    """Hand everything over, until the program has closed its terminal."""
    heard = [master, typed]
    while True:
        ready, _, _ = select.select(heard, [], [])
        if master in ready:
            try:
                said = os.read(master, CHUNK)
            except OSError:  # how Linux says that nobody has the other end open any more
                said = b""
            if not said:
                return
            os.write(shown, said)
        if typed in ready:
            if words := os.read(typed, CHUNK):
                os.write(master, words)
            else:
                heard.remove(typed)


@contextmanager
def _raw(typed: int) -> Iterator[None]:
    """Every key goes to the program, also those that would stop this one."""
    if not os.isatty(typed):
        yield
        return
    before = termios.tcgetattr(typed)
    try:
        tty.setraw(typed)
        yield
    finally:
        termios.tcsetattr(typed, termios.TCSADRAIN, before)


@contextmanager
def _as_large_as(typed: int, master: int) -> Iterator[None]:
    """The program's terminal has the size of this one, also when that changes."""
    if not os.isatty(typed):
        yield
        return

    def resize(*_: object) -> None:
        fcntl.ioctl(master, termios.TIOCSWINSZ, fcntl.ioctl(typed, termios.TIOCGWINSZ, b"\0" * 8))

    before = signal.signal(signal.SIGWINCH, resize)
    resize()
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)
