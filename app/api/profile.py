"""The profile: one record that is always there, empty at first."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import AwareDatetime, BaseModel, Field

from agents.records import PROFILE_ID, ProfileFields, Source
from app.api.bodies import StrictRoute
from app.api.edits import Editor
from app.api.etags import IfMatch, check_match
from app.api.records import plain, record_answer
from app.api.schemas import as_json
from app.api.schemas_records import ProfilePatch
from app.deps import Provided, Services, Tenant

router = APIRouter(prefix="/v1/profile", tags=["profile"], route_class=StrictRoute)


class ProfileView(ProfileFields):
    """Who the user is; version 0 is the profile before anything was said."""

    id: str = PROFILE_ID
    version: int = Field(0, description="Grows with every change.")
    created_at: AwareDatetime | None = None
    updated_at: AwareDatetime | None = None
    source: Source = Source()


@router.get("", operation_id="get_profile", summary="Read the profile", response_model=ProfileView)
async def get_profile(services: Provided, user_id: Tenant) -> Response:
    """What is known about the user."""
    return plain(record_answer(await _current(services, user_id), []))


async def patch_profile(services: Provided, user_id: Tenant, body: BaseModel, if_match: IfMatch = None) -> Response:
    """Fields that are left out stay; null empties one. The header `X-Change-Id` names the ledger row."""
    editor, fields = Editor(services, user_id, "profile"), body.model_dump(mode="json", exclude_unset=True)
    before = await _current(services, user_id)
    if before["version"]:
        changes = await editor.update(before, fields, if_match)
    else:
        check_match(if_match, before)
        changes = [await editor.create(fields)] if fields else []
    return plain(record_answer((changes[-1].after if changes else None) or before, changes))


# Its body is the model that is made from the profile's fields.
patch_profile.__annotations__["body"] = ProfilePatch
router.add_api_route(
    "",
    patch_profile,
    methods=["PATCH"],
    operation_id="update_profile",
    summary="Change the profile",
    response_model=ProfileView,
)


async def _current(services: Services, user_id: UUID) -> dict[str, Any]:
    found = await services.records.get(user_id, "profile", PROFILE_ID)
    return as_json(found or ProfileView())
