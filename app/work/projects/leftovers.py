"""What a project's checks leave in a work tree: it is no work, so it is neither committed nor in the way of removal.

The list lies beside the tree, where no agent writes. What was untracked before checks is kept there as well while they
run: a server that dies in between does not take what they made for work.
"""

from __future__ import annotations

import json
from pathlib import Path

from app.work.projects.git import git


def begin_leaving_out(tree: Path) -> None:
    """Note what is untracked before checks, unless some were begun and never came to their end."""
    if not _beside(tree, "before").exists():
        _write(_beside(tree, "before"), untracked_files(tree))


def end_leaving_out(tree: Path) -> None:
    """Leave out what is untracked now and was not before."""
    begun = _beside(tree, "before")
    _write(_beside(tree, "left-out"), left_out(tree) | untracked_files(tree) - _read(begun))
    begun.unlink(missing_ok=True)


def left_out(tree: Path) -> set[str]:
    """The files of a tree that its checks made."""
    return _read(_beside(tree, "left-out"))


def untracked_files(tree: Path) -> set[str]:
    """The files of a tree that git neither knows nor ignores."""
    return set(filter(None, git(tree, "ls-files", "--others", "--exclude-standard", "-z").split("\0")))


def holds_work(tree: Path) -> bool:
    """Whether a tree has changes that are not committed."""
    return bool(git(tree, "status", "--porcelain", "--untracked-files=no") or untracked_files(tree) - left_out(tree))


def stage(tree: Path) -> bool:
    """Put every change into the index but what checks made; whether there is one."""
    git(tree, "add", "--update")
    if new := untracked_files(tree) - left_out(tree):
        literally = ("--literal-pathspecs", "add", "--pathspec-from-file=-", "--pathspec-file-nul")
        git(tree, *literally, given="\0".join(sorted(new)))
    return bool(git(tree, "diff", "--cached", "--name-only"))


def forget(tree: Path) -> None:
    """Remove what lies beside a tree that is gone."""
    for kind in ("left-out", "before", "log", "patch"):
        _beside(tree, kind).unlink(missing_ok=True)


def _beside(tree: Path, kind: str) -> Path:
    return tree.with_name(f"{tree.name}.{kind}")


def _read(path: Path) -> set[str]:
    return set(json.loads(path.read_text())) if path.exists() else set()


def _write(path: Path, names: set[str]) -> None:
    new = path.with_name(f"{path.name}.new")
    new.write_text(json.dumps(sorted(names)))
    new.replace(path)
