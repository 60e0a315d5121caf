"""Which folders may be projects: those below the ones that the server's settings name, after links are followed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from app.ports import ProjectFacts, ProjectRefused
from app.projects.scan import scan


class AllowedFolders:
    """See app.ports.ProjectFolders; ``allowed`` are folders below which projects may lie."""

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

    async def scan(self, root: str) -> ProjectFacts:
        """What is in a folder, read beside the event loop."""
        return await asyncio.to_thread(lambda: scan(self.resolve(root)))
