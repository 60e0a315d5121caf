"""Providers of models: where they are, whose keys are used, and which model does what."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import AfterValidator, AwareDatetime, BaseModel, Field

from app.database.model import KeyUnreadable
from app.errors import InvalidInput, NotFound, Unavailable
from app.http.auth import Caller, require_operator
from app.http.bodies import StrictRoute
from app.http.deps import Called, act_as
from app.http.replay import KeptResponse, OnceByAnyone
from app.http.schemas import Document, as_json, from_row
from app.models.model.providers import Capability, Feature, Provider, ProviderChange, ProviderKind, Tier
from app.models.services import ModelServices, ProvidedModels
from app.principal import EVERYBODY

router = APIRouter(prefix="/v1", tags=["providers"], route_class=StrictRoute)
NO_ADDRESS = "must be an address such as https://api.example.com/v1, without a key, query or spaces"
NO_KEY = (
    'Set one with POST /v1/providers {"slug": "%s", "api_key": "..."} and choose the model again. '
    "A server of your own that asks for no key takes any word as one."
)
SHOWN_MODELS = 5
TIERS: tuple[Tier, ...] = ("fast", "reason")


def _web_address(value: str) -> str:
    if not value.startswith(("https://", "http://")) or any(sign in value for sign in "?#@ "):
        raise ValueError(NO_ADDRESS)
    try:
        named = urlsplit(value).hostname
    except ValueError as error:
        raise ValueError(NO_ADDRESS) from error
    if not named:
        raise ValueError(NO_ADDRESS)
    return value.rstrip("/")


Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,49}$", examples=["openai"])]
Secret = Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^[\x21-\x7e]+$")]
WebAddress = Annotated[str, Field(max_length=500, examples=["https://api.openai.com/v1"]), AfterValidator(_web_address)]


class ProviderView(BaseModel):
    """A provider as the caller uses it. Its key is never shown again."""

    slug: str
    name: str
    base_url: str
    kind: ProviderKind
    capabilities: list[Capability]
    hint: str = Field(
        description="The last four characters of your own key; empty without one, or if it is a short one."
    )
    own_key: bool = Field(description="Whether the key is your own and not everybody's.")
    updated_at: AwareDatetime | None


class ModelView(BaseModel):
    """The model that is used for something."""

    capability: Capability
    tier: Tier
    provider: str
    model: str
    own: bool = Field(description="Whether you chose it yourself; else it is everybody's.")
    key_missing: bool = Field(
        description="Whether it is sent nothing, as its provider is elsewhere and has no key any more."
    )


class ProvidersView(BaseModel):
    """All providers, and the models in use."""

    items: list[ProviderView]
    models: list[ModelView]


class ProviderDocument(Document):
    """What to set. A user sets a key; the rest is the administrator's, and so is what everybody uses."""

    slug: Slug
    name: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    base_url: WebAddress | None = None
    kind: ProviderKind | None = None
    capabilities: Annotated[list[Capability], Field(min_length=1, max_length=4)] | None = None
    api_key: Secret | None = Field(None, description="Kept sealed; sent to the provider and to nobody else.")


class ModelChoice(Document):
    """Which model to use. Without `tier` it serves both tiers of chat."""

    provider: Slug
    model: Annotated[str, Field(min_length=1, max_length=200, examples=["gpt-5-mini"])]
    tier: Tier | None = Field(None, description="`fast` routes messages, `reason` does the agents' work.")


class ProbeDocument(Document):
    """Which model to try; without one the chat model in use, if it is of this provider."""

    model: Annotated[str, Field(min_length=1, max_length=200, examples=["gpt-5-mini"])] | None = None


class ProbeView(BaseModel):
    """Whether a provider answers, and what works with one of its models."""

    ok: bool
    detail: str
    models: list[str]
    model: str | None = Field(description="The model that was tried; null if none was, or if it is not there.")
    features: dict[Feature, bool] = Field(description="Which parts of the protocol work with it.")


@router.get("/providers", operation_id="list_providers", summary="List providers and the models in use")
async def list_providers(models: ProvidedModels, caller: Called) -> ProvidersView:
    """Those that everybody may use; with the keys and choices of the caller."""
    owner = _owner(caller)
    with act_as(owner):
        return ProvidersView(
            items=[from_row(ProviderView, one) for one in await models.providers.all(owner)],
            models=await _models(models, owner),
        )


@router.post(
    "/providers",
    operation_id="set_provider",
    summary="Add or change a provider",
    status_code=201,
    response_model=ProviderView,
)
async def set_provider(body: ProviderDocument, models: ProvidedModels, caller: Called, once: OnceByAnyone) -> Response:
    """What is left out stays as it is. Only an administrator sets addresses."""
    owner = _owner(caller)
    if body.model_fields_set - {"slug", "api_key"}:
        require_operator(caller)
        owner = EVERYBODY

    async def put() -> KeptResponse:
        with act_as(owner):
            return KeptResponse(201, as_json(await _put(models, owner, body)))

    return await once.answer(put)


async def _put(models: ModelServices, owner: UUID, body: ProviderDocument) -> ProviderView:
    providers = models.providers
    if body.base_url is None and await providers.get(owner, body.slug) is None:
        raise InvalidInput(f"There is no provider {body.slug}; a new one needs a base_url from an administrator.")
    await providers.put(owner, ProviderChange(**body.model_dump()))
    models.changed()
    return from_row(ProviderView, await providers.get(owner, body.slug))


@router.delete("/providers/{slug}", operation_id="delete_provider", summary="Forget a key", status_code=204)
async def delete_provider(slug: Slug, models: ProvidedModels, caller: Called) -> Response:
    """Forgets what the caller set for it: a user's key; the administrator's key, name and address."""
    owner = _owner(caller)
    with act_as(owner):
        if not await models.providers.delete(owner, slug):
            raise NotFound(f"You have set nothing for a provider {slug}.")
    models.changed()
    return Response(status_code=204)


@router.post(
    "/providers/{slug}/test",
    operation_id="test_provider",
    summary="Test the connection to a provider",
    response_model=ProbeView,
)
async def check_provider(
    slug: Slug, models: ProvidedModels, caller: Called, once: OnceByAnyone, body: ProbeDocument | None = None
) -> Response:
    """Asks it for its models, and tries one with fixed words; the key in use is sent, and nothing else of yours."""
    owner = _owner(caller)

    async def probe() -> KeptResponse:
        with act_as(owner):
            provider = await _with_key(models, owner, slug)
            model = (body.model if body else None) or await _chat_model(models, owner, slug)
        return KeptResponse(200, as_json(from_row(ProbeView, await models.probe(provider, model))))

    return await once.answer(probe)


async def _chat_model(models: ModelServices, owner: UUID, slug: str) -> str:
    """The chat model in use, if it is of this provider."""
    chosen = await models.providers.models(owner)
    return next((one.model for one in chosen if (one.capability, one.provider) == ("chat", slug)), "")


async def _with_key(models: ModelServices, owner: UUID, slug: str) -> Provider:
    try:
        provider = await models.providers.get(owner, slug, with_key=True)
    except KeyUnreadable as error:
        raise Unavailable(str(error.__doc__), hint="Set the key again.") from error
    if provider is None:
        raise NotFound(f"There is no provider {slug}.")
    return provider


@router.put("/models/{capability}", operation_id="choose_model", summary="Choose the model for something")
async def choose_model(
    capability: Capability, body: ModelChoice, models: ProvidedModels, caller: Called
) -> list[ModelView]:
    """For the caller alone; the administrator chooses for everybody who has not chosen.

    The provider is asked whether it has the model; one that does not answer or lists none is believed.
    """
    owner = _owner(caller)
    with act_as(owner):
        await _check_choice(models, owner, capability, body)
        tiers = (body.tier,) if body.tier else TIERS
        await models.providers.choose(owner, capability, tiers, body.provider, body.model)
        models.changed()
        return await _models(models, owner)


async def _check_choice(models: ModelServices, owner: UUID, capability: Capability, body: ModelChoice) -> None:
    """A name with a slip of the pen is told now and not at the next message; a server that is off may be chosen."""
    provider = await models.providers.get(owner, body.provider)
    if provider is None or capability not in provider.capabilities:
        raise InvalidInput(f"{body.provider} is no provider of {capability}.", hint="GET /v1/providers lists them.")
    if not provider.usable:
        raise InvalidInput(f"{provider.name} has no key, so nothing is sent to it.", hint=NO_KEY % provider.slug)
    found = await models.lacks(await _with_key(models, owner, body.provider), body.model)
    if found:
        some = ", ".join(found.models[:SHOWN_MODELS])
        hint = f"It has {some}. POST /v1/providers/{provider.slug}/test lists all that it has."
        raise InvalidInput(f"{provider.name} has no model {body.model}.", hint=hint)


async def _models(models: ModelServices, owner: UUID) -> list[ModelView]:
    usable = {one.slug for one in await models.providers.all(owner) if one.usable}
    chosen = await models.providers.models(owner)
    return [ModelView(**asdict(one), key_missing=one.provider not in usable) for one in chosen]


@router.delete(
    "/models/{capability}", operation_id="forget_model", summary="Forget which model to use", status_code=204
)
async def forget_model(capability: Capability, models: ProvidedModels, caller: Called) -> Response:
    """Forgets what the caller chose: what everybody uses counts again, or none, and nothing is sent to one any more."""
    owner = _owner(caller)
    with act_as(owner):
        if not await models.providers.unchoose(owner, capability):
            raise NotFound(f"You have chosen no model for {capability}.")
    models.changed()
    return Response(status_code=204)


def _owner(caller: Caller) -> UUID:
    """Whose rows are meant: the administrator's are everybody's."""
    return caller.user_id or EVERYBODY
