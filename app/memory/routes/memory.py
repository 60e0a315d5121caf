"""Memory: what you ever said or kept, searched and quoted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Annotated
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from agents.contract import Citation
from agents.ports import Exchange
from app.errors import NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import Cursor, Document, Limit, Listing, Said, SpokenText, as_json, from_row
from app.http.zone import customs_of_user
from app.memory.model.memory import Asked, Match
from app.memory.services import ProvidedMemory, ProvidedTopics

MAX_QUESTION_CHARS, LONGEST_SUBJECT, MAX_QUOTES = 2000, 200, 50
MAX_RECENT_MESSAGES = 8
"""Messages of a conversation that a question may lean on."""
router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=StrictRoute)
Range = Said | None
Subject = Annotated[
    SpokenText,
    Query(max_length=LONGEST_SUBJECT, description="A name, or what it is called.", examples=["Anjali", "the boiler"]),
]


class Within(Document):
    """A hard range of time; both ends are optional."""

    model_config = ConfigDict(populate_by_name=True)

    since: Range = Field(None, alias="from", description="Nothing said before this moment.")
    until: Range = Field(None, alias="to", description="Nothing said at this moment or later.")
    limit: int = Field(5, strict=True, ge=1, le=MAX_QUOTES, description="Most quotes.")

    @model_validator(mode="after")
    def _in_order(self) -> Within:
        if self.since and self.until and self.since >= self.until:
            raise ValueError("`from` must be before `to`")
        return self


class MemorySearch(Within):
    """What to look for."""

    query: SpokenText = Field(max_length=MAX_QUESTION_CHARS, description="Words, or a question.")


class MemoryQuestion(Within):
    """A question about what you said or kept."""

    question: SpokenText = Field(max_length=MAX_QUESTION_CHARS)
    thread_id: UUID | None = Field(
        None,
        description="The conversation that the question follows: what “it” and “there” mean is looked for in its last "
        "turns. Nothing is kept in it.",
    )


class CitationView(BaseModel):
    """Where a quote stands: characters of the document, and milliseconds of the recording if there is one."""

    source: str = Field(examples=["memo"])
    id: str = Field(description="Of the memo, the note, the turn of the message, or the profile.")
    start_char: int
    end_char: int
    start_ms: int | None
    end_ms: int | None
    quote: str
    captured_at: AwareDatetime


class LoopView(BaseModel):
    """Something that you said is to be done, that no task or event covers, and no later sentence says is done."""

    what: str = Field(examples=["call the plumber about the boiler"])
    citation: CitationView


class PlaceView(BaseModel):
    """A document in which words stand."""

    source: str = Field(examples=["note"])
    id: str


class MatchView(CitationView):
    """A quote that is near to what was looked for."""

    score: float = Field(ge=0, le=1, description="How near it is by words and by meaning; results fall by it.")
    sources: list[PlaceView] = Field(description="Everywhere where the same words stand, the place of the quote first.")


class MemoryFound(BaseModel):
    """What is near, the best first; empty where nothing is."""

    items: list[MatchView]
    by_meaning: bool = Field(description="False where only words were compared: no model is installed, or not ready.")


class MemoryAnswer(BaseModel):
    """An answer with its sources; where `found` is false, citations are what comes closest, or none."""

    answer: str
    found: bool
    citations: list[CitationView]
    by_meaning: bool = Field(description="False where only words were compared: no model is installed, or not ready.")
    by_model: bool = Field(description="Whether your language model worded the answer; its quotes were checked.")


class AboutView(Listing[CitationView]):
    """All that you said of a person or a thing, the latest first, and what they said where speakers are known."""

    subject: str
    names: list[str] = Field(
        description="What it is known by: the subject in small letters, and what your facts call it as well.",
        examples=[["anjali", "sister"]],
    )
    units: int = Field(description="Sentences and short spans, on all pages together.")
    first_at: AwareDatetime | None = Field(description="When the earliest of them was said.")
    last_at: AwareDatetime | None
    open_loops: list[LoopView] = Field(
        description="What you said is to be done about it and nothing covers, the latest first; the same on each page."
    )


class MemoryProgress(BaseModel):
    """How much of memory is indexed, and how far the model is that compares meanings."""

    model: str = Field(description="The model that memory is searched with; empty while words alone are compared.")
    wanted: str = Field(description="The model in use for embeddings; it takes over once it has seen every unit.")
    units: int = Field(description="Sentences and short spans in memory.")
    embedded: int = Field(description="How many of them the wanted model has seen.")
    waiting: int = Field(description="Memos, notes, messages and facts that are still to be indexed.")


@router.get("", operation_id="get_memory", summary="Show how far memory is indexed")
async def get_memory(memory: ProvidedMemory, user_id: Tenant) -> MemoryProgress:
    """New models embed beside the one in use, which serves until they are done."""
    return from_row(MemoryProgress, await memory.progress(user_id))


@router.get("/about", operation_id="list_memory_about", summary="List what you said about somebody or something")
async def list_about(
    services: Provided,
    memory: ProvidedMemory,
    topics: ProvidedTopics,
    user_id: Tenant,
    subject: Subject,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> AboutView:
    """Memos, notes, messages and facts that name it, with their places; a fact ("my sister is Anjali") gives names.

    Where nothing names it, the list is empty.
    """
    zone, _ = await customs_of_user(services, user_id)
    found = await memory.about(user_id, subject, limit, cursor)
    loops = await topics.loops(user_id, found.names) if found.units else []
    return AboutView(
        subject=subject,
        names=[*found.names],
        units=found.units,
        first_at=found.first_at and found.first_at.astimezone(ZoneInfo(zone)),
        last_at=found.last_at and found.last_at.astimezone(ZoneInfo(zone)),
        open_loops=[LoopView(what=one.what, citation=citation_view(one.citation, zone)) for one in loops],
        items=[citation_view(one, zone) for one in found.items],
        next=found.next,
    )


@router.post("/search", operation_id="search_memory", summary="Search what you said", response_model=MemoryFound)
async def search_memory(
    wanted: MemorySearch, services: Provided, memory: ProvidedMemory, user_id: Tenant, once: Once
) -> Response:
    """Memos, notes, messages and facts, by words and by meaning; what is far from the query is not listed."""

    async def act() -> KeptResponse:
        asked = await _build_question(services, user_id, wanted.query, wanted)
        found, by_meaning = await memory.search(user_id, asked)
        return KeptResponse(
            200, as_json(MemoryFound(items=[_match(one, asked) for one in found], by_meaning=by_meaning))
        )

    return await once.answer(act)


@router.post("/ask", operation_id="ask_memory", summary="Ask what you said", response_model=MemoryAnswer)
async def ask_memory(
    wanted: MemoryQuestion, services: Provided, memory: ProvidedMemory, user_id: Tenant, once: Once
) -> Response:
    """The answer quotes you word for word; what only comes closest is told as that, and without any it says so.

    A question that follows others of a conversation (`thread_id`) is understood by their words.

    With a language model it is worded by that, from what was found alone, and its quotes are checked.
    """

    async def act() -> KeptResponse:
        recent = await _recent(services, user_id, wanted.thread_id) if wanted.thread_id else []
        asked = replace(await _build_question(services, user_id, wanted.question, wanted), recent=recent)
        told, by_meaning = await memory.ask(user_id, asked)
        citations = [_view(one, asked) for one in told.citations]
        said = {"answer": told.answer, "found": told.found, "by_model": told.by_model}
        found = MemoryAnswer(**said, citations=citations, by_meaning=by_meaning)
        return KeptResponse(200, as_json(found))

    return await once.answer(act)


async def _build_question(services: Services, user_id: UUID, text: str, within: Within) -> Asked:
    zone, conventions = await customs_of_user(services, user_id)
    return Asked(text, datetime.now(UTC), zone, conventions, within.since, within.until, within.limit)


async def _recent(services: Services, user_id: UUID, thread_id: UUID) -> list[Exchange]:
    """The last turns of a conversation. Raises NotFound."""
    thread = await services.threads.get(user_id, thread_id)
    if thread is None:
        raise NotFound("There is no such thread.", hint="Leave thread_id out to ask outside of any conversation.")
    messages = await services.threads.messages(
        user_id, thread_id, max(0, thread.message_count - MAX_RECENT_MESSAGES), MAX_RECENT_MESSAGES
    )
    return [
        Exchange(said=one.content, replied=other.content)
        for one, other in pairwise(messages)
        if (one.role, other.role) == ("user", "assistant")
    ]


def _match(one: Match, asked: Asked) -> MatchView:
    sources = [PlaceView(source=place.source, id=place.id) for place in one.places]
    return MatchView(**_view(one.citation, asked).model_dump(), score=one.score, sources=sources)


def _view(one: Citation, asked: Asked) -> CitationView:
    return citation_view(one, asked.timezone)


def citation_view(one: Citation, zone: str) -> CitationView:
    """Return a citation as it is shown where its user is."""
    return CitationView(**{**one.model_dump(), "captured_at": one.captured_at.astimezone(ZoneInfo(zone))})
