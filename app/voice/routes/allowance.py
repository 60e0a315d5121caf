"""How much one user may have heard: so many recordings at once, so many minutes a day."""

from __future__ import annotations

from uuid import UUID

from app.errors import (
    OutOfCredits,
    TooLarge,
    TooManyRequests,
)
from app.http.deps import Services
from app.models.services import ModelServices

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


def insist_on_length(services: Services, text: str) -> None:
    """Refuse a message of more characters than a turn may have."""
    most = services.settings.max_text_chars
    if len(text) > most:
        raise TooLarge(f"The text has {len(text)} characters; the limit is {most}.", hint="Send it in parts.")


async def insist_on_credits(services: Services, user_id: UUID, key: str | None) -> None:
    """Refuse a new message of who is out of credits, if this server does that; what was accepted stays so."""
    if services.settings.credits_empty != "refuse" or not services.settings.credits:
        return
    if await services.get(ModelServices).solvent(user_id):
        return
    if key is None or not await services.inbox.knows(user_id, key):
        raise OutOfCredits("There are not enough credits left for a question to the language model.")
