"""GET /v1/stream: everything that happens to a user, as it happens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from app.http.bodies import StrictRoute
from app.http.deps import Provided, Tenant
from app.http.schemas import Number
from app.turns.routes.envelopes import LARGEST_SEQ
from app.turns.routes.sse import EVENT_STREAM, last_seen, whole_stream

AFTER_DESCRIPTION = (
    "Only events with a larger `seq`; 0 begins with the oldest that is kept. Default: what happens from now on."
)
LAST_EVENT_DESCRIPTION = "`seq` of the last event seen; resumes after it. A browser's EventSource sends it by itself."

router = APIRouter(tags=["stream"], route_class=StrictRoute)


@router.get(
    "/v1/stream",
    operation_id="stream",
    summary="Follow everything",
    response_class=Response,
    responses={200: {"description": "Server-sent events.", "content": {EVENT_STREAM: {"schema": {"type": "string"}}}}},
)
async def stream(
    request: Request,
    services: Provided,
    user_id: Tenant,
    after: Annotated[Number | None, Query(ge=0, le=LARGEST_SEQ, description=AFTER_DESCRIPTION)] = None,
    last_event_id: Annotated[str, Header(description=LAST_EVENT_DESCRIPTION)] = "",
) -> Response:
    """All turns' events, from every door, until you leave; a comment every 5 quiet seconds keeps it open.

    The latest events of each user are kept (the server's `event_log_size`). Where some that were asked for are gone, an
    `error` with status 410 says so, and `goes_on_after` says where the stream goes on.
    First come the notifications that were told before and nobody acknowledged, as `reminder.fired` with `again` set.
    """
    return await whole_stream(request, services, user_id, last_seen(last_event_id, after))
