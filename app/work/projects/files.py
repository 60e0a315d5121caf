"""The files of a project as a person sees them: what git ignores, and what tools put there, is left out."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

IGNORED = frozenset(
    ".git .hg .svn .venv venv env node_modules vendor third_party __pycache__ .mypy_cache .ruff_cache .pytest_cache "
    ".tox .nox dist build target .idea .vscode .gradle .next .nuxt coverage .summit".split()
)
GIT_SECONDS = 20.0


@dataclass(frozen=True)
class FileList:
    """Paths relative to the root, in the order of the tree; ``complete`` is False where there are more than allowed."""

    paths: tuple[PurePosixPath, ...]
    complete: bool


def files_of(root: Path, most: int) -> FileList:
    """At most ``most`` files below a folder. Links are not followed, so nothing outside it is listed."""
    paths = list[PurePosixPath]()
    for path in _of_git(root) or _walk(root):
        if len(paths) == most:
            return FileList(tuple(sorted(paths)), complete=False)
        paths.append(path)
    return FileList(tuple(sorted(paths)), complete=True)


def tree_of(paths: tuple[PurePosixPath, ...], depth: int, most: int) -> list[str]:
    """The folders (ending in /) and files down to a depth, less deep where these are more than ``most`` lines."""
    shown = set[str]()
    for path in paths:
        parts = path.parts
        shown.update("/".join(parts[:level]) + "/" for level in range(1, min(len(parts), depth + 1)))
        if len(parts) <= depth:
            shown.add(str(path))
    if len(shown) > most and depth > 1:
        return tree_of(paths, depth - 1, most)
    return sorted(shown)[:most]


def read_start(root: Path, path: PurePosixPath, most: int) -> str:
    """The beginning of a file as text; empty where it cannot be read, or is a link."""
    try:
        descriptor = os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(most).decode(errors="replace")
        except OSError:
            return ""


def _of_git(root: Path) -> list[PurePosixPath]:
    """What git tracks or would add; empty where this is no work tree, or git is not here."""
    command = ["git", "-c", "core.fsmonitor=false", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z"]
    try:
        done = subprocess.run(
            [*command, "--cached", "--others", "--exclude-standard"],
            capture_output=True,
            timeout=GIT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    found = (PurePosixPath(name) for name in os.fsdecode(done.stdout).split("\0") if name)
    return [path for path in found if not IGNORED & set(path.parts[:-1])]


def _walk(root: Path) -> Iterator[PurePosixPath]:
    for folder, names, files in os.walk(root, followlinks=False):
        names[:] = sorted(name for name in names if name not in IGNORED)
        here = PurePosixPath(Path(folder).relative_to(root).as_posix())
        yield from (here / name for name in sorted(files))
