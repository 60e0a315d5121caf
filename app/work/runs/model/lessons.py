"""What runs learned, for those that come after."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

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
