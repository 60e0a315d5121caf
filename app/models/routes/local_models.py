"""Models on the computer that Summit runs on: which servers have some, and what one of them can do."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from app.errors import InvalidInput
from app.http.auth import require_operator
from app.http.bodies import StrictRoute
from app.http.deps import Called, act_as
from app.http.replay import KeptResponse, OnceByAnyone
from app.http.schemas import Document, as_json, from_row
from app.models.model.local_models import LocalServer, NotAnAddressHere, ServerKind, is_at, nothing_runs, slug_of
from app.models.services import ModelServices, ProvidedModels
from app.principal import EVERYBODY

router = APIRouter(prefix="/v1", tags=["providers"], route_class=StrictRoute)


class LocalServerView(BaseModel):
    """A server of models on this computer."""

    kind: ServerKind
    name: str
    base_url: str
    models: list[str]
    detail: str
    slug: str = Field(description="The provider that it is, or under which it can be added.")
    added: bool = Field(description="Whether it is a provider already.")


class LocalServersView(BaseModel):
    """What was found, and where it was looked for."""

    items: list[LocalServerView]
    asked: list[str] = Field(description="The addresses of SUMMIT_LLM_LOCAL_SERVERS, all of this computer.")
    advice: str = Field(description="What to do where there is no model; empty where there is one.")


class MeasureDocument(Document):
    """Which model to measure."""

    base_url: Annotated[str, Field(max_length=500, examples=["http://127.0.0.1:11434/v1"])] = Field(
        description="One of the addresses of SUMMIT_LLM_LOCAL_SERVERS; no other is asked."
    )
    model: Annotated[str, Field(min_length=1, max_length=200, examples=["qwen3:8b"])]


class MeasuredView(BaseModel):
    """What a model did with fixed words; null where there was no time for it, or where nothing came."""

    base_url: str
    model: str
    tools: bool | None = Field(description="Whether it calls a tool in the given schema.")
    json_schema: bool | None = Field(description="Whether it returns JSON of an asked schema.")
    first_token_seconds: float | None = Field(description="From the question to the first word of the answer.")
    tokens_per_second: float | None
    detail: str = Field(description="What went wrong; empty if nothing did.")


@router.post(
    "/providers/discover",
    operation_id="discover_providers",
    summary="Find models on this computer",
    response_model=LocalServersView,
)
async def discover_providers(models: ProvidedModels, caller: Called, once: OnceByAnyone) -> Response:
    """Asks the addresses of SUMMIT_LLM_LOCAL_SERVERS for their models, without a key. For the administrator alone."""
    require_operator(caller)

    async def look() -> KeptResponse:
        return KeptResponse(200, as_json(await _find_servers(models)))

    return await once.answer(look)


@router.post(
    "/providers/measure",
    operation_id="measure_model",
    summary="Measure a model on this computer",
    response_model=MeasuredView,
)
async def measure_model(body: MeasureDocument, models: ProvidedModels, caller: Called, once: OnceByAnyone) -> Response:
    """Asks it fixed words for SUMMIT_LLM_MEASURE_SECONDS at most, without a key. For the administrator alone."""
    require_operator(caller)

    async def measure() -> KeptResponse:
        try:
            found = await models.here.measure(body.base_url.rstrip("/"), body.model)
        except NotAnAddressHere as error:
            asked = ", ".join(models.here.addresses)
            hint = f"It may be one of {asked}; SUMMIT_LLM_LOCAL_SERVERS names them."
            raise InvalidInput("Models are measured at the addresses of the settings alone.", hint=hint) from error
        return KeptResponse(200, as_json(from_row(MeasuredView, found)))

    return await once.answer(measure)


async def _find_servers(models: ModelServices) -> LocalServersView:
    here = models.here
    servers = await here.find()
    with act_as(EVERYBODY):
        known = await models.providers.all(EVERYBODY)
    items = []
    for server in servers:
        slug = slug_of(server, known)
        added = any(one.slug == slug and is_at(one, server) for one in known)
        items.append(_view(server, slug, added=added))
    advice = "" if any(one.models for one in servers) else nothing_runs(here.addresses)
    return LocalServersView(items=items, asked=list(here.addresses), advice=advice)


def _view(server: LocalServer, slug: str, *, added: bool) -> LocalServerView:
    return LocalServerView(
        kind=server.kind,
        name=server.name,
        base_url=server.base_url,
        models=list(server.models),
        detail=server.detail,
        slug=slug,
        added=added,
    )
