"""Run the unit tests on the oldest and the newest Python from 3.11 to 3.13 found here, but the one of all other tests.

What differs between Pythons differs at an end, and mostly shows in any case of a test: of each test's cases the first
and a third of the others are run. SUMMIT_ALL_PYTHONS=1 takes all of them, on every other Python.
What follows the script's name goes to pytest. Each Python gets a folder of its own, such as .venv-3.11.2.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAIN = ROOT / ".venv" / "bin" / "python"
NAMES = ("python3.11", "python3.12", "python3.13", "python3")
OLDEST, NEWEST = (3, 11), (3, 13)
LOOK = "import json, sys; from importlib.util import find_spec as has; print(json.dumps(dict(version=list(sys.version_info[:3]), whole=bool(has('venv') and has('ensurepip')))))"  # noqa: E501 - one program
TESTS = ("tests/unit",)
MANNER = ("-q", "-n", "auto", "--dist", "worksteal")
A_THIRD = "--every=3"
LAST_LINES = 60


@dataclass(frozen=True)
class Python:
    """An interpreter; ``whole`` if it can make virtual environments."""

    path: Path
    version: tuple[int, int, int]
    whole: bool

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version))

    @property
    def package(self) -> str:
        """Debian's name for what makes it whole."""
        return f"python{self.version[0]}.{self.version[1]}-venv"


def main(arguments: list[str]) -> int:
    """Test on each Python in turn; the exit status is 1 if any of them fails."""
    others = found()
    if not os.environ.get("SUMMIT_ALL_PYTHONS"):
        others = ends(others)
    if not others:
        say("No other Python from 3.11 to 3.13 was found here.")
    return max((tested(one, arguments) for one in map(completed, others)), default=0)


def found() -> list[Python]:
    """The other Pythons by version; of two of one version the one that can make virtual environments."""
    main = looked_at(MAIN)
    known: dict[tuple[int, int, int], Python] = {}
    for one in filter(None, map(looked_at, candidates())):
        if OLDEST <= one.version[:2] <= NEWEST and (main is None or one.version != main.version):
            first = known.setdefault(one.version, one)
            known[one.version] = one if one.whole and not first.whole else first
    return [known[version] for version in sorted(known)]


def ends(others: list[Python]) -> list[Python]:
    """Of the oldest and the newest minor version one each, without the minor version that all other tests run on."""
    main = looked_at(MAIN)
    mains = {main.version[:2]} if main else set()
    minors = sorted({one.version[:2] for one in others} | mains)
    wanted = {minor for minor in (*minors[:1], *minors[-1:]) if minor not in mains}
    return list({one.version[:2]: one for one in others if one.version[:2] in wanted}.values())


def candidates() -> list[Path]:
    """Where Pythons are kept: PATH, the system's folders, and pyenv's."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders += [Path("/usr/bin"), Path("/usr/local/bin")]
    folders += sorted(Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv").glob("versions/*/bin"))
    files = [folder / name for folder in folders for name in NAMES]
    return list(dict.fromkeys(file for file in files if os.access(file, os.X_OK)))


def looked_at(path: Path) -> Python | None:
    """What a command says of itself; None of one that runs no Python, as version managers leave behind."""
    try:
        run = subprocess.run([path, "-c", LOOK], capture_output=True, text=True, check=True, timeout=30)
        said = json.loads(run.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return Python(path, tuple(said["version"]), said["whole"])


def completed(python: Python) -> Python:
    """The same Python, with Debian's package for virtual environments where CI may install it."""
    debian = python.path.parent in (Path("/usr/bin"), Path("/bin")) and Path("/usr/bin/apt-get").exists()
    if python.whole or not (debian and os.environ.get("CI") == "true" and os.geteuid() == 0):
        return python
    for command in (("update",), ("install", "--yes", "--no-install-recommends", python.package)):
        subprocess.run(["/usr/bin/apt-get", "-qq", *command], check=False, stdout=subprocess.DEVNULL)
    return looked_at(python.path) or python


def tested(python: Python, arguments: list[str]) -> int:
    """Whether the tests fail on one Python; one that cannot make a virtual environment is passed over."""
    if not python.whole:
        why = f"skipped, as it has no ensurepip (Debian: apt install {python.package})"
        say(f"Python {python.name} ({python.path}): {why}")
        return 0
    say(f"Python {python.name} ({python.path}):")
    folder, started = ROOT / f".venv-{python.name}", time.monotonic()
    environment = {**os.environ, "SUMMIT_VENV": folder.name}
    if subprocess.run([python.path, "scripts/install.py", "dev"], cwd=ROOT, env=environment, check=False).returncode:
        return 1
    share = [] if os.environ.get("SUMMIT_ALL_PYTHONS") else [A_THIRD]
    command = [folder / "bin" / "pytest", *MANNER, *share, *TESTS, *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines() or run.stderr.splitlines() or ["pytest said nothing"]
    say(
        "\n".join(lines[-LAST_LINES:])
        if run.returncode
        else f"  {lines[-1].strip('= ')}, with its setup {time.monotonic() - started:.0f} s"
    )
    return 1 if run.returncode else 0


def say(line: str) -> None:
    """Print at once, also into a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
