"""A memo as clients send and see it."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from agents.records import Body, Name, Zone
from app.http.schemas import Document, Said, Spoken
from app.turns.model.turns import Strategy
from app.turns.routes.schemas import CAPTURED_AT, SPEAK, STRATEGY, THREAD, TIMEZONE
from app.voice.model import MemoState, TranscriptionOutcome

EXTERNAL_ID = "Your own name for it: posted again, it is updated. A recording itself is never replaced."


class Segment(BaseModel):
    """A stretch of speech."""

    start_ms: int
    end_ms: int
    text: str
    confidence: float | None = None


class MemoView(BaseModel):
    """A recording and what became of it; `reason` says why it needs you or failed."""

    id: UUID
    title: str
    transcript: str | None
    language: str | None
    segments: list[Segment]
    engine: str | None = Field(description="What transcribed it.")
    confidence: float | None
    captured_at: AwareDatetime
    timezone: str
    state: MemoState
    reason: str | None
    retryable: bool
    outcome: TranscriptionOutcome | None = Field(
        description="How the last try to transcribe it ended; null before, and of what was written."
    )
    turn_id: UUID | None = Field(description="The turn that acted on it.")
    external_id: str | None = Field(description=EXTERNAL_ID)
    tags: list[str] = Field(
        description="Words that tell its topics, once there are such.", examples=[["roof", "slates"]]
    )
    edited: bool = Field(description="Whether its words are its user's own, or were corrected.")
    container: str = Field(description="`text` for one that was written.", examples=["flac"])
    size: int = Field(description="Bytes.")
    duration_ms: int | None
    created_at: AwareDatetime
    updated_at: AwareDatetime


class TranscriptView(BaseModel):
    """One wording of a memo; `id` is null while the engine's own words were never replaced."""

    id: UUID | None
    transcript: str
    segments: list[Segment] = Field(description="Of the engine's own words; empty for those of the user.")
    created_at: AwareDatetime
    current: bool = Field(description="Whether the memo says this now.")


class MemoContext(Document):
    """Where and when something was recorded, and whether it is acted upon."""

    captured_at: Said | None = Field(None, description=CAPTURED_AT, examples=["2026-11-18T09:30:00+01:00"])
    timezone: Zone | None = Field(None, description=TIMEZONE, examples=["Europe/Lisbon"])
    act: bool = Field(default=False, strict=True, description="Act on it, as `POST /v1/turns` does; else remember it.")
    thread_id: UUID | None = Field(None, description=THREAD)
    strategy: Strategy = Field("enqueue", description=STRATEGY)
    speak: bool = Field(default=False, strict=True, description=SPEAK)


class NamedMemo(MemoContext):
    """What a recording may carry."""

    title: Name = Field("", description="Default: the first words.")
    external_id: Name | None = Field(None, min_length=1, description=EXTERNAL_ID)


class WrittenMemo(NamedMemo):
    """A memo in words."""

    transcript: Annotated[Body, Spoken] = Field(description="What was said.", examples=["The spare key is at Ana's."])


class MemoPatch(Document):
    """What is to be corrected in a memo; fields that are left out stay."""

    transcript: Annotated[Body, Spoken] | None = Field(None, description="What was really said.")
    title: Name | None = None
