"""Which folders may be projects: those below the ones that the server's settings name, after links are followed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from app.work.projects import worktrees
from app.work.projects.git import GitFailed, git
from app.work.projects.model.projects import BranchDiff, ProjectFacts, ProjectRefused, WorkTree
from app.work.projects.scan import scan

MOST_DIFF = 400_000


class AllowedFolders:
    """The folders of this machine that may be projects. ``allowed`` are folders below which projects may lie."""

    def __init__(self, allowed: Sequence[Path]) -> None:
        self._allowed = [folder.expanduser().resolve() for folder in allowed]

    def resolve(self, root: str) -> Path:
        """The folder that a path means; raises ProjectRefused outside the allowed ones."""
        if not self._allowed:
            raise ProjectRefused("This server has no folders for projects: SUMMIT_PROJECT_FOLDERS is not set.")
        path = Path(root).expanduser()
        if not path.is_absolute():
            raise ProjectRefused(f"“{root}” is not a whole path, which begins with /.")
        folder = path.resolve()
        if not any(folder == one or one in folder.parents for one in self._allowed):
            names = ", ".join(str(one) for one in self._allowed)
            raise ProjectRefused(f"“{root}” does not lie in a folder for projects ({names}).")
        if not folder.is_dir():
            raise ProjectRefused(f"“{root}” is not a folder.")
        return folder

    async def trees(self, root: str) -> list[WorkTree]:
        """Every work tree of ours, those that no run works in any more among them."""
        return await asyncio.to_thread(self._trees, root)

    async def remove_tree(self, root: str, branch: str) -> str:
        """Remove a work tree that holds nothing of its own, and its branch; why it is kept, or nothing.

        Raises ProjectRefused.
        """
        return await asyncio.to_thread(self._remove_tree, root, branch)

    async def diff(self, root: str, branch: str) -> BranchDiff | None:
        """What the branch of a work tree changes; None without such a tree. Raises ProjectRefused."""
        tree = next((one for one in await self.trees(root) if one.branch == branch), None)
        return await asyncio.to_thread(self._diff, root, tree) if tree else None

    def _trees(self, root: str) -> list[WorkTree]:
        try:
            found = worktrees.trees(self.resolve(root))
        except GitFailed as failure:
            raise ProjectRefused(f"“{root}” has no work trees: {failure}") from failure
        return [WorkTree(str(one.path), one.branch, one.clean, one.merged) for one in found]

    def _remove_tree(self, root: str, branch: str) -> str:
        try:
            folder = self.resolve(root)
            for one in worktrees.trees(folder):
                if one.branch == branch:
                    worktrees.remove(folder, one)
        except (worktrees.KeptBack, GitFailed) as failure:
            return str(failure)
        return ""

    def _diff(self, root: str, tree: WorkTree) -> BranchDiff:
        try:
            base = git(folder := self.resolve(root), "merge-base", "HEAD", tree.branch)
            text = git(folder, "diff", "--no-ext-diff", "--no-textconv", base, tree.branch)
        except GitFailed as failure:
            raise ProjectRefused(f"“{tree.branch}” cannot be compared: {failure}") from failure
        return BranchDiff(tree.branch, text[:MOST_DIFF], len(text) <= MOST_DIFF)

    async def scan(self, root: str) -> ProjectFacts:
        """What is in a folder; raises ProjectRefused where it is gone or not allowed any more."""
        return await asyncio.to_thread(lambda: scan(self.resolve(root)))
