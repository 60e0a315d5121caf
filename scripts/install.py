"""Make .venv hold Summit and the extras named as arguments, with nothing but the standard library.

SUMMIT_VENV names another folder of the checkout.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import requirements
from weights import fetch as fetch_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / os.environ.get("SUMMIT_VENV", ".venv")
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "summit-installed.json"
LOG = VENV / "install.log"
LINES = VENV / "requirements.txt"
PINS = ROOT / "constraints.txt"
HASHES = requirements.HASHES
SECONDS_BETWEEN_LINES = 5.0
UV = shutil.which("uv")
OWN_BUILDS = "torch"
"""People point pip to a build for their machine, with hashes of its own: its version counts alone."""
NO_EXTRAS = frozenset({"setup", "summit", "cuda"})
"""Headings of constraints.txt that nobody asks for by name."""


def main(extras: list[str]) -> int:
    """Install what is missing and leave a stamp, so that the next call has nothing to do."""
    known = set(pinned()) - NO_EXTRAS
    if unknown := sorted(set(extras) - known):
        say(f"There is no extra {', '.join(unknown)}. The extras are: {', '.join(sorted(known))}.")
        return 2
    with one_at_a_time():
        wanted = set(extras)
        installed = installed_extras()
        if installed is not None and wanted <= installed:
            return 0
        say(announcement(wanted - installed if installed is not None else {"summit", *wanted}))
        wanted |= installed or set()
        started = time.monotonic()
        STAMP.unlink(missing_ok=True)
        prepare()
        install(wanted)
        fetch_speech_model()
        fetch_weights(PYTHON, VENV / "share" / "summit")
        STAMP.write_text(json.dumps({"fingerprint": fingerprint(), "extras": sorted(wanted)}))
        say(f"Ready after {time.monotonic() - started:.0f} s.")
    return 0


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the checkout's lock: two targets at once must not write into one .venv."""
    folder = os.open(ROOT, os.O_RDONLY)
    os.set_inheritable(folder, True)  # a pip that outlives us keeps the lock until it is done  # noqa: FBT003
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another make is setting up its packages; waiting for it ...")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def fingerprint() -> str:
    """Names what .venv was made from: the pins, their hashes, the dependencies and where this checkout lies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    parts = [PINS.read_text(), HASHES.read_text(), project["build-system"], project["project"], str(ROOT)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def installed_extras() -> set[str] | None:
    """The extras that .venv holds, or None when it is missing, broken or made from other pins."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return None
    current = stamp["fingerprint"] == fingerprint() and os.access(PYTHON, os.X_OK)
    return set(stamp["extras"]) if current else None


def announcement(missing: set[str]) -> str:
    """What is about to happen, in words and megabytes."""
    sections = pinned()
    packages, megabytes = (sum(column) for column in zip(*(sections[name] for name in missing), strict=True))
    cuda = ""
    if "openai-whisper" in missing and sys.platform == "linux":
        cuda = f" (up to {sections['cuda'][1]} MB more where torch brings CUDA)"
    return f"Installing {packages} packages into {VENV.name}, about {megabytes} MB, once{cuda} ..."


def pinned() -> dict[str, tuple[int, int]]:
    """Packages and megabytes under each heading of constraints.txt."""
    parts = re.split(r"^# \[([\w-]+)\] (\d+) MB.*$", PINS.read_text(), flags=re.MULTILINE)[1:]
    names, sizes, bodies = parts[0::3], parts[1::3], parts[2::3]
    packages = [len(set(re.findall(r"^([\w.-]+)==", body, re.MULTILINE))) for body in bodies]
    return dict(zip(names, zip(packages, map(int, sizes), strict=True), strict=True))


def prepare() -> None:
    """Make the environment unless a usable one is there, with the pip that is pinned."""
    if not usable():
        make_environment()
    install_lines(requirements.first())


def make_environment() -> None:
    """Make an empty one; `uv` needs no module of Python's for it, so Debian's Python does without a package."""
    if UV:
        subprocess.run([UV, "venv", "--quiet", "--clear", "--python", sys.executable, VENV], check=True)
    else:
        venv.create(VENV, clear=True, with_pip=True, symlinks=True)


def usable() -> bool:
    """Whether .venv runs and was made in this place: its commands carry the path they were made for."""
    try:
        subprocess.run([PYTHON, "-c", "import pip"], check=True, capture_output=True)
        return str(VENV) in (VENV / "bin" / "pip").read_text()
    except (OSError, subprocess.CalledProcessError):
        return False


def install(extras: set[str]) -> None:
    """Install the packages, each as its hash says, then Summit itself in place: the checkout is what runs."""
    names = requirements.names(extras)
    if OWN_BUILDS in names:
        run([*installer(UV), "--no-deps", "--constraint", PINS.name, OWN_BUILDS])
    install_lines(names, *constraints_for(UV))
    run([*installer(UV), "--no-deps", "--no-build-isolation", "--editable", "."])


def install_lines(lines: list[str], *arguments: str) -> None:
    """Install what the lines of a file of requirements say."""
    LINES.write_text("\n".join(lines))
    run([*installer(UV), *arguments, "--requirement", str(LINES)])


def constraints_for(uv: str | None) -> list[str]:
    """Return the options that hold each package to its version and files, and what builds it to its version."""
    manner = ["--build-constraints"] if uv else ["--progress-bar=raw", "--build-constraint"]
    return ["--constraint", PINS.name, "--constraint", HASHES.name, *manner, PINS.name]


def installer(uv: str | None) -> list[str]:
    """Return the command that installs: `uv` where there is one, as it is faster; else pip."""
    if uv:
        return [uv, "pip", "install", "--python", str(PYTHON)]
    return [str(PYTHON), "-m", "pip", "install", "--no-input", "--no-compile", "--disable-pip-version-check"]


def fetch_speech_model() -> None:
    """Have the small speech model; without it everything but speech works."""
    say("  fetching the speech model (71 MB, once for all checkouts)")
    done = subprocess.run(
        [PYTHON, "-m", "app.voice.engines.starter"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        say(f"{(done.stdout or done.stderr).strip().splitlines()[-1]}\nSummit works without it, but hears nobody.")
        say("`summit setup speech tiny.en` tries again.")


def run(command: list[str]) -> None:
    """Run a command of installation, showing how far it is; ends the program with its own words if it fails."""
    environment = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}
    with LOG.open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT, env=environment, close_fds=False)
        show_progress(process)
    if process.returncode:
        print(*LOG.read_text().splitlines()[-15:], sep="\n", file=sys.stderr)
        say(f"This did not work; the whole log is in {LOG.relative_to(ROOT)}. Run the same command to try again.")
        sys.exit(1)


def show_progress(process: subprocess.Popen[bytes]) -> None:
    """Print what pip is doing, whenever that has changed, every few seconds until it ends."""
    shown = ""
    while True:
        try:
            process.wait(SECONDS_BETWEEN_LINES)
        except subprocess.TimeoutExpired:
            line = progress(LOG.read_text(errors="replace"))
        else:
            return
        if line and line != shown:
            say(line)
            shown = line


def progress(log: str) -> str:
    """One line on where pip is, read from its log."""
    if "Installing collected packages" in log:
        done = sum(1 for _ in VENV.glob("lib/python*/site-packages/*.dist-info"))
        return f"  unpacked {done}"
    found = len(set(re.findall(r"^Collecting ([\w.-]+)", log, re.MULTILINE)))
    downloads = re.findall(r"Downloading ([\w.]+)-\S+ \(", log)
    steps = re.findall(r"^Progress (\d+) of (\d+)$", log, re.MULTILINE)
    if not downloads or not steps:
        return f"  found {found}" if found else ""
    received, size = (int(number) / 1e6 for number in steps[-1])
    return f"  found {found}, fetching {downloads[-1]} ({received:.1f} of {size:.1f} MB)"


def say(line: str) -> None:
    """Print at once, also into a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("Stopped. Run the same command to go on.")
        sys.exit(130)
