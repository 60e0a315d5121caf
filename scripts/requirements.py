"""Print what pip is to install, a line for each package: requirements.py [EXTRA ...].

With --first, pip itself and setuptools.
The versions are held by constraints.txt and the files by hashes.txt, which pip takes as constraints beside these names.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HASHES = ROOT / "hashes.txt"
FIRST = ("pip", "setuptools")
"""They install the others. An older pip takes hashes from requirements alone, so these lines carry their own."""


def names(extras: set[str]) -> list[str]:
    """What pyproject.toml asks for, with some extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = set(project["dependencies"])
    return sorted(wanted.union(*(project["optional-dependencies"][extra] for extra in extras)))


def first() -> list[str]:
    """The lines of hashes.txt for what has to be there before the others."""
    return [line for line in HASHES.read_text().splitlines() if line.partition("==")[0] in FIRST]


if __name__ == "__main__":
    print(*(first() if sys.argv[1:] == ["--first"] else names(set(sys.argv[1:]))), sep="\n")
