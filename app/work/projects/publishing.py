"""How a finished branch goes out: pushed with a pull request where `gh` and a remote are there, else as a patch."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from app.work.projects.children import ChildSurroundings, child
from app.work.projects.git import GitFailed, git
from app.work.projects.model.workshops import Bench

GH_VARIABLES = ("GH_TOKEN", "GITHUB_TOKEN", "GH_HOST")
ADDRESS = re.compile(r"https?://\S+")
SECONDS = 120.0


async def publish(bench: Bench, title: str, body: str, given: Mapping[str, str]) -> str:
    """Where it is now, as a sentence; may be called again, and then finds what it made."""
    program = shutil.which("gh", path=given.get("PATH"))
    pushed = bool(program) and await asyncio.to_thread(_push_branch, bench)
    if program and pushed:
        said = await _asked_for_review(program, bench, title, body, given)
        if address := ADDRESS.search(said):
            return f"The branch {bench.branch} is pushed; its pull request is {address[0]}."
        return f"The branch {bench.branch} is pushed; no pull request was made ({said.strip()[-200:]})."
    return f"The patch is {await asyncio.to_thread(_patch, bench)}; the branch {bench.branch} has it, too."


def _push_branch(bench: Bench) -> bool:
    try:
        if "origin" not in git(Path(bench.root), "remote").split():
            return False
        git(Path(bench.root), "push", "--quiet", "--set-upstream", "origin", bench.branch)
    except GitFailed:
        return False
    return True


async def _asked_for_review(program: str, bench: Bench, title: str, body: str, given: Mapping[str, str]) -> str:
    command = [program, "pr", "create", "--head", bench.branch, "--title", title, "--body-file", "-"]
    async with child(command, Path(bench.root), ChildSurroundings(given), GH_VARIABLES) as process:
        try:
            async with asyncio.timeout(SECONDS):
                said, _ = await process.communicate(body.encode())
        except TimeoutError:
            return f"gh did not answer within {SECONDS:g} s"
    return said.decode(errors="replace")


def _patch(bench: Bench) -> Path:
    path = Path(f"{bench.tree}.patch")
    path.write_text(git(Path(bench.root), "format-patch", "--stdout", f"{bench.base}..{bench.branch}") + "\n")
    return path
