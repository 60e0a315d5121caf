"""What runs learned: shown, put right, forgotten."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field

from app.errors import NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Tenant
from app.http.schemas import Cursor, Document, Limit, Listing, SpokenText, from_row
from app.work.runs.model.lessons import LessonKind
from app.work.runs.services import ProvidedLessons

router = APIRouter(prefix="/v1/lessons", tags=["runs"], route_class=StrictRoute)
NO_LESSON, LIST_THEM = "There is no such lesson.", "GET /v1/lessons lists them."


class LessonView(BaseModel):
    """Something that a run learned and later runs are told."""

    id: UUID
    kind: LessonKind
    text: str
    run_id: UUID | None = Field(description="The run that learned it last.")
    score: float = Field(description="How well that run went, from 0 to 1.")
    foreign: bool = Field(description="Whether words that are not yours are in it; a run that is told it asks more.")
    times: int = Field(description="How often it was learned.")
    learned_at: AwareDatetime
    edited_at: AwareDatetime | None


class LessonPatch(Document):
    """Your own words for it."""

    text: SpokenText = Field(max_length=2000)


@router.get("", operation_id="list_lessons", summary="List what runs learned")
async def list_lessons(
    lessons: ProvidedLessons,
    user_id: Tenant,
    kind: Annotated[LessonKind | None, Query(description="Only those of one kind.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Listing[LessonView]:
    """What was learned last comes first."""
    found = await lessons.list(user_id, limit, cursor, kind)
    return Listing(items=[from_row(LessonView, one) for one in found.items], next=found.next)


@router.patch("/{lesson_id}", operation_id="edit_lesson", summary="Put a lesson right")
async def edit_lesson(lesson_id: UUID, patch: LessonPatch, lessons: ProvidedLessons, user_id: Tenant) -> LessonView:
    """In your own words it is not foreign any more, and no run changes it."""
    found = await lessons.edit(user_id, lesson_id, patch.text)
    if found is None:
        raise NotFound(NO_LESSON, hint=LIST_THEM)
    return from_row(LessonView, found)


@router.delete("/{lesson_id}", operation_id="forget_lesson", summary="Forget a lesson", status_code=204)
async def forget_lesson(lesson_id: UUID, lessons: ProvidedLessons, user_id: Tenant) -> None:
    """No run is told it any more. A later run may learn it again."""
    if not await lessons.forget(user_id, lesson_id):
        raise NotFound(NO_LESSON, hint=LIST_THEM)
