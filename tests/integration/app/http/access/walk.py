"""Every route of the server and every place in its requests where an id belongs, read from the code itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from app.protocols.agui.asked import Asked
from app.protocols.langgraph.shapes import RunRequest
from app.protocols.langgraph.threads import History, NewMetadata, NewThread, Search, StatePlace
from app.protocols.mcp.tools import TOOLS
from app.protocols.openai.shapes import ChatRequest
from app.routes import ROUTERS
from scripts.reference_pages import openapi

Schema = dict[str, Any]
# Doors of others' protocols, which the description leaves out: their bodies, as the code reads them.
HIDDEN: dict[str, type[BaseModel]] = {
    "POST /v1/chat/completions": ChatRequest,
    "POST /agui": Asked,
    "POST /lg/threads": NewThread,
    "POST /lg/threads/search": Search,
    "POST /lg/threads/{thread_id}/history": History,
    "PATCH /lg/threads/{thread_id}": NewMetadata,
    "POST /lg/threads/{thread_id}/state/checkpoint": StatePlace,
    **{
        f"POST /lg{where}/runs{how}": RunRequest
        for where in ("", "/threads/{thread_id}")
        for how in ("", "/wait", "/stream")
    },
}
# Not ids of anything: names that a protocol wants in its messages, and addresses within one document.
NO_IDS = frozenset({"messages[].id", "messages[].toolCallId", "messages[].toolCalls[].id", "parentRunId"})


def routes() -> set[str]:
    """``METHOD /path`` for each; a websocket's method is WS."""
    return {
        f"{method} {vars(route)['path']}"
        for router in ROUTERS
        for route in router.routes
        for method in getattr(route, "methods", None) or {"WS"}
    }


def parameters(route: str) -> list[str]:
    """The names of what varies in its path."""
    return re.findall(r"{(\w+)}", route)


def places(route: str) -> set[str]:
    """Where ids stand beside the path: ``query:name``, or a field of the body as ``a.b[].c``."""
    method, path = route.split(" ")
    if route in HIDDEN:
        whole = HIDDEN[route].model_json_schema()
        return set(_ids(whole, whole)) - NO_IDS
    if route == "POST /mcp":
        return {f"{tool.name}.{name}" for tool in TOOLS for name in _named(tool.takes)}
    document = openapi()
    operation: Schema = document["paths"].get(path, {}).get(method.lower(), {})
    queries = {f"query:{one['name']}" for one in operation.get("parameters", []) if _is_id(one["name"], one["schema"])}
    bodies = operation.get("requestBody", {}).get("content", {}).values()
    return {place for body in bodies for place in _ids(body["schema"], document)} | {
        name for name in queries if name.removeprefix("query:") not in parameters(route)
    }


def _named(model: type[BaseModel]) -> Iterator[str]:
    return _ids(whole := model.model_json_schema(), whole)


def _is_id(name: str, schema: Schema) -> bool:
    named = name in ("id", "cursor") or name.endswith(("_id", "Id", "_ids"))
    return named or "'uuid'" in str(schema)


def _ids(schema: Schema, whole: Schema, place: str = "", seen: tuple[str, ...] = ()) -> Iterator[str]:
    if "$ref" in schema:
        if schema["$ref"] in seen:
            return
        seen, schema = (*seen, schema["$ref"]), _resolved(schema["$ref"], whole)
    for part in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(part, []):
            yield from _ids(one, whole, place, seen)
    if schema.get("format") == "uuid":
        yield place
    if "items" in schema:
        yield from _ids(schema["items"], whole, f"{place}[]", seen)
    for name, field in schema.get("properties", {}).items():
        inner = f"{place}.{name}" if place else name
        if _is_id(name, {}):
            yield inner
        yield from _ids(field, whole, inner, seen)


def _resolved(reference: str, whole: Schema) -> Schema:
    found: Any = whole
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)
