"""Memory: what was said and kept, as short units that can be searched, quoted and played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from agents.contract import Citation
from agents.conventions import Conventions
from agents.ports import Exchange, Recollection
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


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a user's memory is: ``model`` is searched with, ``wanted`` has embedded ``embedded`` of ``units``."""

    model: str
    wanted: str
    units: int
    embedded: int
    waiting: int


class MemoryIndex(Protocol):
    """The searchable units of each user."""

    async def keep(self, user_id: UUID, documents: Sequence[tuple[Document, Sequence[Unit]]]) -> list[int]:
        """Put documents into the index, in place of what it had of them; returns the ids of the units in order."""

    async def search(self, user_id: UUID, query: Query) -> Found:
        """The units that come near, by either arm, unordered; those of hidden documents are left out."""

    async def alike(self, user_id: UUID, model: str, one: int, others: Sequence[int]) -> dict[int, float]:
        """How near other units are to one in meaning, as far as they have vectors (cosine)."""

    async def within(self, user_id: UUID, since: datetime, until: datetime, limit: int) -> list[Candidate]:
        """What was said first in each document of a stretch of time, in order; the latest where there are more."""

    async def about(self, user_id: UUID, names: Sequence[str], limit: int, cursor: str | None) -> About:
        """What mentions one of some names, in small letters, or was said by who is called so. Raises InvalidInput."""

    async def words_heard(self, user_id: UUID, memo: str) -> list[Passage]:
        """Where the words of a memo stand, with their times as far as these are known."""

    async def facts(self, user_id: UUID) -> list[Fact]:
        """What the user told of themselves, as far as it is indexed."""

    async def vector_of(self, user_id: UUID, model: str, unit: int) -> Vector | None:
        """The vector of a unit, where it has one."""

    async def model_of(self, user_id: UUID) -> str:
        """The model whose vectors are whole; empty when there is none yet."""

    async def progress(self, user_id: UUID, wanted: str) -> Progress:
        """How far the wanted model is."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that changed since it was indexed."""

    source: Source
    document: str
    queued_at: datetime


class MemorySources(Protocol):
    """What memory is made of, and which of it has changed."""

    async def users(self, hidden_before: datetime, usual_model: str, limit: int) -> list[UUID]:
        """Users with something to index, to embed or to remove; ``usual_model`` embeds for who has chosen none."""

    async def waiting(self, user_id: UUID, limit: int) -> list[Waiting]:
        """The documents of a user that changed, the longest waiting first."""

    async def latest(self, user_id: UUID, limit: int) -> list[Waiting]:
        """The same, the latest first."""

    async def read(self, user_id: UUID, waiting: Sequence[Waiting]) -> list[Document]:
        """Those of the documents that are there."""

    async def done(self, user_id: UUID, waiting: Sequence[Waiting]) -> None:
        """Take documents out of the queue, unless they changed again."""


class MemoryKeeping(MemoryIndex, Protocol):
    """The index as its keeper uses it."""

    async def keep_waiting(self, user_id: UUID, documents: Sequence[tuple[Document, Sequence[Unit]]]) -> list[NewUnit]:
        """Put those documents into the index that still wait for it: what is erased meanwhile does not come back."""

    async def hide(self, user_id: UUID, documents: Sequence[tuple[Source, str]]) -> None:
        """Let documents no more be found."""

    async def purge(self, user_id: UUID, hidden_before: datetime) -> int:
        """Remove what was hidden before then, with all that follows from it; returns how many units that were."""

    async def without_vectors(self, user_id: UUID, model: str, limit: int) -> list[tuple[int, str]]:
        """Units that the model has not seen, as (id, text)."""

    async def keep_vectors(self, user_id: UUID, model: str, units: Sequence[int], vectors: Sequence[Vector]) -> None:
        """Store vectors beside those of other models."""

    async def switch(self, user_id: UUID, model: str) -> None:
        """Search with this model from now on, and forget the vectors of others."""

    async def try_later(self, user_id: UUID, seconds: float) -> None:
        """Embed what has no vectors after so many seconds; a switch forgets that."""


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
class Place:
    """A document in which something stands."""

    source: Source
    id: str


@dataclass(frozen=True, slots=True)
class Match:
    """A result of a search: a quote, how near it is (0 to 1), and where the same words stand, its own place first."""

    citation: Citation
    score: float
    places: Sequence[Place]


class FreshIndex(Protocol):
    """What brings an index up to date before it is searched."""

    async def catch_up(self, user_id: UUID) -> None:
        """Take in what was said last; returns soon, however much waits."""


class MemoryAnswers(Protocol):
    """Memory as the doors use it."""

    async def progress(self, user_id: UUID) -> Progress:
        """How far the user's memory is with the model that is wanted now."""

    async def search(self, user_id: UUID, asked: Asked) -> tuple[list[Match], bool]:
        """What is near, the best first, and whether meaning was compared as well as words."""

    async def about(self, user_id: UUID, subject: str, limit: int, cursor: str | None) -> About:
        """What was said of a person or a thing, or by them, the latest first. Raises InvalidInput."""

    async def ask(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        """The answer in the user's own words, or that there is none; and the same."""
