"""Memory: what was said and kept, as short units that can be searched, quoted and played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from agents.contract import Citation
from agents.conventions import Conventions
from agents.ports import Exchange
from app.models.model.embeddings import Embedder, Vector

Source = Literal["memo", "note", "message", "fact"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document: characters [start, end), who spoke, and when in the recording, in milliseconds."""

    start: int
    end: int
    speaker: str = ""
    start_ms: int | None = None
    end_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """Something that was said or kept, whole; ``captured_at`` carries the zone in which it was said.

    ``left_out`` are characters [start, end) of it that are no memory, such as an order to the assistant.
    """

    source: Source
    id: str
    text: str
    captured_at: datetime
    title: str = ""
    passages: Sequence[Passage] = ()
    left_out: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a short span of a document: ``place`` counts from 0, offsets are characters of the document."""

    place: int
    text: str
    start_char: int
    end_char: int
    speaker: str = ""
    start_ms: int | None = None
    end_ms: int | None = None


NewUnit = tuple[int, Unit]
"""A unit that was put into the index, with its id there."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that may answer: its scores by words and by meaning; ``dense`` is None where it has no vector.

    ``id`` is the unit's in the index.
    """

    source: Source
    document: str
    title: str
    captured_at: datetime
    unit: Unit
    lexical: float
    dense: float | None
    id: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brings: candidates, how many units there are, and the sum of the weights of the query's words."""

    candidates: list[Candidate] = field(default_factory=list)
    units: int = 0
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Fact:
    """What the user told of themselves, such as "sister" and "Anjali"."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class About:
    """What was said of a person or a thing, or by them: a page of it, the latest first, and all of it in numbers.

    ``names`` are what it is known by. ``next`` is the cursor of the page behind.
    """

    names: Sequence[str]
    units: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    items: Sequence[Citation] = ()
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for: words, the same as a vector of ``model``, and moments [since, until)."""

    words: str
    vector: Vector | None = None
    model: str = ""
    since: datetime | None = None
    until: datetime | None = None


class Embedders(Protocol):
    """Which model embeds whose memory."""

    @property
    def usual(self) -> str:
        """The model of who has chosen none."""

    async def of(self, user_id: UUID) -> Sequence[Embedder]:
        """The models that a user has, the one wanted now first; another may serve until its vectors are whole."""


class StatementScorer(Protocol):
    """What reads a question and statements together."""

    async def score(self, question: str, statements: Sequence[str]) -> list[float]:
        """The logarithm of the odds that each statement answers, in their order; raises NoEmbeddings when it cannot."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a user's memory is: ``model`` is searched with, ``wanted`` has embedded ``embedded`` of ``units``."""

    model: str
    wanted: str
    units: int
    embedded: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that changed since it was indexed."""

    source: Source
    document: str
    queued_at: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: ``since`` and ``until`` are a hard range; ``at`` and ``timezone`` are when and where it is asked.

    ``asked_in`` is the document that the question was taken from, which is no answer to it; ``recent`` are the turns
    that it follows, oldest first. ``in_quotes``: no model words the answer.
    """

    text: str
    at: datetime
    timezone: str
    conventions: Conventions | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 5
    asked_in: str = ""
    recent: Sequence[Exchange] = ()
    in_quotes: bool = False


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document in which something stands."""

    source: Source
    id: str


@dataclass(frozen=True, slots=True)
class Match:
    """A result of a search: a quote, how near it is (0 to 1), and where the same words stand, its own place first."""

    citation: Citation
    score: float
    places: Sequence[DocumentRef]
