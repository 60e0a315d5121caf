"""Make .venv hold Summit and the extras named as arguments; the standard library suffices, nothing else is there yet."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import tomllib
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "summit-installed.json"
LOG = VENV / "install.log"
PINS = ROOT / "constraints.txt"
SECONDS_BETWEEN_LINES = 5.0


def main(extras: list[str]) -> int:
    """Install what is missing and leave a stamp, so that the next call has nothing to do."""
    with one_at_a_time():
        wanted = set(extras)
        installed = installed_extras()
        if installed is not None and wanted <= installed:
            return 0
        wanted |= installed or set()
        started = time.monotonic()
        count, megabytes = volume(wanted)
        say(f"Installing {count} packages into .venv, about {megabytes} MB on disk, once ...")
        prepare()
        install(wanted, count)
        STAMP.write_text(json.dumps({"fingerprint": fingerprint(), "extras": sorted(wanted)}))
        say(f"Ready after {time.monotonic() - started:.0f} s.")
    return 0


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the checkout's lock: two targets at once must not write into one .venv."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another make is setting up .venv; waiting for it ...")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def fingerprint() -> str:
    """Names what .venv was made from: the pins, the dependencies and where this checkout lies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    parts = [PINS.read_text(), project["build-system"], project["project"], str(ROOT)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def installed_extras() -> set[str] | None:
    """The extras that .venv holds, or None when it is missing, broken or made from other pins."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return None
    current = stamp["fingerprint"] == fingerprint() and os.access(PYTHON, os.X_OK)
    return set(stamp["extras"]) if current else None


def volume(extras: set[str]) -> tuple[int, int]:
    """Packages and megabytes to install, from the headings in constraints.txt."""
    count = megabytes = 0
    counted = False
    for line in PINS.read_text().splitlines():
        if heading := re.match(r"# \[(\w+)\] (\d+) MB", line):
            counted = heading[1] in extras | {"summit"}
            megabytes += int(heading[2]) if counted else 0
        elif "==" in line:
            count += counted
    return count, megabytes


def prepare() -> None:
    """Make the environment unless a usable one is there, with the pip that is pinned."""
    if not usable():
        venv.create(VENV, clear=True, with_pip=True, symlinks=True)
    pip("--upgrade", "pip", "setuptools")


def usable() -> bool:
    """Whether .venv runs and was made in this place: its commands carry the path they were made for."""
    try:
        subprocess.run([PYTHON, "-c", "import pip"], check=True, capture_output=True)
        return str(VENV) in (VENV / "bin" / "pip").read_text()
    except (OSError, subprocess.CalledProcessError):
        return False


def install(extras: set[str], count: int) -> None:
    """Install Summit itself in place, so that the checkout is what runs."""
    target = f".[{','.join(sorted(extras))}]" if extras else "."
    pip("--build-constraint", PINS.name, "--editable", target, count=count)


def pip(*arguments: str, count: int = 0) -> None:
    """Run pip with our pins, showing how far it is; ends the program with pip's own words if it fails."""
    options = ["--no-input", "--disable-pip-version-check", "--root-user-action=ignore", "--constraint", PINS.name]
    with LOG.open("w") as log:
        process = subprocess.Popen(
            [PYTHON, "-m", "pip", "install", *options, *arguments], stdout=log, stderr=log, cwd=ROOT
        )
        show_progress(process, count)
    if process.returncode:
        print(*LOG.read_text().splitlines()[-15:], sep="\n", file=sys.stderr)
        say(f"This did not work; the whole log is in {LOG.relative_to(ROOT)}. Run the same command to try again.")
        sys.exit(1)


def show_progress(process: subprocess.Popen[bytes], count: int) -> None:
    """Print what pip is doing each time it changes, at most every few seconds, until it ends."""
    shown = ""
    while process.poll() is None:
        waited = 0.0
        while waited < SECONDS_BETWEEN_LINES and process.poll() is None:
            time.sleep(0.2)
            waited += 0.2
        line = progress(LOG.read_text(errors="replace"), count) if count else ""
        if line and line != shown:
            say(line)
            shown = line


def progress(log: str, count: int) -> str:
    """One line on where pip is, read from its log."""
    if "Installing collected packages" in log:
        done = sum(1 for _ in VENV.glob("lib/python*/site-packages/*.dist-info"))
        return f"  unpacking: {done} packages are in place"
    collected = len(set(re.findall(r"^Collecting ([\w.-]+)", log, re.MULTILINE)))
    downloads = re.findall(r"Downloading ([\w.]+)-\S+ \((.+?)\)", log)
    name, size = downloads[-1] if downloads else ("", "")
    latest = f", now {name} ({size})" if name else ""
    return f"  fetching: {collected} of {count}{latest}"


def say(line: str) -> None:
    """Print at once, also into a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
