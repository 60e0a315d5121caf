"""Everything of yours: out as one archive, in again, and gone for good."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response
from pydantic import AwareDatetime, BaseModel, Field
from starlette.responses import FileResponse

from app.errors import Conflict, NotFound
from app.http.accounts.model.portability import Counted, NotImportable
from app.http.accounts.store.portability import Portability
from app.http.auth import require_scope
from app.http.bodies import StrictRoute
from app.http.deps import Called, Tenant, provide
from app.http.limits import take_larger_body
from app.http.replay import KeptResponse, Once
from app.http.schemas import Document, as_json, from_row

ProvidedPortability = Annotated[Portability, Depends(provide(Portability))]

router = APIRouter(prefix="/v1", tags=["everything"], route_class=StrictRoute)
TAR = "application/x-tar"


class ExportView(BaseModel):
    """An archive: a tar of `manifest.json`, `tables/*.jsonl`, `audio/` (by memo) and `files/` (of runs)."""

    id: UUID
    url: str = Field(description="Where it is fetched, for a day.")
    size_bytes: int
    rows: dict[str, int] = Field(description="Rows of each table.")
    recordings: int
    files: int
    made_at: AwareDatetime
    expires_at: AwareDatetime


class CountedView(BaseModel):
    """How many rows of each table, recordings and files."""

    rows: dict[str, int]
    recordings: int
    files: int


class ReceiptView(BaseModel):
    """What was erased."""

    erased: CountedView
    left: int = Field(description="Rows that a second look found: 0, unless something was said meanwhile.")
    kept: dict[str, str] = Field(description="What belongs to the account or the server, with the reasons.")
    at: AwareDatetime


class Erasure(Document):
    """Nothing brings it back."""

    confirm: Literal["erase everything"]


@router.post(
    "/export", operation_id="export_everything", summary="Export everything", status_code=201, response_model=ExportView
)
async def export_everything(portability: ProvidedPortability, user_id: Tenant, caller: Called, once: Once) -> Response:
    """Everything of yours as of one moment. Secrets, and what is made again from the rest, are left out.

    The manifest names what is left out, and why. Needs a key with the scope admin.
    """
    require_scope(caller, "admin")

    async def act() -> KeptResponse:
        made = await portability.export(user_id, once.origin)
        url = f"/v1/exports/{made.id}"
        view = ExportView(**{name: getattr(made, name) for name in ExportView.model_fields if name != "url"}, url=url)
        return KeptResponse(201, as_json(view), {"Location": url})

    return await once.answer(act)


@router.get(
    "/exports/{export_id}",
    operation_id="get_export",
    summary="Fetch an export",
    response_class=Response,
    responses={
        200: {"description": "The archive.", "content": {TAR: {"schema": {"type": "string", "format": "binary"}}}}
    },
)
async def get_export(export_id: UUID, portability: ProvidedPortability, user_id: Tenant, caller: Called) -> Response:
    """The archive; `Range` is honoured."""
    require_scope(caller, "admin")
    path = await portability.find_export(user_id, export_id)
    if path is None:
        raise NotFound("There is no such export, or not any more.", hint="Make one with POST /v1/export.")
    return FileResponse(path, media_type=TAR, filename="summit-export.tar")


@router.put(
    "/import",
    operation_id="import_everything",
    summary="Import an export",
    openapi_extra={
        "requestBody": {"required": True, "content": {TAR: {"schema": {"type": "string", "format": "binary"}}}}
    },
)
@take_larger_body(lambda settings: settings.max_import_bytes)
async def import_everything(
    request: Request, portability: ProvidedPortability, user_id: Tenant, caller: Called
) -> CountedView:
    """Takes an archive into an account that holds nothing, whole or not at all; memory is indexed afterwards."""
    require_scope(caller, "admin")
    try:
        return _counted_view(await portability.import_(user_id, request.stream()))
    except NotImportable as refusal:
        raise Conflict(
            str(refusal), hint="Import what POST /v1/export made, into a new or an erased account."
        ) from refusal


@router.post("/erase", operation_id="erase_everything", summary="Erase everything", response_model=ReceiptView)
async def erase_everything(
    _wish: Erasure, portability: ProvidedPortability, user_id: Tenant, caller: Called, once: Once
) -> Response:
    """Tasks, calendar, notes, memos with their recordings, conversations, memory, the ledger: at once, and for good.

    The account and its keys stay. There is no undo; export before.
    """
    require_scope(caller, "admin")

    async def act() -> KeptResponse:
        done = await portability.erase(user_id)
        view = ReceiptView(erased=_counted_view(done.erased), left=done.left, kept=dict(done.kept), at=done.at)
        return KeptResponse(200, as_json(view))

    return await once.answer(act)


def _counted_view(counted: Counted) -> CountedView:
    return from_row(CountedView, counted)
