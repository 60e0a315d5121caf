"""The profile: one record that is always there, empty at first."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, BaseModel, Field

from agents.contract import Lookback
from agents.fact_history import Fact, fact_history
from agents.records import PROFILE_ID, ProfileFields, Source
from app.errors import InvalidInput
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.http.etags import IfMatch, check_match
from app.http.schemas import Cursor, Limit, Listing, as_json
from app.records.routes.edits import Editor
from app.records.routes.records import plain, record_answer
from app.records.routes.schemas import ProfilePatch

REACH = 1000
LONGEST_PLACE = 10
FactName = Annotated[
    str | None, Query(max_length=500, description="Only this field of the profile, or the fact of this name.")
]
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


@router.get("/history", operation_id="list_profile_history", summary="What was known, and when")
async def list_history(
    services: Provided, user_id: Tenant, name: FactName = None, limit: Limit = 50, cursor: Cursor = None
) -> Listing[Fact]:
    """Every fact ever stored, newest first, with its period of validity and the change that brought it.

    What was undone was never so. It reaches back over the latest 1,000 changes of the profile.
    """
    changes = await services.changes.history(str(user_id), Lookback(kind="profile"), REACH)
    facts = [fact for fact in reversed(fact_history(changes)) if name in (None, fact.name)]
    start = place_of(cursor)
    more = len(facts) > start + limit
    return Listing(items=facts[start : start + limit], next=str(start + limit) if more else None)


def place_of(cursor: str | None) -> int:
    """How many facts the pages before have shown; raises InvalidInput for a cursor that is none."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < LONGEST_PLACE):
        raise InvalidInput("The cursor is not one of this list.", hint="Send `next` of the page before.")
    return int(cursor)


async def _current(services: Services, user_id: UUID) -> dict[str, Any]:
    found = await services.records.get(user_id, "profile", PROFILE_ID)
    return as_json(found or ProfileView())
