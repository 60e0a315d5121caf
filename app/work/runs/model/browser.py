"""A browser that reads pages for runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True)
class Seen:
    """A page as a person would read it, links as [label](address); ``url`` is where it came from after redirects."""

    url: str
    text: str


@dataclass(frozen=True)
class Deed:
    """What is done on a page: ``on`` is the name of a button, link or field as a person reads it."""

    do: Literal["click", "type", "enter"]
    on: str
    text: str = ""


MayLead = Callable[[str], bool]


def anywhere(_url: str) -> bool:
    """Every address will do."""
    return True


class Browser(Protocol):
    """Reads pages; what is done on them can lead to further pages and sends nothing else."""

    async def read(self, url: str, deeds: Sequence[Deed] = (), may_lead: MayLead = anywhere) -> Seen:
        """The text of a page once it has loaded and ``deeds`` were done; raises TargetRefused or TargetFailed.

        A deed that leads to another host leads nowhere, unless ``may_lead`` allows the address.
        """
