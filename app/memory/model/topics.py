"""What a user talks about, when, and what they said they would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from agents.contract import Citation

Tie = tuple[int, int, float]
"""Two units, by their places in a list, and how much they have in common (above 0)."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Units that are about one thing; named by the words that tell them from the user's others."""

    id: UUID
    name: str
    words: list[str]
    units: int
    first_at: datetime
    last_at: datetime
    citations: list[Citation]


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A topic with some of its units, the latest first; ``next`` is the cursor of those after them."""

    topic: Topic
    items: list[Citation]
    next: str | None


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """Something that was said to be done, in its words, and where."""

    what: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Insights:
    """What was looked at: how many units, from which moments, when they were said, and what no record covers.

    ``weekdays`` counts units from Monday on, ``hours`` from midnight on, where the user is.
    """

    units: int
    first_at: datetime | None
    last_at: datetime | None
    topics: list[Topic]
    weekdays: list[int]
    hours: list[int]
    open_loops: list[OpenLoop]


@dataclass(frozen=True, slots=True)
class Material:
    """What topics are made of: the latest units, and the topic that each belonged to.

    ``stems`` has the stem of each word that may name a topic. ``ties`` is None where vectors are missing.
    """

    model: str
    ids: Sequence[int]
    texts: Sequence[str]
    before: Sequence[UUID | None]
    stems: Mapping[str, str]
    ties: Sequence[Tie] | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit in its topic, the topic's words that it has, and how near it is to the others."""

    unit: int
    topic: UUID | None = None
    words: Sequence[str] = ()
    near: float = 0.0
