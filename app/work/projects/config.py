"""What a project says of itself in .summit/config.toml of its own folder; a work tree's copy counts for nothing.

An agent may write in its tree, and would else choose its own checks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.work.projects.files import read_start

CONFIG = PurePosixPath(".summit", "config.toml")
MOST_BYTES = 100_000
MODEL = re.compile(r"[A-Za-z0-9][\w.:/@-]{0,99}")


@dataclass(frozen=True)
class ProjectConfig:
    """``checks`` are commands, None where it names none; ``agent`` and ``model`` are empty where any will do.

    ``output`` is "pipe" where what the agent prints is only to be kept.
    """

    checks: Sequence[str] | None = None
    agent: str = ""
    model: str = ""
    output: str = ""


def config_of(root: Path) -> ProjectConfig:
    """What stands there, as far as it can be understood."""
    try:
        found = tomllib.loads(read_start(root, CONFIG, MOST_BYTES))
    except ValueError:
        return ProjectConfig()
    checks, agent, model = found.get("checks"), found.get("agent"), found.get("model")
    return ProjectConfig(
        [line for line in checks if isinstance(line, str) and line.strip()] if isinstance(checks, list) else None,
        agent if isinstance(agent, str) else "",
        model if isinstance(model, str) and MODEL.fullmatch(model) else "",
        "pipe" if found.get("output") == "pipe" else "",
    )
