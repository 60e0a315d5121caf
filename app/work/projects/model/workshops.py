"""Where coding agents work on a project: a work tree of its own, agents by role, the project's checks, the way out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

WorkKind = Literal["build", "learn"]
"""Build what is asked for, or write down what agents should know of the project."""
StepAction = Literal["done", "failed", "park", "back_off", "resume", "ask"]
TellStep = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Hears what an agent reports, and each verdict on it with its evidence: {kind, text, failed, evidence}."""


def mark_of(run_id: UUID) -> str:
    """What the name of a run's branch ends with."""
    return f"-{run_id.hex[:6]}"


class WorkRefused(Exception):  # noqa: N818 - a refusal is an outcome
    """No work can begin; the message says why and what to do, for people."""


@dataclass(frozen=True)
class ProjectWork:
    """Which project a run works on, and with which agent; an empty name is the first that is ready.

    ``confirm``: somebody with an administrator's key has to say yes before any agent starts.
    """

    project_id: UUID
    agent: str = ""
    kind: WorkKind = "build"
    confirm: bool = False


@dataclass(frozen=True)
class Bench:
    """One run's place: the project's folder, the work tree and its branch, where it began, and the agent.

    ``model`` is the one that the project wants of its agent; ``about`` is what a scan found, in words. With the
    ``output`` "pipe" what the agent prints is only kept.
    """

    root: str
    tree: str
    branch: str
    base: str
    agent: str
    model: str = ""
    about: str = ""
    output: str = ""


@dataclass(frozen=True)
class AgentStep:
    """What an agent is to do; ``key`` names it within its run, and what is done under a key is not done again.

    ``learns``: files of .summit that were there before stay as they were, whatever the agent did to them.
    """

    key: str
    prompt: str
    title: str
    session: str = ""
    resumed: int = 0
    learns: bool = False


@dataclass(frozen=True)
class StepEnd:
    """How a step ended: what to do now, why, and what the agent said; ``until`` is when a limit ends (since 1970)."""

    action: StepAction
    why: str = ""
    result: str = ""
    session: str = ""
    until: int | None = None
    cost_usd: float = 0.0


@dataclass(frozen=True)
class Checked:
    """What the project's own checks said: each command that was run, and the end of what failed."""

    ok: bool
    commands: Sequence[str]
    text: str = ""
