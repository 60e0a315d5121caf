"""Requests to addresses that people give: webhooks and subscribed calendars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Fetched:
    """An answer: ``url`` is where it came from after redirects; header names are in lower case."""

    status: int
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class OutboundCall:
    """A request of any method. ``follow`` redirects; ``protected`` holds a password and is not sent over plain HTTP."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    max_bytes: int | None = None
    follow: bool = False
    protected: bool = False


class TargetRefused(Exception):  # noqa: N818 - a refusal is an outcome
    """The address must not be called; the message says why, for people."""


class TargetFailed(Exception):  # noqa: N818 - the state it is in
    """The address did not answer as it should; the message says how, and another try may succeed."""


class Outbound(Protocol):
    """Calls addresses that people give, without becoming their way into this network."""

    async def check(self, url: str) -> None:
        """Raises TargetRefused or TargetFailed when the address could not be called now; calls nothing."""

    async def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, max_bytes: int | None = None
    ) -> Fetched:
        """GET with redirects, each one checked anew; raises TargetRefused or TargetFailed, never for a status."""

    async def post(self, url: str, body: bytes, *, headers: Mapping[str, str] | None = None) -> Fetched:
        """POST without following redirects; raises TargetRefused or TargetFailed, never for a status."""


class OutboundCalls(Protocol):
    """The same for requests of any method."""

    async def request(self, wanted: OutboundCall) -> Fetched:
        """Any method; raises TargetRefused or TargetFailed, never for a status."""
