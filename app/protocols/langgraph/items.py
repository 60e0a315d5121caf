"""Store items of LangGraph's API: what a client keeps for itself, beside the records, which it cannot reach here."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from langgraph.store.base import Item
from pydantic import Field, StringConstraints

from app.errors import InvalidInput, NotFound
from app.http.bodies import read_json
from app.http.deps import Provided, Tenant
from app.http.schemas import Document
from app.protocols.langgraph.shapes import parse_document

router = APIRouter(prefix="/lg/store", include_in_schema=False)
ROOM = "client"
"""The first label of everything kept here; records have others."""
MAX_NAMESPACE_DEPTH = 10
Label = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^.\x00-\x1f]+$")]
Key = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]
Namespace = Annotated[list[Label], Field(min_length=1, max_length=MAX_NAMESPACE_DEPTH)]
Part = Annotated[list[Label], Field(max_length=MAX_NAMESPACE_DEPTH)]


class Place(Document):
    """Where an item is."""

    namespace: Namespace
    key: Key


class NewItem(Place):
    """An item to keep. ``index`` false is what happens in any case: memory searches what its user said or kept."""

    value: dict[str, Any] = Field(default_factory=dict)
    index: Literal[False] | None = None


class Search(Document):
    """Which items are looked for; ``filter`` compares fields of their values."""

    namespace_prefix: Part = Field(default_factory=list)
    filter: dict[str, Any] | None = None
    limit: int = Field(10, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=100_000)


class Spaces(Document):
    """Which namespaces are looked for."""

    prefix: Part = Field(default_factory=list)
    suffix: Part = Field(default_factory=list)
    max_depth: int | None = Field(None, ge=1, le=MAX_NAMESPACE_DEPTH)
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=100_000)


@router.put("/items", status_code=204)
async def put_item(request: Request, services: Provided, user_id: Tenant) -> Response:
    """Keep it in the place of the one before."""
    item = parse_document(NewItem, await read_json(request))
    await services.items.aput(_within(user_id, item.namespace), item.key, item.value, index=False)
    return Response(status_code=204)


@router.get("/items")
async def get_item(
    services: Provided,
    user_id: Tenant,
    namespace: Annotated[str, Query(max_length=2000)],
    key: Annotated[str, Query(max_length=500)],
) -> dict[str, Any]:
    """One item; its namespace is written with full stops."""
    place = parse_document(Place, {"namespace": namespace.split("."), "key": key})
    found = await services.items.aget(_within(user_id, place.namespace), place.key)
    if found is None:
        raise NotFound("There is no such item.")
    return _item_view(found)


@router.delete("/items", status_code=204)
async def delete_item(request: Request, services: Provided, user_id: Tenant) -> Response:
    """One that is gone already is gone."""
    place = parse_document(Place, await read_json(request))
    await services.items.adelete(_within(user_id, place.namespace), place.key)
    return Response(status_code=204)


@router.post("/items/search")
async def search_items(request: Request, services: Provided, user_id: Tenant) -> dict[str, Any]:
    """The items below a namespace, the latest first."""
    wanted = parse_document(Search, await read_json(request))
    prefix = _within(user_id, wanted.namespace_prefix)
    try:
        found = await services.items.asearch(prefix, filter=wanted.filter, limit=wanted.limit, offset=wanted.offset)
    except ValueError as error:
        raise InvalidInput(f"filter: {error}", hint="Compare fields with $eq, $ne, $gt, $gte, $lt or $lte.") from error
    return {"items": [_item_view(one) for one in found]}


@router.post("/namespaces")
async def list_namespaces(request: Request, services: Provided, user_id: Tenant) -> dict[str, Any]:
    """The namespaces that have items."""
    wanted = parse_document(Spaces, await read_json(request))
    found = await services.items.alist_namespaces(
        prefix=_within(user_id, wanted.prefix),
        suffix=tuple(wanted.suffix) or None,
        max_depth=wanted.max_depth + 2 if wanted.max_depth else None,
        limit=wanted.limit,
        offset=wanted.offset,
    )
    return {"namespaces": [list(one[2:]) for one in found]}


def _within(user_id: UUID, namespace: list[str]) -> tuple[str, ...]:
    return (ROOM, str(user_id), *namespace)


def _item_view(item: Item) -> dict[str, Any]:
    return {**item.dict(), "namespace": list(item.namespace[2:])}
