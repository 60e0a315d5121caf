"""The account that runs the embedded server when Summit itself runs as root, which PostgreSQL refuses to.

What this changes on the machine, and nothing more: a system account without a home or a shell; the right to
walk through (not list, not read) the folders above the database and above PostgreSQL's programs, given to that
account alone where the file system has access control lists, else to everybody (which is then said); and read
access to the programs, which are public. The clips and keys beside the database keep their own 0700 folders.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ACCOUNT = "summit-postgres"
ACL = "system.posix_acl_access"
ACL_VERSION, ACL_ENTRY = struct.Struct("<I"), struct.Struct("<HHI")
OWNER, NAMED_USER, GROUP, MASK, OTHER, NOBODY = 0x01, 0x02, 0x04, 0x10, 0x20, 0xFFFFFFFF
WALK_THROUGH = 1


class AccountError(RuntimeError):
    """No account can run the embedded server."""


@dataclass(frozen=True)
class SystemAccount:
    """A user of this machine other than root."""

    uid: int
    gid: int

    def process_options(self) -> dict[str, Any]:
        """Arguments of ``subprocess`` that start a program as this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def take(self, path: Path) -> None:
        """Make this account the owner of one path."""
        os.chown(path, self.uid, self.gid)

    def open_way_to(self, path: Path, say: Callable[[str], None]) -> None:
        """Let this account walk through every folder above ``path``."""
        for folder in path.resolve().parents:
            if not _may_walk_through(folder, self.uid):
                _let_walk_through(folder, self.uid, say)

    def open_programs(self, folder: Path) -> None:
        """Let this account read and run the programs in ``folder``."""
        for path in _tree(folder):
            mode = path.stat().st_mode
            wanted = 0o055 if mode & stat.S_IXUSR else 0o044
            if mode & wanted != wanted:
                path.chmod(stat.S_IMODE(mode) | wanted)


def server_account() -> SystemAccount | None:
    """The account to run the server as; None when Summit is not root and can run it itself.

    Raises AccountError when there is none and none can be made.
    """
    if os.geteuid() != 0:
        return None
    found = _find(ACCOUNT) or _create() or _find("postgres")
    if found is None:
        raise AccountError(
            f"PostgreSQL does not run as root and the account {ACCOUNT} could not be created. "
            "Run Summit as an ordinary user, or set DATABASE_URL to a PostgreSQL of yours."
        )
    return found


def _find(name: str) -> SystemAccount | None:
    with suppress(KeyError):
        entry = pwd.getpwnam(name)
        return SystemAccount(entry.pw_uid, entry.pw_gid)
    return None


def _create() -> SystemAccount | None:
    useradd = shutil.which("useradd", path=f"{os.defpath}:/usr/sbin:/sbin")
    if useradd is None:
        return None
    command = [useradd, "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT]
    for _ in range(20):
        # Two processes that create it at once: one finds the password file locked.
        subprocess.run(command, capture_output=True, check=False)
        if account := _find(ACCOUNT):
            return account
        time.sleep(0.1)
    return None


def _tree(folder: Path) -> Iterator[Path]:
    yield folder
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in [*folders, *files] if not Path(root, name).is_symlink())


def _may_walk_through(folder: Path, uid: int) -> bool:
    found = folder.stat()
    if found.st_uid == uid:
        return bool(found.st_mode & stat.S_IXUSR)
    entries = _read_acl(folder)
    mask = next((perm for tag, perm, _ in entries if tag == MASK), 0o7)
    named = [perm & mask for tag, perm, who in entries if (tag, who) == (NAMED_USER, uid)]
    return bool((named[0] if named else found.st_mode) & WALK_THROUGH)


def _let_walk_through(folder: Path, uid: int, say: Callable[[str], None]) -> None:
    try:
        _write_acl(folder, _with_user(_read_acl(folder) or _acl_of_mode(folder), uid))
    except (OSError, AttributeError):
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) | stat.S_IXOTH)
        say(f"Every account may now walk through {folder} (not list it): its file system has no access control lists.")


Entries = list[tuple[int, int, int]]


def _read_acl(folder: Path) -> Entries:
    try:
        raw = os.getxattr(folder, ACL)
    except (OSError, AttributeError):
        return []
    return [(tag, perm, who) for tag, perm, who in ACL_ENTRY.iter_unpack(raw[ACL_VERSION.size :])]


def _acl_of_mode(folder: Path) -> Entries:
    mode = folder.stat().st_mode
    return [(OWNER, mode >> 6 & 7, NOBODY), (GROUP, mode >> 3 & 7, NOBODY), (OTHER, mode & 7, NOBODY)]


def _with_user(entries: Entries, uid: int) -> Entries:
    group = next(perm for tag, perm, _ in entries if tag == GROUP)
    mask = next((perm for tag, perm, _ in entries if tag == MASK), group)
    kept = [entry for entry in entries if entry[0] != MASK and (entry[0], entry[2]) != (NAMED_USER, uid)]
    return sorted(
        [*kept, (NAMED_USER, WALK_THROUGH, uid), (MASK, mask | WALK_THROUGH, NOBODY)],
        key=lambda entry: (entry[0], entry[2]),
    )


def _write_acl(folder: Path, entries: Entries) -> None:
    os.setxattr(folder, ACL, ACL_VERSION.pack(2) + b"".join(ACL_ENTRY.pack(*entry) for entry in entries))
