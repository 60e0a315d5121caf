"""The ledger: what was done, in order, and taking it back."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from app.errors import Conflict, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import ChangeView, Limit, Listing, Number, as_json, change_view, refused_view
from app.http.zone import customs_of_user

After = Annotated[Number, Query(ge=0, le=2**63 - 1, description="Only changes with a larger `cursor`.")]
Before = Annotated[
    Number | None,
    Query(ge=1, le=2**63 - 1, description="Only changes with a smaller `cursor`, latest first; `after` is not used."),
]
OfRecord = Annotated[
    str | None, Query(pattern=r"^(profile|[0-9a-f-]{36})$", description="Only changes of the record with this id.")
]
router = APIRouter(prefix="/v1/changes", tags=["changes"], route_class=StrictRoute)


@router.get("", operation_id="list_changes", summary="What changed since")
async def list_changes(
    services: Provided,
    user_id: Tenant,
    after: After = 0,
    before: Before = None,
    record_id: OfRecord = None,
    limit: Limit = 50,
) -> Listing[ChangeView]:
    """Every attempted change, oldest first, however it was caused; with `before` the latest first.

    To stay in step, ask again with `after` set to the last `cursor` seen; `next` is that cursor while more are waiting.
    A client that keeps `after` of each `applied` or `undone` row as that record, and drops the record when it is null,
    has exactly what the lists show.
    """
    if before is None:
        found = await services.changes.changes_after(str(user_id), after, limit + 1, record_id)
    else:
        found = await services.changes.changes_before(str(user_id), before, limit + 1, record_id)
    shown = [change_view(change) for change in found[:limit]]
    return Listing(items=shown, next=str(shown[-1].cursor) if len(found) > limit else None)


@router.get("/{change_id}", operation_id="get_change", summary="Read a change")
async def get_change(change_id: UUID, services: Provided, user_id: Tenant) -> ChangeView:
    """One row of the ledger, with the record before and after it."""
    change = await services.changes.change(str(user_id), str(change_id))
    if change is None:
        raise NotFound("There is no such change.")
    return change_view(change)


@router.post("/{change_id}/undo", operation_id="undo_change", summary="Take a change back", response_model=ChangeView)
async def undo_change(change_id: UUID, services: Provided, user_id: Tenant, once: Once) -> Response:
    """The undo is a change of its own, and can be undone. 409 says why when the item has changed since."""

    async def undo() -> KeptResponse:
        zone, _ = await customs_of_user(services, user_id)
        change = await services.turns.undo_change(user_id, change_id, once.origin, zone)
        if change.status == "failed":
            raise Conflict(change.error or "", change=as_json(refused_view(change)))
        return KeptResponse(200, as_json(change_view(change)), {"X-Change-Id": change.id})

    return await once.answer(undo)
