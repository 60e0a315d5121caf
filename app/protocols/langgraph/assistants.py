"""The one assistant of LangGraph's API, and whether the server is there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request

from app.errors import InvalidInput, NotFound
from app.http.bodies import read_json
from app.http.deps import Tenant
from app.http.schemas import Document
from app.protocols.langgraph.shapes import ASSISTANT, GRAPH, METADATA, NODE, parse_document
from app.version import summit_version

router = APIRouter(prefix="/lg", include_in_schema=False)
CREATED = datetime(2026, 1, 1, tzinfo=UTC).isoformat()  # the protocol wants a moment; the assistant has none
STATE: dict[str, Any] = {
    "type": "object",
    "title": "State",
    "properties": {"messages": {"type": "array", "items": {"type": "object"}, "title": "Messages"}},
    "required": ["messages"],
}
ANYTHING: dict[str, Any] = {"type": "object", "properties": {}}


class Search(Document):
    """Which assistants are looked for."""

    metadata: dict[str, Any] | None = None
    graph_id: str | None = None
    name: str | None = None
    limit: int = 10
    offset: int = 0


@router.get("/ok")
async def is_ok() -> dict[str, bool]:
    """Whether the server answers."""
    return {"ok": True}


@router.get("/info")
async def info(_user_id: Tenant) -> dict[str, Any]:
    """What answers here."""
    return {
        "version": summit_version(),
        "flags": {"assistants": True, "crons": False, "langsmith": False},
        "host": {"kind": GRAPH},
    }


@router.post("/assistants/search")
async def search_assistants(request: Request, _user_id: Tenant) -> list[dict[str, Any]]:
    """The one there is, unless something else is looked for."""
    wanted = parse_document(Search, await read_json(request))
    found = wanted.graph_id in (None, GRAPH) and wanted.name in (None, _assistant()["name"]) and not wanted.offset
    return [_assistant()] if found and matches(wanted.metadata) and wanted.limit > 0 else []


@router.get("/assistants/{name}")
async def get_assistant(name: str, _user_id: Tenant) -> dict[str, Any]:
    """By its id or the name of its graph."""
    insist_on(name)
    return _assistant()


@router.get("/assistants/{name}/graph")
async def get_graph(name: str, _user_id: Tenant) -> dict[str, Any]:
    """One node: the turn."""
    insist_on(name)
    nodes = [{"id": node, "type": "runnable", "data": {"name": node}} for node in ("__start__", NODE, "__end__")]
    edges = [{"source": "__start__", "target": NODE}, {"source": NODE, "target": "__end__"}]
    return {"nodes": nodes, "edges": edges}


@router.get("/assistants/{name}/schemas")
async def get_schemas(name: str, _user_id: Tenant) -> dict[str, Any]:
    """Messages go in and messages come out."""
    insist_on(name)
    shapes = {f"{one}_schema": STATE for one in ("input", "output", "state")}
    return {"graph_id": GRAPH, **shapes, "config_schema": ANYTHING, "context_schema": ANYTHING}


def insist_on(name: str) -> None:
    """Raises NotFound for every assistant but the one there is."""
    if name not in (GRAPH, str(ASSISTANT)):
        raise NotFound("There is no such assistant.", hint=f"The assistant is {GRAPH}.")


def insist_on_run(name: str) -> None:
    """The same for the assistant that a run names in its body."""
    if name not in (GRAPH, str(ASSISTANT)):
        raise InvalidInput(f"There is no assistant {name[:50]!r} here.", hint=f"The assistant is {GRAPH}.")


def matches(wanted: dict[str, Any] | None) -> bool:
    """Whether the metadata that everything here has is what is looked for."""
    return all(METADATA.get(name) == value for name, value in (wanted or {}).items())


def _assistant() -> dict[str, Any]:
    return {
        "assistant_id": str(ASSISTANT),
        "graph_id": GRAPH,
        "name": GRAPH,
        "description": "Summit: every message is a turn, with its changes and their undo.",
        "config": {},
        "context": {},
        "metadata": {"created_by": "system"},
        "version": 1,
        "created_at": CREATED,
        "updated_at": CREATED,
    }
