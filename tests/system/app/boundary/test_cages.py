"""Programs in a cage reach nothing of the server: its data, its database, its processes, its network."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.boundary.confinement.programs import SandboxedPrograms
from app.boundary.programs import Executed
from tests.support.waiting import HANG_SECONDS, until

SECRET = "the master key"


class Yard:
    """A server's data folder beside the folder of a user."""

    def __init__(self, folder: Path) -> None:
        self.data, self.files, self.shared = folder / "data", folder / "data" / "files" / "ada", folder / "shared"
        for made in (self.files, self.shared):
            made.mkdir(parents=True)
        (self.data / "master.key").write_text(SECRET)
        self.cages = self.made()

    def made(self, seconds: float = HANG_SECONDS) -> SandboxedPrograms:
        return SandboxedPrograms(seconds=seconds, memory_bytes=1 << 29, output_chars=2000, hidden=[self.data])

    async def shell(self, script: str) -> Executed:
        return await self.cages.shell(script, [self.files, self.shared])

    async def python(self, code: str) -> Executed:
        return await self.cages.python(code, [self.files, self.shared])


@pytest.fixture
async def yard(tmp_path: Path) -> Yard:
    yard = Yard(tmp_path)
    if objection := await yard.cages.objection():
        pytest.skip(objection)
    return yard


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[tuple[Path, str, int]]:
    """A socket as a database has one: in a folder, of a name without a file, and on loopback."""
    path, name = tmp_path / "db.sock", f"\0summit-{os.getpid()}"
    with (
        socket.socket(socket.AF_UNIX) as file,
        socket.socket(socket.AF_UNIX) as nameless,
        socket.create_server(("127.0.0.1", 0)) as port,
    ):
        for one, where in ((file, str(path)), (nameless, name)):
            one.bind(where)
            one.listen()
        yield path, name, port.getsockname()[1]


async def test_a_program_works_in_its_folder(yard: Yard) -> None:
    (yard.files / "numbers.txt").write_text("3\n1\n2\n")
    done = await yard.shell("sort numbers.txt > sorted.txt && cat sorted.txt && pwd && id -u")
    assert (done.status, done.output) == (0, "1\n2\n3\n/files\n1000\n")
    assert (yard.files / "sorted.txt").read_text() == "1\n2\n3\n"
    assert (await yard.python("import json; print(json.dumps({'six': 2 * 3}))")).output == '{"six": 6}\n'
    assert (await yard.shell(f"echo x > {yard.shared}/x")).status == 0
    assert (yard.shared / "x").exists()


async def test_the_data_of_the_server_is_not_there(yard: Yard) -> None:
    for path in (yard.data / "master.key", Path("/proc/1/root") / str(yard.data)[1:] / "master.key"):
        done = await yard.shell(f"cat {path}; ls {yard.data}")
        assert done.status
        assert SECRET not in done.output
    (yard.files / "way").symlink_to(yard.data / "master.key")
    done = await yard.shell("cat way; cat ../master.key; cat /files/../data/master.key")
    assert SECRET not in done.output
    assert "x" not in (await yard.shell(f"find / -name master.key 2>/dev/null | tr -c '' x; ls {Path.home()}")).output


async def test_a_granted_folder_above_the_data_shows_none_of_it(yard: Yard) -> None:
    done = await yard.cages.shell(f"ls {yard.data.parent}; cat {yard.data}/master.key", [yard.files, yard.data.parent])
    assert "shared" in done.output
    assert SECRET not in done.output


async def test_no_socket_of_this_machine_is_reached(yard: Yard, listening: tuple[Path, str, int]) -> None:
    path, name, port = listening
    tries: list[tuple[int, Any]] = [
        (socket.AF_UNIX, str(path)),
        (socket.AF_UNIX, name),
        (socket.AF_INET, ("127.0.0.1", port)),
    ]
    for family, address in tries:
        with socket.socket(family) as outside:
            outside.connect(address)
        code = f"import socket; socket.socket({int(family)}).connect({address!r}); print('in')"
        done = await yard.python(code)
        assert done.status == 1
        assert "Error" in done.output.splitlines()[-1]
    code = "import socket; socket.create_connection(('192.0.2.1', 80), 3)"
    assert "Network is unreachable" in (await yard.python(code)).output


async def test_no_process_of_this_machine_is_seen_or_signalled(yard: Yard) -> None:
    server = os.getpid()
    done = await yard.python(f"import os; os.kill({server}, 0)")
    assert "ProcessLookupError" in done.output
    await yard.shell(f"kill -9 -1; kill -9 {server}; kill -9 {os.getppid()}")
    assert psutil.pid_exists(server)
    seen = await yard.shell("ls /proc | grep -c '^[0-9]'")
    assert int(seen.output) < 8


async def test_nothing_of_the_system_is_changed(yard: Yard) -> None:
    tries = ["echo x > /usr/x", "echo x > /x", "mknod d c 1 3", "mount -t tmpfs none /files", "unshare -U true"]
    for script in (*tries, "chroot / true", "echo 1 > /proc/sys/kernel/sysrq"):
        assert (await yard.shell(script)).status, script


async def test_time_output_and_processes_are_bounded(yard: Yard) -> None:
    yard.cages = yard.made(seconds=2)
    done = await yard.shell("echo before; setsid sleep 600 & sleep 600")
    assert (done.late, done.output) == (True, "before\n")
    yard.cages = yard.made()
    done = await yard.shell("head -c 100000 /dev/zero | tr '\\0' x")
    assert (done.status, done.cut, len(done.output)) == (0, True, 2000)
    assert "Cannot fork" in (await yard.shell("b() { b | b & }; b; sleep 1")).output
    assert "MemoryError" in (await yard.python("x = bytearray(1 << 30)")).output


async def test_what_a_program_leaves_behind_ends_with_it(yard: Yard) -> None:
    mark = f"31.{os.getpid()}"
    assert (await yard.shell(f"setsid sleep {mark} > /dev/null 2>&1 & echo started")).output == "started\n"
    assert not _sleeping(mark)
    working = asyncio.create_task(yard.shell(f"sleep {mark}"))
    await until(lambda: asyncio.to_thread(_sleeping, mark))
    working.cancel()
    with suppress(asyncio.CancelledError):
        await working
    assert not _sleeping(mark)


def _sleeping(mark: str) -> bool:
    """Whether a program still sleeps that long."""
    return any(one.info["cmdline"] == ["sleep", mark] for one in psutil.process_iter(["cmdline"]))


async def test_what_the_kernel_refuses_is_told(tmp_path: Path) -> None:
    launcher = tmp_path / "cage.py"
    real = Path(sys.modules[SandboxedPrograms.__module__].__file__ or "").with_name("cage.py").read_text()
    launcher.write_text(real.replace("libc = ctypes.CDLL(None, use_errno=True)", REFUSING))
    cages = SandboxedPrograms(
        seconds=HANG_SECONDS, memory_bytes=1 << 29, output_chars=2000, hidden=[], launcher=launcher
    )
    assert await cages.objection() == "the kernel refuses namespaces of its own: Operation not permitted"


REFUSING = """
class Kernel:
    def unshare(self, flags):
        ctypes.set_errno(1)
        return -1

    def prctl(self, *values):
        return 0


libc = Kernel()
"""
