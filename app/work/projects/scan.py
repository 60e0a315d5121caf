"""What a folder of code is made of, found by its files and manifests alone: nothing in it is run."""

from __future__ import annotations

import fnmatch
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

from app.work.projects.files import FileList, files_of, read_start, tree_of
from app.work.projects.manifests import Manifests, read_manifests
from app.work.projects.model.projects import ProjectFacts

MOST_FILES, MOST_LINES, DEPTH = 50_000, 2000, 3
MANIFEST_BYTES, FIRST_LINE_BYTES = 300_000, 120
MANIFEST_DEPTH = 3
LEAST_SHARE = 0.01
"""Languages below this share of the code are left out, unless there are few."""
FACTS = ("frameworks", "package_managers", "build", "test_runners", "linters", "formatters", "ci", "containers")


@dataclass(frozen=True)
class Marker:
    """What a file or a dependency says; see data/markers.toml."""

    what: str
    name: str
    files: tuple[str, ...] = ()
    dependency: tuple[str, ...] = ()
    table: str = ""
    command: str = ""
    unless: tuple[str, ...] = ()


def scan(root: Path) -> ProjectFacts:
    """Everything that can be told about a folder. It reads files only, and no link out of the folder."""
    listed = files_of(root, MOST_FILES)
    near = [path for path in listed.paths if len(path.parts) <= MANIFEST_DEPTH]
    manifests = read_manifests(near, lambda path: read_start(root, path, MANIFEST_BYTES))
    found = {name: list[str]() for name in FACTS}
    for marker in markers():
        if marker.name not in found[marker.what] and _applies(marker, near, manifests):
            found[marker.what].append(marker.name)
    return ProjectFacts(
        languages=languages_of(root, listed),
        tree=tree_of(listed.paths, DEPTH, MOST_LINES),
        file_count=len(listed.paths),
        complete=listed.complete,
        **found,
    )


def languages_of(root: Path, listed: FileList) -> dict[str, float]:
    """The share of each language in bytes of code, the largest first, between 0 and 1."""
    sizes = Counter[str]()
    for path in listed.paths:
        if language := _language(root, path):
            sizes[language] += _size(root / path)
    whole = sum(sizes.values()) or 1
    shares = {name: round(size / whole, 3) for name, size in sizes.most_common()}
    return {name: share for name, share in shares.items() if share >= LEAST_SHARE}


@cache
def markers() -> tuple[Marker, ...]:
    """The rows of data/markers.toml."""
    return tuple(_marker(row) for row in _data("markers.toml")["marker"])


def _marker(row: dict[str, Any]) -> Marker:
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Marker(**fields)


@cache
def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files("app.work.projects").joinpath("data", name).read_text())


def _applies(marker: Marker, paths: Iterable[PurePosixPath], manifests: Manifests) -> bool:
    if any(_matches(path, pattern) for path in paths for pattern in marker.unless):
        return False
    return (
        any(_matches(path, pattern) for path in paths for pattern in marker.files)
        or any(name in manifests.packages for name in marker.dependency)
        or (bool(marker.table) and any(table.startswith(marker.table) for table in manifests.tables))
        or (bool(marker.command) and any(marker.command in text for text in manifests.commands))
    )


def _matches(path: PurePosixPath, pattern: str) -> bool:
    return fnmatch.fnmatchcase(str(path) if "/" in pattern else path.name, pattern)


def _language(root: Path, path: PurePosixPath) -> str | None:
    endings: dict[str, str] = _data("languages.toml")["endings"]
    if path.suffix:
        return endings.get(path.suffix.lower())
    first = read_start(root, path, FIRST_LINE_BYTES).partition("\n")[0]
    if not first.startswith("#!"):
        return None
    program = PurePosixPath(first[2:].split()[-1] if first[2:].split() else "").name
    interpreters: dict[str, str] = _data("languages.toml")["interpreters"]
    return interpreters.get(program)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0
