"""What runs learned, for those that come after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from app.models.model.embeddings import Vector

LessonKind = Literal["experience", "procedure", "knowledge", "user_info"]


@dataclass(frozen=True)
class NewLesson:
    """At the end of a run. ``taught`` is what a later goal is compared with; ``score`` from 0 to 1 is how it went.

    ``foreign``: words that are not the user's are in it.
    """

    kind: LessonKind
    text: str
    taught: str
    score: float
    foreign: bool


@dataclass(frozen=True)
class Lesson:
    """One row; ``times`` counts how often it was learned."""

    id: UUID
    kind: LessonKind
    text: str
    taught: str
    run_id: UUID | None
    score: float
    foreign: bool
    times: int
    learned_at: datetime
    edited_at: datetime | None = None


@dataclass(frozen=True)
class Near:
    """A lesson, and how near its words are to a goal, from -1 to 1; None where meaning was not compared."""

    lesson: Lesson
    cosine: float | None


class Lessons(Protocol):
    """The lessons of a user."""

    async def list(self, user_id: UUID, limit: int, cursor: str | None, kind: LessonKind | None) -> Any:
        """A page, what was learned last first."""

    async def edit(self, user_id: UUID, lesson_id: UUID, text: str) -> Lesson | None:
        """Put it in the user's own words, which are not foreign any more."""

    async def forget(self, user_id: UUID, lesson_id: UUID) -> bool:
        """Delete one; False when there is none."""

    async def without_vector(self, user_id: UUID, model: str, limit: int) -> Sequence[tuple[UUID, str]]:
        """(id, taught) of lessons that a model has not embedded, the latest first."""

    async def keep_vectors(self, user_id: UUID, model: str, vectors: Mapping[UUID, Vector]) -> None:
        """Keep what a model made of them."""

    async def near(self, user_id: UUID, model: str, vector: Vector | None, limit: int) -> Sequence[Near]:
        """The nearest to a vector, or the latest without one."""


class LessonsFor(Protocol):
    """What a run is reminded of before it plans."""

    async def lessons_for(self, user_id: UUID, goal: str) -> Sequence[Lesson]:
        """The few that a goal has use for, the best first."""
