"""Run a program that ends when whoever started it is gone: ``python leash.py DESCRIPTOR ACCOUNT PROGRAM ARGUMENT...``.

A server that is killed cannot end the agents that it started. This process leads their group and holds the reading end
of a pipe whose other end is the server's: when that closes, the whole group is killed. With an account (may be empty)
it gives up its own rights first, for good. It uses the standard library alone and is run as a file.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import signal
import subprocess
import sys
import termios
import threading


def main(leash: int, account: str, *command: str) -> int:
    """Run the program; its exit status, told as a shell tells it where a signal ended it."""
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if account:
        switch_account(account)
    child = subprocess.Popen(command, close_fds=True)
    threading.Thread(target=end_with_server, args=(leash,), daemon=True).start()
    status = child.wait()
    return 128 - status if status < 0 else status


def switch_account(name: str) -> None:
    """Take on an account, its groups included; there is no way back."""
    account = pwd.getpwnam(name)
    os.initgroups(name, account.pw_gid)
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    os.environ["HOME"] = account.pw_dir


def end_with_server(leash: int) -> None:
    """Wait for the end of the pipe, then end the group, this process included."""
    while os.read(leash, 1):
        pass
    os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
