"""A browser that reads pages for runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Seen:
    """A page as a person would read it; ``url`` is where it came from after redirects."""

    url: str
    text: str


class Browser(Protocol):
    """Reads pages, and does nothing on them."""

    async def read(self, url: str) -> Seen:
        """The text of a page once it has loaded; raises TargetRefused or TargetFailed."""
