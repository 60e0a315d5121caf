"""Tenants, for the administrator, and a tenant's own API keys. A key is shown once, when it is made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID, uuid4, uuid5

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, AwareDatetime, BaseModel, Field

from agents.records import Name
from app.errors import Forbidden, InvalidInput, NotFound
from app.http.accounts.model.users import ApiKey, Scope, User
from app.http.auth import ALL_SCOPES, issue_key
from app.http.bodies import StrictRoute
from app.http.deps import Called, Provided, Services, Tenant, act_as
from app.http.replay import KeptResponse, Once, repeatable_for
from app.http.schemas import Document, IdempotencyKey, Listing, Said, Spoken, as_json, from_row

FIRST_KEY = "first key"
REMEMBERED = timedelta(hours=24)
USERS_BY_KEY = UUID("7c1f1f6e-2c0f-5a7b-9a49-1b6c8e0f4d21")
users_router = APIRouter(prefix="/v1/users", tags=["users"], route_class=StrictRoute)
keys_router = APIRouter(prefix="/v1/keys", tags=["keys"], route_class=StrictRoute)
SpokenName = Annotated[Name, Spoken]


def _still_to_come(value: datetime) -> datetime:
    if value <= datetime.now(UTC):
        raise ValueError("must lie in the future")
    return value


class NewUser(Document):
    """A tenant to make."""

    name: SpokenName = Field(examples=["Ada"])


class UserView(BaseModel):
    """A tenant."""

    id: UUID
    name: str
    created_at: AwareDatetime


class UserMade(BaseModel):
    """A new tenant with its first key."""

    id: UUID
    name: str
    api_key: str | None = Field(description="Shown this once, never again; null when the same request is sent again.")


class NewKey(Document):
    """A key to make. Without `scopes` it may do what the key that asks for it may do."""

    name: SpokenName = Field(examples=["phone"])
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=3)] | None = None
    expires_at: Annotated[Said, AfterValidator(_still_to_come)] | None = Field(None, description="Default: never.")


class KeyView(BaseModel):
    """A key as it may be shown again; `hint` is its last four characters."""

    id: UUID
    name: str
    hint: str
    scopes: list[Scope]
    created_at: AwareDatetime
    expires_at: AwareDatetime | None


class KeyMade(KeyView):
    """A new key."""

    api_key: str | None = Field(description="Shown this once, never again; null when the same request is sent again.")


@users_router.get("", operation_id="list_users", summary="List users")
async def list_users(services: Provided, _caller: Called) -> Listing[UserView]:
    """Every tenant."""
    return Listing(items=[from_row(UserView, user) for user in await services.users.list()], next=None)


@users_router.post("", status_code=201, operation_id="create_user", summary="Add a user", response_model=UserMade)
async def create_user(
    request: Request, body: NewUser, services: Provided, _caller: Called, key: IdempotencyKey = None
) -> Response:
    """Makes a tenant and its first API key, which has every scope."""
    # The administrator is no tenant: what must be remembered of this request is remembered with the user it makes.
    user_id = uuid5(USERS_BY_KEY, key) if key else uuid4()
    with act_as(user_id):
        user = await _make_user(services, user_id, body.name)
        once = await repeatable_for(request, services, user_id, key)
        return await once.answer(lambda: _first_key(services, user, once.origin))


@keys_router.get("", operation_id="list_keys", summary="List API keys")
async def list_keys(services: Provided, user_id: Tenant) -> Listing[KeyView]:
    """The user's keys, never their text."""
    return Listing(items=[from_row(KeyView, key) for key in await services.users.keys(user_id)], next=None)


@keys_router.post("", status_code=201, operation_id="create_key", summary="Make an API key", response_model=KeyMade)
async def create_key(body: NewKey, services: Provided, user_id: Tenant, caller: Called, once: Once) -> Response:
    """The answer shows the key, this once. From the first key on, a loopback server asks everyone for one."""
    scopes = body.scopes or [scope for scope in ALL_SCOPES if scope in caller.scopes]
    if not caller.scopes.issuperset(scopes):
        raise Forbidden("A key cannot give more than it has.", hint="Ask with a key that has these scopes.")

    async def create() -> KeptResponse:
        kept, text = await _make_key(services, user_id, once.origin, body.model_copy(update={"scopes": scopes}))
        return KeptResponse(201, as_json(from_row(KeyView, kept)), secret={"api_key": text})

    return await once.answer(create)


@keys_router.delete("/{key_id}", status_code=204, operation_id="delete_key", summary="Revoke an API key")
async def delete_key(key_id: UUID, services: Provided, user_id: Tenant) -> None:
    """It stops working at once."""
    if not await services.users.delete_key(user_id, key_id):
        raise NotFound("There is no such key.")


async def _make_user(services: Services, user_id: UUID, name: str) -> User:
    user = await services.users.create(name, user_id)
    if user.name != name or user.created_at < datetime.now(UTC) - REMEMBERED:
        # Its answer is forgotten by now: going on would give a stranger a key to somebody else's data.
        raise InvalidInput("This Idempotency-Key made another user.", hint="Use a new key for each new user.")
    return user


async def _first_key(services: Services, user: User, key_id: UUID) -> KeptResponse:
    _, text = await _make_key(services, user.id, key_id, NewKey(name=FIRST_KEY, scopes=list(ALL_SCOPES)))
    return KeptResponse(201, {"id": str(user.id), "name": user.name}, secret={"api_key": text})


async def _make_key(services: Services, user_id: UUID, key_id: UUID, wanted: NewKey) -> tuple[ApiKey, str]:
    issued = issue_key()
    kept = await services.users.create_key(
        user_id, wanted.name, issued.digest, issued.hint, wanted.scopes or [], wanted.expires_at, key_id
    )
    return kept, issued.text
