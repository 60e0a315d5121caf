"""Programs of projects: gone with the server, and kept from what is the server's."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from app.work.projects.account import UNCONFINED, Confinement
from app.work.projects.children import ChildSurroundings, child
from tests.support.waiting import wait_until

PARENT = """
import asyncio, os, sys
from pathlib import Path
from app.work.projects.children import ChildSurroundings, child

async def main():
    around = ChildSurroundings(os.environ)
    async with child(["sh", "-c", "sleep 300 & sleep 300"], Path(sys.argv[1]), around) as process:
        print(process.pid, flush=True)
        await process.wait()

asyncio.run(main())
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")


def nobody() -> ChildSurroundings:
    return ChildSurroundings({"PATH": "/usr/bin:/bin"}, "nobody")


def test_what_a_killed_server_started_ends_with_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[5]) as server:
        assert server.stdout
        group = int(server.stdout.readline())
        wait_until(lambda: len(members(group)) >= 3)
        server.kill()
    wait_until(lambda: not members(group))


async def test_its_exit_status_is_the_programs(tmp_path: Path) -> None:
    for line, status in (("exit 7", 7), ("kill -9 $$", 128 + signal.SIGKILL)):
        async with child(["sh", "-c", line], tmp_path, ChildSurroundings({"PATH": "/usr/bin:/bin"})) as process:
            await process.wait()
        assert process.returncode == status


@as_root
async def test_an_account_has_its_own_rights_and_none_of_the_servers(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    secret.chmod(0o600)
    async with child(["sh", "-c", f"id -un; cat {secret}; echo $HOME"], Path("/"), nobody()) as process:
        said, _ = await process.communicate()
    name, refusal, home = said.decode().splitlines()
    assert (name, home) == ("nobody", pwd.getpwnam("nobody").pw_dir)
    assert "Permission denied" in refusal


@as_root
async def test_an_account_that_could_read_the_servers_data_is_an_objection(tmp_path: Path) -> None:
    secret = tmp_path / "data"
    secret.mkdir(mode=0o700)
    assert await Confinement(nobody(), [secret], accepted=False).objection() == ""
    open_to_all = Confinement(nobody(), [Path("/etc")], accepted=True)
    assert "can read the server's data" in await open_to_all.objection()


async def test_an_account_that_the_server_cannot_become_is_an_objection() -> None:
    around = ChildSurroundings({"PATH": "/usr/bin:/bin"}, "no-such-account")
    assert "cannot become no-such-account" in await Confinement(around, [], accepted=True).objection()


async def test_without_an_account_the_administrator_has_to_accept_it() -> None:
    around = ChildSurroundings({"PATH": "/usr/bin:/bin"})
    assert await Confinement(around, [], accepted=False).objection() == UNCONFINED
    assert await Confinement(around, [], accepted=True).objection() == ""


def members(group: int) -> list[int]:
    """Processes of a group that live."""
    found = list[int]()
    for one in psutil.process_iter():
        try:
            if os.getpgid(one.pid) == group and one.status() != psutil.STATUS_ZOMBIE:
                found.append(one.pid)
        except (psutil.Error, ProcessLookupError):
            continue
    return found
