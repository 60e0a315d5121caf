"""Servers of the Model Context Protocol whose tools runs may use, as the administrator named them."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from app.http.auth import require_scope
from app.http.bodies import StrictRoute
from app.http.deps import Called, Tenant
from app.http.schemas import Listing, from_row
from app.work.runs.services import ProvidedServers

router = APIRouter(prefix="/v1/tool-servers", tags=["runs"], route_class=StrictRoute)


class ServedToolView(BaseModel):
    """A tool as its server describes it."""

    name: str
    description: str
    offered: bool = Field(description="Whether runs may use it: a pattern under `tools` names it.")
    reads: bool = Field(description="Whether it only reads, by a pattern under `reads`; others ask before each call.")


class ToolServerView(BaseModel):
    """A server as it is now."""

    name: str
    transport: Literal["stdio", "http"]
    tools: list[ServedToolView]
    error: str = Field(description="Why it has no tools; empty where it answers.")


@router.get("", operation_id="list_tool_servers", summary="List and test tool servers")
async def list_tool_servers(servers: ProvidedServers, user_id: Tenant, caller: Called) -> Listing[ToolServerView]:  # noqa: ARG001
    """Each server of the file that SUMMIT_MCP_SERVERS names is asked now what it has."""
    require_scope(caller, "admin")
    return Listing(items=[from_row(ToolServerView, one) for one in await servers.states()], next=None)
