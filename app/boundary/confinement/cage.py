"""Run a program that sees a few folders and nothing else: ``python cage.py PARENT PROGRAM ARGUMENT...``.

Standard input is JSON: ``shown`` are folders to read, ``granted`` folders to write in, ``hidden`` what is covered in
them, ``home`` the folder that is seen as /files; ``memory_bytes`` (of files in memory), ``address_bytes`` (of one
process, 0 for no limit), ``file_bytes``, ``seconds`` and ``programs`` are limits. The program gets user, mount, pid,
network, IPC and host-name namespaces of its own, a root that is in memory, no rights and no network. It and all that it
started end with it, or with PARENT. What the kernel refuses is told by exit status 125 and a line on standard error;
then nothing was run.

It uses the standard library alone and is run as a file.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

REFUSED_STATUS = 125
NEW_MOUNTS, NEW_NAMES, NEW_IPC, NEW_USERS, NEW_PIDS, NEW_NETWORK = (
    0x00020000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
OWN_NAMESPACES = NEW_MOUNTS | NEW_NAMES | NEW_IPC | NEW_USERS | NEW_PIDS | NEW_NETWORK
READ_ONLY, NO_SETUID, NO_DEVICES, REMOUNT, BIND, DEEP, PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
DETACH = 2
END_WITH_PARENT, NO_NEW_RIGHTS = 1, 38
USER = 1000
"""Who the program takes itself for; outside it is the server's account, with no right beyond its own files."""
DEVICES = ("null", "zero", "full", "random", "urandom")
HOME = "/files"
STAGE = "/tmp"  # noqa: S108 - only a place to mount on, in a namespace of its own
libc = ctypes.CDLL(None, use_errno=True)


class CageRefused(Exception):  # noqa: N818 - an outcome
    """The kernel does not allow it; the message says what."""


def main(parent: int, spec: dict[str, Any], command: list[str]) -> int:
    """Run the program; its exit status, told as a shell tells it where a signal ended it."""
    libc.prctl(END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        return REFUSED_STATUS
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    leave()
    inside = os.fork()
    if inside:
        return wait_for_exit(inside)
    try:
        libc.prctl(END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        build(spec)
        os._exit(start_program(spec, command))
    except (CageRefused, OSError) as error:
        os.write(2, f"{error}\n".encode())
        os._exit(REFUSED_STATUS)


def leave() -> None:
    """New namespaces, in which this account is another one and belongs to no further group."""
    user, group = os.getuid(), os.getgid()
    with suppress(PermissionError):
        os.setgroups([])
    _require(libc.unshare(OWN_NAMESPACES), "namespaces of its own")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{USER} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{USER} {group} 1")


def build(spec: dict[str, Any]) -> None:
    """A root in memory with what is shown; the old one is gone."""
    _mount(None, "/", None, DEEP | PRIVATE)
    shown = [(folder, _open_path(folder), True) for folder in spec["shown"]]
    granted = [(folder, _open_path(folder), False) for folder in spec["granted"]]
    home = _open_path(spec["home"])
    _mount("tmpfs", STAGE, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=755")
    _system(spec)
    for folder, held, read_only in shown + granted:
        _show(held, STAGE + folder, read_only=read_only)
    for hidden in spec["hidden"]:
        if Path(STAGE + hidden).is_dir():
            _mount("tmpfs", STAGE + hidden, "tmpfs", READ_ONLY, "size=4k")
    _show(home, STAGE + HOME, read_only=False)
    _turn_to(STAGE)


def _system(spec: dict[str, Any]) -> None:
    """Devices, processes and a place for what is in the way."""
    for folder in ("dev", "tmp", "proc", "old"):
        Path(STAGE, folder).mkdir(0o755)
    _mount("tmpfs", STAGE + "/tmp", "tmpfs", NO_SETUID | NO_DEVICES, f"size={spec['memory_bytes']},mode=1777")  # noqa: S108 - it is in memory
    for name in DEVICES:
        Path(STAGE, "dev", name).touch()
        _mount(f"/dev/{name}", f"{STAGE}/dev/{name}", None, BIND)
    # A container that covers parts of its /proc gets no whole one here: programs do without.
    with suppress(CageRefused):
        _mount("proc", f"{STAGE}/proc", "proc", NO_SETUID | NO_DEVICES)
        _limit_processes(spec["programs"])


def _turn_to(root: str) -> None:
    _require(libc.pivot_root(root.encode(), f"{root}/old".encode()), "a root of its own")
    os.chdir("/")
    _require(libc.umount2(b"/old", DETACH), "to leave the old root")
    Path("/old").rmdir()
    _mount(None, "/", None, REMOUNT | BIND | READ_ONLY | NO_SETUID | NO_DEVICES)


def start_program(spec: dict[str, Any], command: list[str]) -> int:
    """The program's exit status; this process takes in what it leaves behind, and ends the rest by ending."""
    child = os.fork()
    if child:
        return wait_for_exit(child)
    libc.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0)
    limits = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, spec["programs"]),
        (resource.RLIMIT_AS, spec["address_bytes"] or resource.RLIM_INFINITY),
        (resource.RLIMIT_FSIZE, spec["file_bytes"]),
        (resource.RLIMIT_CPU, spec["seconds"]),
    )
    for kind, most in limits:
        resource.setrlimit(kind, (most, most))
    os.chdir(HOME)
    os.setsid()
    try:
        os.execvpe(command[0], command, dict(os.environ))  # noqa: S606 - this is what it is for
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(REFUSED_STATUS)


def wait_for_exit(child: int) -> int:
    """Wait for one child, whatever else ends meanwhile."""
    while True:
        pid, status = os.wait()
        if pid == child:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def _limit_processes(programs: int) -> None:
    """How many processes there may be, for a server that is root as well; and no further namespaces."""
    for name, value in (("kernel/pid_max", max(programs, 301)), ("user/max_user_namespaces", 0)):
        with suppress(OSError):
            Path(f"{STAGE}/proc/sys/{name}").write_text(str(value))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _open_path(path: str) -> Path | int:
    """What a path names now, before anything covers it; of a link of the system, such as /bin, where it leads."""
    return Path(path).readlink() if Path(path).is_symlink() else os.open(path, os.O_PATH | os.O_NOFOLLOW)


def _show(held: Path | int, place: str, *, read_only: bool) -> None:
    inner = Path(place)
    inner.parent.mkdir(0o755, parents=True, exist_ok=True)
    if isinstance(held, Path):
        inner.symlink_to(held)
        return
    if stat.S_ISDIR(os.fstat(held).st_mode):
        inner.mkdir(0o755, exist_ok=True)
    else:
        inner.touch()
    _mount(f"/proc/self/fd/{held}", place, None, BIND | (DEEP if read_only else 0))
    _mount(None, place, None, REMOUNT | BIND | NO_SETUID | NO_DEVICES | (READ_ONLY if read_only else 0))


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    words = [word.encode() if word else None for word in (source, target, kind)]
    _require(libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None), f"to mount {target}")


def _require(result: int, what: str) -> None:
    if result:
        raise CageRefused(f"the kernel refuses {what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    try:
        sys.exit(main(int(sys.argv[1]), json.loads(sys.stdin.read()), sys.argv[2:]))
    except (CageRefused, OSError, AttributeError) as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(REFUSED_STATUS)
