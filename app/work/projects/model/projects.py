"""Folders of code that coding agents may work on, and what is known about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True)
class ProjectFacts:
    """What a scan found. ``languages`` are shares of the code in bytes; ``complete`` is False for a huge folder."""

    languages: dict[str, float]
    tree: list[str]
    file_count: int
    complete: bool
    frameworks: list[str] = field(default_factory=list)
    package_managers: list[str] = field(default_factory=list)
    build: list[str] = field(default_factory=list)
    test_runners: list[str] = field(default_factory=list)
    linters: list[str] = field(default_factory=list)
    formatters: list[str] = field(default_factory=list)
    ci: list[str] = field(default_factory=list)
    containers: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Project:
    """A registered folder; ``facts`` are those of the last scan."""

    id: UUID
    name: str
    root: str
    description: str
    facts: ProjectFacts | None
    created_at: datetime
    scanned_at: datetime | None


class ProjectRefused(Exception):  # noqa: N818 - a refusal is an outcome
    """The folder cannot be a project; the message says why, for people."""


@dataclass(frozen=True)
class InstalledAgent:
    """A coding agent on the server's machine. ``logged_in`` is None where only a trial call can tell."""

    name: str
    program: str | None
    version: str | None
    logged_in: bool | None
    detail: str


@dataclass(frozen=True)
class AgentTrial:
    """What came of asking an agent for one word."""

    ok: bool
    detail: str


class CodingAgents(Protocol):
    """The coding agents of the server's machine."""

    async def list_agents(self) -> Sequence[InstalledAgent]:
        """Every agent that Summit knows, those that are not here too."""

    async def objection(self) -> str:
        """Why no agent may start on this machine; empty where one may."""

    async def trial(self, name: str) -> AgentTrial | None:
        """Ask an agent for one word, which needs its login; None for a name that is unknown."""


@dataclass(frozen=True)
class WorkTree:
    """A work tree beside a project. ``clean`` and ``merged``: whether removing it would lose nothing."""

    path: str
    branch: str
    clean: bool
    merged: bool


@dataclass(frozen=True)
class BranchDiff:
    """What a branch changes; ``complete`` is False where the text is cut."""

    branch: str
    text: str
    complete: bool
