"""Servers of the Model Context Protocol, chosen by the administrator, whose tools runs may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


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
