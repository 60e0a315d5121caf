"""How Summit understands a user."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from agents.records import Zone
from app.api.bodies import StrictRoute
from app.api.schemas import Document
from app.api.zone import zone_of_user
from app.deps import Provided, Services, Tenant

router = APIRouter(prefix="/v1/settings", tags=["settings"], route_class=StrictRoute)


class UserSettings(BaseModel):
    """The settings in force, defaults of the server included."""

    timezone: str = Field(description="IANA zone in which dates and times are understood.", examples=["Europe/Lisbon"])


class SettingsPatch(Document):
    """The settings to change; null goes back to the server's default."""

    timezone: Zone | None = Field(None, examples=["Europe/Lisbon"])


@router.get("", operation_id="get_settings", summary="Read the settings")
async def get_settings(services: Provided, user_id: Tenant) -> UserSettings:
    """The settings in force."""
    return await _in_force(services, user_id)


@router.patch("", operation_id="update_settings", summary="Change settings")
async def patch_settings(body: SettingsPatch, services: Provided, user_id: Tenant) -> UserSettings:
    """What is left out stays."""
    await services.users.update_settings(user_id, body.model_dump(exclude_unset=True))
    return await _in_force(services, user_id)


async def _in_force(services: Services, user_id: UUID) -> UserSettings:
    return UserSettings(timezone=await zone_of_user(services, user_id))
