"""Git without its hooks, its questions and its settings of strangers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SECONDS = 60.0
SAFE = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "safe.directory=*")
QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes"}


class GitFailed(RuntimeError):  # noqa: N818 - an outcome
    """Git said no; the message is its last line."""


def git(folder: Path, *arguments: str, given: str = "") -> str:
    """What git prints for a command in a folder that is ``given`` something to read; raises GitFailed."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ} | QUIET
    command = ["git", *SAFE, "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command, input=os.fsencode(given), capture_output=True, timeout=SECONDS, check=True, env=environment
        )
    except subprocess.CalledProcessError as error:
        words = os.fsdecode(error.stderr).strip().splitlines()
        raise GitFailed(words[-1] if words else f"git ended with {error.returncode}") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise GitFailed(str(error)) from error
    return os.fsdecode(done.stdout).strip("\n")
