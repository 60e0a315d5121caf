"""The patterns of the modules of a room, from its patterns.tsv: a row has a name, a pattern, and flags other than ``i``.

A section names the module. ``{NAME}`` in a pattern stands for another row of the section; a row whose name ends with
``=`` is only such a piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

PIECE = re.compile(r"\{([A-Z][A-Z_]*)\}")
FLAGS = {"": re.IGNORECASE, "case": re.NOFLAG, "lines": re.MULTILINE, "dot": re.IGNORECASE | re.DOTALL}


class Patterns:
    """The patterns of one module by name, compiled when the module is imported."""

    def __init__(self, rows: dict[str, tuple[str, str]]) -> None:
        texts = dict[str, str]()
        for name, (text, flags) in rows.items():
            texts[name] = PIECE.sub(lambda piece: texts[f"{piece[1]}="], text)
            if not name.endswith("="):
                vars(self)[name] = re.compile(texts[name], FLAGS[flags])

    def __getattr__(self, name: str) -> re.Pattern[str]:
        raise AttributeError(f"patterns.tsv has no row {name} in this section")


def patterns_of(module: str) -> Patterns:
    """The patterns of a module of this package."""
    room, _, name = module.rpartition(".")
    return Patterns(_rooms(room)[name])


@cache
def _rooms(room: str) -> dict[str, dict[str, tuple[str, str]]]:
    """The rows of a room, by section."""
    found = dict[str, dict[str, tuple[str, str]]]()
    for section, name, text, flags in rows(files(room).joinpath("patterns.tsv").read_text(encoding="utf-8")):
        found.setdefault(section, {})[name] = (text, flags)
    return found


def rows(content: str) -> Iterator[tuple[str, str, str, str]]:
    """The section, name, pattern and flags of each row."""
    section = ""
    for line in content.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, text, flags = f"{line}\t".split("\t")[:3]
            yield section, name, text, flags
