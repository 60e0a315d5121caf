"""Is it alive, is it ready, what does it count, which version is it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field

from app.errors import Unavailable
from app.http.deps import Provided, ServerState, provide
from app.settings import Settings
from app.version import summit_version

API_VERSION = "v1"
PLACE = re.compile(r"(?<![\w:/.~])[~]?/[^\s;,`'\")]+")
"""What looks like the path of a file; an address in the network goes on after its colon."""
router = APIRouter(tags=["health"])
ProvidedState = Annotated[ServerState, Depends(provide(ServerState))]


class Alive(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Check(BaseModel):
    """One thing that was looked at."""

    name: str = Field(examples=["database"])
    ok: bool
    detail: str = Field(examples=["PostgreSQL 18.4"])


class Ready(BaseModel):
    """Everything that is needed works."""

    status: Literal["ready"] = "ready"
    checks: list[Check]


class Version(BaseModel):
    """Which Summit this is."""

    name: Literal["summit"] = "summit"
    version: str = Field(examples=["0.1.0"])
    api: str = Field(examples=["v1"])
    database: str = Field(
        description="The same at every server that works on one database; it does not say where that is.",
        examples=["4f2c8e1b90d37a65"],
    )


def without_paths(words: str, settings: Settings) -> str:
    """The same for strangers: folders of this machine are called as their settings are."""
    places = {str(value): name.upper() for name, value in settings if _is_place(value)}
    for place in sorted(places, key=len, reverse=True):
        words = words.replace(place, places[place])
    return PLACE.sub("...", words)


def _is_place(value: object) -> bool:
    return isinstance(value, str | Path) and Path(value).is_absolute() and len(str(value)) > 1


@router.get("/livez", operation_id="livez", summary="Alive?")
async def livez() -> Alive:
    """Answers as long as the process does; looks at nothing else."""
    return Alive()


@router.get("/readyz", operation_id="readyz", summary="Ready?")
async def readyz(services: Provided, state: ProvidedState) -> Ready:
    """Looks at the database, its roles and the speech engine; 503 names what is missing."""
    found = await state.readiness()
    checks = [Check(name=one.name, ok=one.ok, detail=without_paths(one.detail, services.settings)) for one in found]
    broken = [check for check in checks if not check.ok]
    if broken:
        detail = "; ".join(f"{check.name}: {check.detail}" for check in broken)
        raise Unavailable(detail, checks=[check.model_dump() for check in checks])
    return Ready(checks=checks)


@router.get("/metrics", operation_id="metrics", summary="Metrics", response_class=Response)
async def metrics(request: Request, state: ProvidedState) -> Response:
    """In Prometheus' text format: counters and latencies of this process, and what waits in the whole house.

    The latter begin with `summit_all_` and are the same at every server. They are left out, and `summit_database_up` is
    0, while the database does not answer.
    """
    return Response(request.state.metrics.text(await state.backlog()), media_type=CONTENT_TYPE_LATEST)


@router.get("/v1/version", operation_id="get_version", summary="Version")
async def get_version(state: ProvidedState) -> Version:
    """Needs no key."""
    return Version(version=summit_version(), api=API_VERSION, database=await state.identity())
