"""Programs that runs execute, in a cage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Executed:
    """What came of a program: its exit status, the beginning of its output, and whether its time ran out."""

    status: int
    output: str
    cut: bool = False
    late: bool = False


class Programs(Protocol):
    """Execute programs that see a few folders and nothing else."""

    async def objection(self) -> str:
        """Why no program can be executed on this machine; empty where one can."""

    async def shell(self, script: str, folders: Sequence[Path]) -> Executed:
        """A script of the shell; the first of ``folders`` is where it begins, all are there to write in."""

    async def python(self, code: str, folders: Sequence[Path]) -> Executed:
        """A program in Python, in the same place."""
