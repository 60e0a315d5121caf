"""A Chromium in a cage: it has no network and sees no file of this server; what it loads is handed to it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from app.boundary.confinement.programs import CAGE, visible_paths

ITS_OWN = ("/etc/fonts", "/var/cache/fontconfig", "/etc/chromium", "/etc/chromium.d")
"""What a Chromium reads beside its own folder."""
MEMORY_BYTES = 1 << 30
"""Of files in memory; Chromium reserves far more addresses than it uses, so those are not bounded."""
MOST_PROCESSES = 2000
"""Threads count as well."""


def write_caged_program(chromium: Path, folder: Path, seconds: float) -> Path:
    """A program in a private folder that starts a Chromium in a cage with the arguments that it is given."""
    home, spec, program = folder / "home", folder / "spec.json", folder / "chromium"
    home.mkdir(mode=0o700)
    wanted = {
        "shown": visible_paths(*ITS_OWN, str(chromium.resolve().parent)),
        "granted": [],
        "hidden": [],
        "home": str(home),
        "memory_bytes": MEMORY_BYTES,
        "address_bytes": 0,
        "file_bytes": MEMORY_BYTES,
        "seconds": int(seconds) + 60,
        "programs": MOST_PROCESSES,
    }
    spec.write_text(json.dumps(wanted))
    command = shlex.join([sys.executable, "-I", "-S", str(CAGE)])
    line = f'exec {command} "$PPID" {shlex.quote(str(chromium.resolve()))} "$@" < {shlex.quote(str(spec))}'
    program.write_text(f"#!/bin/sh\n{line}\n")
    program.chmod(0o700)
    return program
