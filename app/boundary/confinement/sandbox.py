"""What a child process gives up before it touches a stranger's bytes."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
POLITENESS = 5
AUTOGROUP = Path("/proc/self/autogroup")


def follow_parent() -> None:
    """Ask the kernel to kill this process when its parent dies (Linux; elsewhere the closed stdin ends it)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def step_back() -> None:
    """Let the API go first: models run at a lower priority and leave no core file.

    Where the kernel schedules each session as a group (Linux with autogroup), only the group's priority counts between
    them, and a child has a session of its own.
    """
    os.nice(POLITENESS)
    with suppress(OSError):  # no groups here, or one changed a moment ago
        AUTOGROUP.write_text(str(POLITENESS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_cpu_and_memory(*, cpu_seconds: int, memory_bytes: int) -> None:
    """Bound CPU time and memory alone, of a child that has to write files."""
    # At the soft limit the signal says why; at the hard one it would be a bare SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    if sys.platform == "linux":  # macOS refuses to bound the address space
        _limit(resource.RLIMIT_AS, memory_bytes)


def confine(*, cpu_seconds: int, memory_bytes: int) -> None:
    """Bound CPU time and memory, and allow no file to be written or opened from here on.

    Standard input, output and error stay open; everything that is imported later would fail.
    """
    limit_cpu_and_memory(cpu_seconds=cpu_seconds, memory_bytes=memory_bytes)
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
        _limit(kind, 0)
    _limit(resource.RLIMIT_NOFILE, sys.__stderr__.fileno() + 1 if sys.__stderr__ else 3)


def _limit(kind: int, value: int) -> None:
    resource.setrlimit(kind, (value, value))
