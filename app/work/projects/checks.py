"""A project's own checks: those that it names in .summit/config.toml, else what its test runners usually are."""

from __future__ import annotations

import asyncio
import shlex
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from app.work.projects.children import ChildSurroundings, child
from app.work.projects.config import ProjectConfig
from app.work.projects.model.projects import ProjectFacts
from app.work.projects.model.workshops import Checked

MOST_SHOWN = 6000


def checks_of(config: ProjectConfig, facts: ProjectFacts) -> list[str]:
    """The commands, as they are typed."""
    if config.checks is not None:
        return list(config.checks)
    usual = _usual()
    return [usual[name] for name in facts.test_runners if name in usual][:1]


async def run_checks(tree: Path, commands: Sequence[str], around: ChildSurroundings, seconds: float) -> Checked:
    """Run them in their order, until one fails; each may take ``seconds``."""
    for line in commands:
        status, text = await _run_command(tree, shlex.split(line), around, seconds)
        if status != 0:
            return Checked(ok=False, commands=commands, text=f"$ {line}\n{text[-MOST_SHOWN:]}")
    return Checked(ok=True, commands=commands)


async def _run_command(
    tree: Path, command: Sequence[str], around: ChildSurroundings, seconds: float
) -> tuple[int | None, str]:
    async with child(command, tree, around) as process:
        if process.stdin:
            process.stdin.close()
        said = bytearray()
        try:
            async with asyncio.timeout(seconds):
                while process.stdout and (piece := await process.stdout.read(65_536)):
                    said += piece
                    del said[: -4 * MOST_SHOWN]
                await process.wait()
        except TimeoutError:
            return None, f"{said.decode(errors='replace')}\nIt took longer than {seconds:g} s and was ended."
        return process.returncode, said.decode(errors="replace")


@cache
def _usual() -> dict[str, str]:
    found = tomllib.loads(files("app.work.projects").joinpath("data", "checks.toml").read_text())["usual"]
    return {str(name): str(command) for name, command in found.items()}
