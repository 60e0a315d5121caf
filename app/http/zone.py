"""In which zone and by which conventions a user's edits are read when the request does not say."""

from __future__ import annotations

from uuid import UUID

from agents.conventions import Conventions, conventions_from
from app.http.deps import Services


async def customs_of_user(services: Services, user_id: UUID) -> tuple[str, Conventions]:
    """The user's zone, else the server's; and the user's conventions."""
    user = await services.users.get(user_id)
    stated = user.settings if user else {}
    return stated.get("timezone") or services.settings.default_timezone, conventions_from(stated.get("conventions"))
