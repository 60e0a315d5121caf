"""Servers of the Model Context Protocol, chosen by the administrator, whose tools runs may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from uuid import UUID


@dataclass(frozen=True)
class ServedTool:
    """A tool as its server describes it. ``offered`` to runs, and ``reads`` alone, as the administrator says."""

    server: str
    name: str
    description: str
    schema: Mapping[str, Any]
    offered: bool
    reads: bool


@dataclass(frozen=True)
class ServerState:
    """A server as it is now; ``error`` says why it has no tools."""

    name: str
    transport: Literal["stdio", "http"]
    tools: Sequence[ServedTool] = ()
    error: str = ""


class ServerFailed(Exception):  # noqa: N818 - the state it is in
    """A server gave no answer; the message says why, for people."""


class OpenServers(Protocol):
    """The servers that one user's run is connected with."""

    @property
    def tools(self) -> Sequence[ServedTool]:
        """What they offer."""

    @property
    def missing(self) -> Mapping[str, str]:
        """The servers that cannot be reached, and why."""

    async def call(self, tool: ServedTool, arguments: Mapping[str, Any]) -> tuple[bool, str]:
        """Whether it went well, and what it said; raises ServerFailed."""


class ToolServers(Protocol):
    """All of them."""

    def open(self, user_id: UUID, name: str, only: str | None = None) -> AbstractAsyncContextManager[OpenServers]:
        """Connect with those that a user may use, or with that one of them, until the end of the context."""

    async def states(self) -> Sequence[ServerState]:
        """Connect with each; raises InvalidInput where the file that names them cannot be read."""
