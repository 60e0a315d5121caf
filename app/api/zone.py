"""The zone in which a user's words and edits are read when the request does not say."""

from __future__ import annotations

from uuid import UUID

from app.deps import Services


async def zone_of_user(services: Services, user_id: UUID) -> str:
    """The user's setting, else the server's."""
    user = await services.users.get(user_id)
    stated: str | None = user.settings.get("timezone") if user else None
    return stated or services.settings.default_timezone
