"""What keeps an agent from going on, told by its error envelopes and plain lines: see data/trouble.toml."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal, cast, get_args

from app.work.projects.events import AgentEvent

Trouble = Literal[
    "usage_limit",
    "billing",
    "overloaded",
    "auth",
    "git_lock",
    "git_worktree",
    "oom",
    "awaiting_input",
    "provider_empty",
    "rate_limit",
    "network",
]
LONGEST_LINE = 2000
RESET = re.compile(r"(?:\||resets?_at\D{1,6})(\d{10})\b")


def trouble_in(event: AgentEvent) -> Trouble | None:
    """The kind of trouble that a line tells of; None for what an agent says, does or reads."""
    tells = event.kind in ("error", "other") or (event.kind == "result" and event.failed)
    return trouble_of(event.text) if tells else None


def trouble_of(text: str, *, at_end: bool = False) -> Trouble | None:
    """The kind of trouble that plain words tell of; more words tell of one ``at_end`` of a program that failed."""
    start = text[:LONGEST_LINE]
    return next((kind for kind, pattern in _patterns(at_end=at_end) if pattern.search(start)), None)


def reset_time(text: str) -> int | None:
    """Seconds since 1970 at which a limit ends, where the line says so."""
    found = RESET.search(text[:LONGEST_LINE])
    return int(found[1]) if found else None


@cache
def _patterns(*, at_end: bool) -> tuple[tuple[Trouble, re.Pattern[str]], ...]:
    rows = tomllib.loads(files("app.work.projects").joinpath("data", "trouble.toml").read_text())["trouble"]
    unknown = {row["kind"] for row in rows} - set(get_args(Trouble))
    if unknown:
        raise ValueError(f"trouble.toml has kinds that nothing knows: {unknown}")
    told = [row for row in rows if at_end or not row.get("at_end")]
    return tuple((cast("Trouble", row["kind"]), re.compile("|".join(row["any"]), re.IGNORECASE)) for row in told)
