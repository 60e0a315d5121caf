"""POST /v1/understand: what a message would come to, without acting."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Response
from pydantic import Field

from agents.context import Context
from agents.records import Zone
from agents.spans import Reading
from app.errors import NotFound, TooLarge
from app.http.accounts.model.users import main_thread
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant, provide
from app.http.replay import KeptResponse, Once
from app.http.schemas import Document, Said, SpokenText, as_json
from app.turns.preview import Preview
from app.turns.routes.schemas import CAPTURED_AT, THREAD, TIMEZONE

router = APIRouter(prefix="/v1/understand", tags=["turns"], route_class=StrictRoute)
ProvidedPreview = Annotated[Preview, Depends(provide(Preview))]


class TextToRead(Document):
    """Words as they would be sent, or as far as they are typed."""

    text: SpokenText = Field(description="What would be said.", examples=["call mom tomorrow at 5"])
    thread_id: UUID | None = Field(None, description=THREAD)
    captured_at: Said | None = Field(None, description=CAPTURED_AT)
    timezone: Zone | None = Field(None, description=TIMEZONE)


@router.post("", operation_id="understand", summary="Read without acting", response_model=Reading)
async def understand(
    body: TextToRead, services: Provided, preview: ProvidedPreview, user_id: Tenant, once: Once
) -> Response:
    """The reading of the built-in understanding: proposals with the words of each value, and the words not used.

    It knows the user's items and what the thread waits for. Nothing is kept, and nothing changes. A proposal, edited or
    not, can be sent with `POST /v1/turns` as `reading`.
    """
    most = services.settings.max_preview_chars
    if len(body.text) > most:
        raise TooLarge(f"The text has {len(body.text)} characters; {most} are read ahead.", hint="Send it as a turn.")

    async def read() -> KeptResponse:
        thread = await _thread(services, user_id, body.thread_id)
        context = await _context(services, user_id, body)
        return KeptResponse(200, as_json(await preview.read(body.text, thread, context)))

    return await once.answer(read)


async def _thread(services: Services, user_id: UUID, wanted: UUID | None) -> UUID:
    if wanted and await services.threads.get(user_id, wanted) is None:
        raise NotFound("There is no such thread.", hint="Leave thread_id out to use your main thread.")
    return wanted or main_thread(user_id)


async def _context(services: Services, user_id: UUID, body: TextToRead) -> Context:
    user = await services.users.get(user_id)
    stated = user.settings if user else {}
    zone = body.timezone or stated.get("timezone") or services.settings.default_timezone
    at = (body.captured_at or datetime.now(UTC)).astimezone(ZoneInfo(zone))
    return {
        "user_id": str(user_id),
        "timezone": zone,
        "at": at.isoformat(),
        "conventions": stated.get("conventions") or {},
        "language": stated.get("language") or "",
    }
