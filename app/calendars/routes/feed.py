"""The calendar feed: its private address, and the file that calendar programs fetch from it."""

from __future__ import annotations

import hmac
import secrets
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response
from pydantic import AwareDatetime, BaseModel, Field

from app.calendars.feed import FeedWriter
from app.calendars.model.calendars import FeedItems, OpenFeed, TodosAs
from app.calendars.services import ProvidedFeeds, ProvidedFeedWriter
from app.calendars.store.feeds import Feeds
from app.errors import NotFound
from app.http.auth import digest_of, require_scope
from app.http.bodies import StrictRoute
from app.http.deps import Called, Provided, Services, Tenant, act_as
from app.http.replay import KeptResponse, Once
from app.http.schemas import Document, as_json, from_row

FEED_FORMAT_VERSION = 1  # counts up when the same records would be written differently
MEDIA_TYPE = "text/calendar; charset=utf-8"
router = APIRouter(prefix="/v1/calendar", tags=["calendar"], route_class=StrictRoute)
open_router = APIRouter(prefix="/v1/calendar", tags=["calendar"], route_class=StrictRoute)

TODOS = (
    "How tasks with a deadline are shown: `task` (most phones hide those), `event` (an appointment that keeps nobody "
    "busy), or `none`."
)


class NewFeed(Document):
    """A private address to make."""

    todos: TodosAs = Field("task", description=TODOS)


class FeedView(BaseModel):
    """The feed as it may be shown again: never its address."""

    todos: TodosAs = Field(description=TODOS)
    created_at: AwareDatetime


class FeedState(BaseModel):
    """Whether calendar programs may read, and how; never by which address."""

    open: bool = Field(description="Whether there is a private address.")
    todos: TodosAs | None = Field(description=f"{TODOS} Null while there is no address.")
    created_at: AwareDatetime | None = Field(description="Since when; null while there is no address.")


class FeedMade(FeedView):
    """A new private address; whoever knows it can read the calendar."""

    url: str | None = Field(description="Shown this once, never again; null when the same request is sent again.")
    webcal_url: str | None = Field(description="The same, as calendar programs like to open it.")


@router.get("", operation_id="get_feed", summary="Read about the calendar feed")
async def get_feed(feeds: ProvidedFeeds, user_id: Tenant) -> FeedState:
    """Whether there is a private address, and since when."""
    feed = await feeds.get(user_id)
    if feed is None:
        return FeedState(open=False, todos=None, created_at=None)
    return FeedState(open=True, todos=feed.todos, created_at=feed.created_at)


@router.post(
    "", status_code=201, operation_id="create_feed", summary="Make a private calendar address", response_model=FeedMade
)
async def create_feed(
    request: Request, body: NewFeed, feeds: ProvidedFeeds, user_id: Tenant, caller: Called, once: Once
) -> Response:
    """Subscribe to it from any calendar program. A new address puts an end to the one before."""
    require_scope(caller, "read")  # whoever has the address can read

    async def create() -> KeptResponse:
        token = secrets.token_urlsafe(32)
        feed = await feeds.issue(user_id, digest_of(token), body.todos)
        url = str(request.url_for("read_feed", token=token))
        webcal = f"webcal://{url.partition('://')[2]}"
        return KeptResponse(201, as_json(from_row(FeedView, feed)), secret={"url": url, "webcal_url": webcal})

    return await once.answer(create)


@router.delete("", status_code=204, operation_id="delete_feed", summary="Close the calendar feed")
async def delete_feed(feeds: ProvidedFeeds, user_id: Tenant) -> None:
    """The private address stops working at once."""
    if not await feeds.revoke(user_id):
        raise NotFound("There is no calendar feed.", hint="Make one with POST /v1/calendar.")


@open_router.head("/{token}.ics", include_in_schema=False)
@open_router.get(
    "/{token}.ics",
    name="read_feed",
    operation_id="read_feed",
    summary="Fetch the calendar",
    response_class=Response,
    responses={
        200: {"description": "The calendar.", "content": {"text/calendar": {"schema": {"type": "string"}}}},
        304: {"description": "Nothing has changed since the ETag in `If-None-Match`."},
    },
)
async def read_feed(
    token: str,
    services: Provided,
    feeds: ProvidedFeeds,
    write_feed: ProvidedFeedWriter,
    if_none_match: Annotated[str | None, Header(max_length=1000)] = None,
) -> Response:
    """An iCalendar file. The token in the address is all that is asked for; no API key is needed."""
    digest = digest_of(token)
    feed = await feeds.find(digest)
    if feed is None or not hmac.compare_digest(feed.digest, digest):
        raise NotFound("No calendar has this address.", hint="It may have been replaced; make a new one.")
    headers = {"ETag": _etag(feed), "Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex"}
    if _is_known(headers["ETag"], if_none_match):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    with act_as(feed.user_id):
        return Response(await _file(services, feeds, write_feed, feed), media_type=MEDIA_TYPE, headers=headers)


async def _file(services: Services, feeds: Feeds, write_feed: FeedWriter, feed: OpenFeed) -> bytes:
    settings = services.settings
    since = datetime.now(UTC) - timedelta(days=settings.feed_past_days)
    events, todos = await feeds.items(feed, since, settings.feed_max_items)
    zone = feed.timezone or settings.default_timezone
    return await write_feed(FeedItems(events, todos, feed.todos, zone))


def _etag(feed: OpenFeed) -> str:
    """Changes with every change of the user's, so that an unchanged feed need not be written."""
    return f'"{FEED_FORMAT_VERSION}-{digest_of(f"{feed.cursor} {feed.todos} {feed.timezone}").hex()[:24]}"'


def _is_known(etag: str, if_none_match: str | None) -> bool:
    known = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in known or "*" in known


def is_open(path: str) -> bool:
    """Whether a path is a feed, whose token is the credential."""
    token = path.removeprefix(f"{open_router.prefix}/")
    return token != path and "/" not in token and token.endswith(".ics")
