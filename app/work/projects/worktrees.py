"""A work tree of its own for each job of an agent: the main tree is never touched, and no work is ever deleted."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.work.projects.git import GitFailed, git
from app.work.projects.leftovers import forget, holds_work

PREFIX = "summit/"
SLUG = re.compile(r"[^a-z0-9]+")
LONGEST_SLUG = 40


class KeptBack(RuntimeError):  # noqa: N818 - an outcome
    """A tree that must not be removed; the message says why."""


@dataclass(frozen=True)
class Worktree:
    """A checkout on a branch of its own. ``merged`` and ``clean`` say whether removing it would lose anything."""

    path: Path
    branch: str
    clean: bool
    merged: bool


def slug_of(words: str) -> str:
    """A name for a branch, from words."""
    return SLUG.sub("-", words.lower())[:LONGEST_SLUG].strip("-") or "work"


def add(repository: Path, folder: Path, slug: str) -> Worktree:
    """A new tree below ``folder`` on branch summit/<slug>, or the one that is there: a job that goes on finds its own.

    Raises GitFailed.
    """
    path, branch = folder / slug, f"{PREFIX}{slug}"
    with _alone(repository):
        known = {tree.branch: tree for tree in _list_trees(repository)}
        if branch in known:
            return known[branch]
        if git(repository, "rev-list", "--max-count=1", "--all") == "":
            raise GitFailed("The repository has no commit yet. Make a first one, then begin again.")
        git(repository, "worktree", "prune")
        exists = bool(git(repository, "branch", "--list", branch))
        git(repository, "worktree", "add", *([str(path), branch] if exists else ["-b", branch, str(path), "HEAD"]))
        return _tree(repository, path, branch)


def trees(repository: Path) -> list[Worktree]:
    """Every tree of ours, finished ones and those that nothing works in any more among them."""
    with _alone(repository):
        return _list_trees(repository)


def remove(repository: Path, tree: Worktree) -> None:
    """Remove a tree that holds nothing of its own, with its branch and what lies beside it.

    Raises KeptBack for one with changes or commits that are nowhere else, GitFailed.
    """
    with _alone(repository):
        now = _tree(repository, tree.path, tree.branch)
        if not now.clean:
            raise KeptBack(f"{tree.path} has changes that are not committed.")
        if not now.merged:
            raise KeptBack(f"{tree.branch} has commits that are on no other branch.")
        git(repository, "worktree", "remove", "--force", str(tree.path))  # what checks left counts as untracked there
        git(repository, "branch", "--delete", "--force", tree.branch)
        forget(tree.path)


def _list_trees(repository: Path) -> list[Worktree]:
    found = list[Worktree]()
    for block in git(repository, "worktree", "list", "--porcelain").split("\n\n"):
        values = dict(line.split(" ", 1) for line in block.splitlines() if " " in line)
        branch = values.get("branch", "").removeprefix("refs/heads/")
        if branch.startswith(PREFIX) and Path(values["worktree"]).is_dir():
            found.append(_tree(repository, Path(values["worktree"]), branch))
    return found


def _tree(repository: Path, path: Path, branch: str) -> Worktree:
    clean = _belongs(repository, path) and not holds_work(path)
    others = git(repository, "for-each-ref", f"--contains={branch}", "--format=%(refname:short)", "refs/heads")
    return Worktree(path, branch, clean, merged=bool(set(others.split()) - {branch}))


def _belongs(repository: Path, path: Path) -> bool:
    """Whether a tree still says that its repository is this one: an agent may have written something else there."""
    try:
        pointer = (path / ".git").read_text().removeprefix("gitdir:").strip()
    except OSError:
        return False
    return Path(pointer).resolve().is_relative_to(_common(repository).resolve())


def _common(repository: Path) -> Path:
    return Path(git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir"))


@contextmanager
def _alone(repository: Path) -> Iterator[None]:
    """One at a time in a repository: two that add a tree at once meet git's own locks, and one fails."""
    descriptor = os.open(_common(repository) / "summit.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


__all__ = ["GitFailed", "KeptBack", "Worktree", "add", "remove", "slug_of", "trees"]
