"""The audit log: who did what to accounts, keys, sign-ins, providers, models, switches, grants and credits."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends
from pydantic import AwareDatetime, BaseModel, Field

from app.http.accounts.store.audit import AuditLog
from app.http.bodies import StrictRoute
from app.http.deps import Called, provide
from app.http.schemas import Cursor, Limit, Listing, from_row

ProvidedAudit = Annotated[AuditLog, Depends(provide(AuditLog))]

router = APIRouter(prefix="/v1/audit", tags=["audit"], route_class=StrictRoute)


class AuditView(BaseModel):
    """One act. Nothing that anybody wrote or said is in it."""

    id: int
    user_id: UUID = Field(description="Whose affairs they are; only zeros for the whole server's.")
    at: AwareDatetime
    actor: str = Field(description="Who did it.", examples=["administrator"])
    action: str = Field(description="What was done.", examples=["key.added"])
    subject: str = Field(description="Which one it was: its id or name.")


@router.get("", operation_id="list_audit", summary="Read the audit log")
async def list_audit(
    audit: ProvidedAudit, caller: Called, limit: Limit = 50, cursor: Cursor = None
) -> Listing[AuditView]:
    """The latest first: a user's own with a key that has the scope admin, everybody's with the administrator's key.

    It is only ever added to. The database sees to that, for Summit too.
    """
    found = await audit.list(caller.user_id, limit, cursor)
    return Listing(items=[from_row(AuditView, one) for one in found.items], next=found.next)
