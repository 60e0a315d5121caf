"""How much one user may have heard: so many recordings at once, so many minutes a day."""

from __future__ import annotations

from uuid import UUID

from app.deps import Services
from app.errors import TooManyRequests

LATER_SECONDS = 3600


async def insist_on_room(services: Services, user_id: UUID) -> None:
    """Refuse a new recording where too many wait already, or too much was heard; what was accepted stays so."""
    settings = services.settings
    lately = await services.memos.lately(user_id)
    if lately.waiting >= settings.max_waiting_clips:
        raise TooManyRequests(
            f"{lately.waiting} recordings wait for their words already.",
            hint="Send it again once some of them have theirs; GET /v1/memos tells.",
        )
    if lately.minutes >= settings.max_audio_minutes_a_day:
        raise TooManyRequests(
            f"{lately.minutes:.0f} minutes of recordings were heard in 24 hours; "
            f"{settings.max_audio_minutes_a_day:g} are allowed.",
            hint="Send it again tomorrow, or write it.",
            retry_seconds=LATER_SECONDS,
        )
