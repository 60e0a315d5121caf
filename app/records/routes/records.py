"""The doors to tasks, events, notes and instructions: five operations each, all alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel
from starlette.responses import JSONResponse

from agents.contract import Change
from agents.records import (
    Event,
    EventFields,
    Instruction,
    InstructionFields,
    Kind,
    Note,
    NoteFields,
    ToDo,
    ToDoFields,
)
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Tenant
from app.http.etags import IfMatch, etag_of
from app.http.replay import KeptResponse, Once
from app.http.schemas import Listing, as_json
from app.records.routes.edits import Editor
from app.records.routes.schemas import (
    EventFilters,
    EventPatch,
    Filters,
    InstructionFilters,
    InstructionPatch,
    NoteFilters,
    NotePatch,
    TodoFilters,
    ToDoPatch,
)

RecordId = Annotated[
    str,
    Path(
        pattern=r"^[0-9a-fA-F-]{6,36}$",
        description="The id, or its first characters (at least 6) if no other has them.",
    ),
]


@dataclass(frozen=True)
class Shape:
    """What differs between the kinds of records."""

    kind: Kind
    path: str
    one: str
    record: type[BaseModel]
    listing: type[BaseModel]
    fields: type[BaseModel]
    patch: type[BaseModel]
    filters: type[Filters]


SHAPES = (
    Shape("todo", "todos", "task", ToDo, Listing[ToDo], ToDoFields, ToDoPatch, TodoFilters),
    Shape("event", "events", "event", Event, Listing[Event], EventFields, EventPatch, EventFilters),
    Shape("note", "notes", "note", Note, Listing[Note], NoteFields, NotePatch, NoteFilters),
    Shape(
        "instruction",
        "instructions",
        "instruction",
        Instruction,
        Listing[Instruction],
        InstructionFields,
        InstructionPatch,
        InstructionFilters,
    ),
)


def record_router(shape: Shape) -> APIRouter:
    """The five operations on one kind of record."""
    router = APIRouter(prefix=f"/v1/{shape.path}", tags=[shape.path], route_class=StrictRoute)
    _add_list(router, shape)
    _add_create(router, shape)
    _add_get(router, shape)
    _add_patch(router, shape)
    _add_delete(router, shape)
    return router


def record_answer(
    record: dict[str, Any], changes: Sequence[Change], status: int = 200, location: str = ""
) -> KeptResponse:
    """A record with its ETag, and the ledger rows that made it so."""
    headers = {"ETag": etag_of(record["version"])}
    headers |= {"X-Change-Id": ", ".join(change.id for change in changes)} if changes else {}
    headers |= {"Location": location} if location else {}
    return KeptResponse(status, record, headers)


def plain(answer: KeptResponse) -> Response:
    """An answer that need not be kept."""
    return JSONResponse(answer.body, answer.status, headers=answer.headers)


def _add_list(router: APIRouter, shape: Shape) -> None:
    async def list_records(request: Request, services: Provided, user_id: Tenant, filters: Any) -> Response:
        values = filters.model_dump(by_alias=True, exclude={"limit", "cursor"}, exclude_none=True)
        found = await services.records.list(user_id, shape.kind, values, filters.limit, filters.cursor)
        body = {"items": [as_json(item) for item in found.items], "next": found.next}
        return JSONResponse(body, headers=_link(request, found.next))

    # The framework reads the annotation when the route is added; each kind has its own type.
    list_records.__annotations__["filters"] = Annotated[shape.filters, Query()]
    router.add_api_route(
        "",
        list_records,
        operation_id=f"list_{shape.path}",
        summary=f"List {shape.path}",
        description=f"Every {shape.one} that fits the filters, page by page; `Link` names the next page too.",
        response_model=shape.listing,
    )


def _add_create(router: APIRouter, shape: Shape) -> None:
    async def create_record(services: Provided, user_id: Tenant, once: Once, body: Any) -> Response:
        async def create() -> KeptResponse:
            fields = body.model_dump(mode="json", exclude_unset=True)
            change = await Editor(services, user_id, shape.kind).create(fields, once.origin)
            record = change.after or {}
            return record_answer(record, [change], 201, f"/v1/{shape.path}/{record['id']}")

        return await once.answer(create)

    create_record.__annotations__["body"] = shape.fields
    router.add_api_route(
        "",
        create_record,
        methods=["POST"],
        status_code=201,
        operation_id=f"create_{shape.kind}",
        summary=f"Add a{_n(shape)} {shape.one}",
        description="The header `X-Change-Id` names the ledger row, which can be undone.",
        response_model=shape.record,
    )


def _add_get(router: APIRouter, shape: Shape) -> None:
    async def get_record(record_id: RecordId, services: Provided, user_id: Tenant) -> Response:
        record = await Editor(services, user_id, shape.kind).current(record_id.lower())
        return plain(record_answer(record, []))

    router.add_api_route(
        "/{record_id}",
        get_record,
        operation_id=f"get_{shape.kind}",
        summary=f"Read a{_n(shape)} {shape.one}",
        description="Its `ETag` is what `If-Match` wants.",
        response_model=shape.record,
    )


def _add_patch(router: APIRouter, shape: Shape) -> None:
    async def patch_record(
        record_id: RecordId, services: Provided, user_id: Tenant, body: Any, if_match: IfMatch = None
    ) -> Response:
        editor = Editor(services, user_id, shape.kind)
        before = await editor.current(record_id.lower())
        changes = await editor.update(before, body.model_dump(mode="json", exclude_unset=True), if_match)
        return plain(record_answer((changes[-1].after if changes else None) or before, changes))

    patch_record.__annotations__["body"] = shape.patch
    router.add_api_route(
        "/{record_id}",
        patch_record,
        methods=["PATCH"],
        operation_id=f"update_{shape.kind}",
        summary=f"Change a{_n(shape)} {shape.one}",
        description="Fields that are left out stay; null empties one. `If-Match` refuses a lost update with 412.",
        response_model=shape.record,
    )


def _add_delete(router: APIRouter, shape: Shape) -> None:
    async def delete_record(
        record_id: RecordId, services: Provided, user_id: Tenant, if_match: IfMatch = None
    ) -> Response:
        editor = Editor(services, user_id, shape.kind)
        change = await editor.delete(await editor.current(record_id.lower()), if_match)
        return Response(status_code=204, headers={"X-Change-Id": change.id})

    router.add_api_route(
        "/{record_id}",
        delete_record,
        methods=["DELETE"],
        status_code=204,
        operation_id=f"delete_{shape.kind}",
        summary=f"Delete a{_n(shape)} {shape.one}",
        description="It can be brought back: undo the change that `X-Change-Id` names.",
        response_class=Response,
    )


def _link(request: Request, cursor: str | None) -> dict[str, str]:
    if cursor is None:
        return {}
    query = urlencode({**request.query_params, "cursor": cursor})
    return {"Link": f'<{request.url.path}?{query}>; rel="next"'}


def _n(shape: Shape) -> str:
    return "n" if shape.one[0] in "aeiou" else ""


routers = tuple(record_router(shape) for shape in SHAPES)
