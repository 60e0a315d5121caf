"""What you talk about: topics, when you speak, and what you said you would do."""

from __future__ import annotations

from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from pydantic import AwareDatetime, BaseModel, Field

from app.errors import NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Tenant
from app.http.schemas import Cursor, Limit, Listing
from app.http.zone import customs_of_user
from app.memory.model.topics import Topic
from app.memory.routes.memory import CitationView, LoopView, citation_view
from app.memory.services import ProvidedTopics

NO_TOPIC = "There is no such topic."
MOST_TALKED = 10
"""Topics among the insights."""
router = APIRouter(prefix="/v1", tags=["memory"], route_class=StrictRoute)


class TopicView(BaseModel):
    """Sentences that are about one thing."""

    id: UUID = Field(description="Stays as long as most of the sentences do.")
    name: str = Field(description="Its most frequent words.", examples=["boiler, plumber, winter"])
    words: list[str] = Field(description="Words by which it is told from your other topics.")
    units: int = Field(description="Sentences and short spans.")
    first_at: AwareDatetime
    last_at: AwareDatetime
    citations: list[CitationView] = Field(description="Its most typical sentences.")


class TopicUnits(TopicView):
    """A topic and a page of its sentences, the latest first."""

    items: list[CitationView]
    next: str | None = Field(description="Send as `cursor` to get the next page.")


class InsightsView(BaseModel):
    """What you talk about, when, and what is left of what you said you would do."""

    units: int = Field(description="Sentences that were looked at: the latest, as many as the server allows.")
    first_at: AwareDatetime | None = Field(description="When the earliest of them was said.")
    last_at: AwareDatetime | None
    topics: list[TopicView] = Field(description="What you talk about most, the most first.")
    weekdays: list[int] = Field(description="Sentences by weekday, from Monday on.")
    hours: list[int] = Field(description="Sentences by hour of your day, from midnight on.")
    open_loops: list[LoopView] = Field(description="The latest first.")


@router.get("/topics", operation_id="list_topics", summary="List what you talk about")
async def list_topics(services: Provided, topics: ProvidedTopics, user_id: Tenant) -> Listing[TopicView]:
    """The largest topic first. They are found in the background, some minutes after you said something."""
    zone, _ = await customs_of_user(services, user_id)
    found = await topics.largest(user_id)
    return Listing(items=[TopicView(**_topic(one, zone)) for one in found], next=None)


@router.get("/topics/{topic_id}", operation_id="get_topic", summary="Read a topic")
async def get_topic(
    topic_id: UUID,
    services: Provided,
    topics: ProvidedTopics,
    user_id: Tenant,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> TopicUnits:
    """With its sentences, the latest first."""
    zone, _ = await customs_of_user(services, user_id)
    found = await topics.get(user_id, topic_id, limit, cursor)
    if found is None:
        raise NotFound(NO_TOPIC, hint="List them with GET /v1/topics.")
    return TopicUnits(
        **_topic(found.topic, zone), items=[citation_view(one, zone) for one in found.items], next=found.next
    )


@router.get("/insights", operation_id="get_insights", summary="See what you talk about, when, and what is left open")
async def get_insights(services: Provided, topics: ProvidedTopics, user_id: Tenant) -> InsightsView:
    """Over your latest sentences. Each open loop quotes where you said it."""
    zone, _ = await customs_of_user(services, user_id)
    found = await topics.insights(user_id, zone)
    return InsightsView(
        units=found.units,
        first_at=found.first_at and found.first_at.astimezone(ZoneInfo(zone)),
        last_at=found.last_at and found.last_at.astimezone(ZoneInfo(zone)),
        topics=[TopicView(**_topic(one, zone)) for one in found.topics[:MOST_TALKED]],
        weekdays=found.weekdays,
        hours=found.hours,
        open_loops=[LoopView(what=one.what, citation=citation_view(one.citation, zone)) for one in found.open_loops],
    )


def _topic(one: Topic, zone: str) -> dict[str, object]:
    local = {name: getattr(one, name).astimezone(ZoneInfo(zone)) for name in ("first_at", "last_at")}
    shown = {name: getattr(one, name) for name in ("id", "name", "words", "units")}
    return {**shown, **local, "citations": [citation_view(cited, zone) for cited in one.citations]}
