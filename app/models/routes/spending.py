"""What language models cost: the account, and the usage behind it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from agents.records import Day
from app.errors import InvalidInput, NotFound
from app.http.auth import require_operator
from app.http.bodies import StrictRoute
from app.http.deps import Called, Provided, Services, Tenant, act_as
from app.http.replay import KeptResponse, repeatable_for
from app.http.schemas import Document, IdempotencyKey, as_json, from_row
from app.models.model.credits import CreditAccount
from app.models.services import ProvidedModels

router = APIRouter(prefix="/v1", tags=["credits"], route_class=StrictRoute)
LONGEST_PERIOD = 366
LARGEST_GRANT = 1_000_000_000
USUAL_DAYS = 30
GRANTS = "grant credits: "


class AccountView(BaseModel):
    """An account in credits of 0.001 US dollars; `available + held + spent = granted` at any time."""

    available: int = Field(description="Free to use.", examples=[988])
    held: int = Field(description="Set aside for calls that are under way.", examples=[0])
    spent: int = Field(description="Paid for calls so far.", examples=[12])
    granted: int = Field(description="Starter credits and all that was added.", examples=[1000])
    enforced: bool = Field(description="Whether a user without credits is answered without a model.")


class Grant(Document):
    """Credits to add to a user's account."""

    user_id: UUID
    credits: Annotated[int, Field(strict=True, ge=1, le=LARGEST_GRANT, examples=[5000])]


class DayView(BaseModel):
    """The use of one model on one day (UTC)."""

    day: date
    model: str = Field(examples=["gpt-5-mini"])
    calls: int
    tokens_in: int
    tokens_out: int
    micros: int = Field(description="Cost in millionths of a US dollar.")
    credits: int


class UsageView(BaseModel):
    """What was used, the latest day first; the usage of one turn stands in the turn itself."""

    days: list[DayView]
    tokens: int
    credits: int


@router.get("/credits", operation_id="get_credits", summary="Read the credits")
async def get_credits(services: Provided, models: ProvidedModels, user_id: Tenant) -> AccountView:
    """When the credits are used up, messages are understood without a model, and replies say so."""
    found = await models.credits.account(user_id)
    return _account_view(found, services)


@router.post(
    "/credits",
    operation_id="grant_credits",
    summary="Add credits (administrator)",
    status_code=201,
    response_model=AccountView,
)
async def grant_credits(
    request: Request,
    body: Grant,
    services: Provided,
    models: ProvidedModels,
    caller: Called,
    key: IdempotencyKey = None,
) -> Response:
    """Needs the administrator's key, unless the server has no keys at all.

    With an Idempotency-Key the same request adds once, however often it is sent.
    """
    require_operator(caller)
    with act_as(body.user_id):
        if await services.users.get(body.user_id) is None:
            raise NotFound(f"There is no user {body.user_id}.")
        # Remembered with the user who gets them, apart from the keys that the user's own requests have.
        once = await repeatable_for(request, services, body.user_id, key and f"{GRANTS}{key}")

        async def grant() -> KeptResponse:
            found = await models.credits.grant(body.user_id, once.origin, body.credits)
            return KeptResponse(201, as_json(_account_view(found, services)))

        return await once.answer(grant)


def _account_view(found: CreditAccount, services: Services) -> AccountView:
    return AccountView(**asdict(found), enforced=services.settings.credits)


@router.get("/usage", operation_id="get_usage", summary="Read the usage of models by day")
async def get_usage(
    models: ProvidedModels,
    user_id: Tenant,
    first: Annotated[Day | None, Query(alias="from", description="First day (UTC); default: 30 days ago.")] = None,
    last: Annotated[Day | None, Query(alias="to", description="Last day (UTC), included; default: today.")] = None,
) -> UsageView:
    """Tokens, cost and credits of each day and model."""
    to = last or datetime.now(UTC).date()
    begin = first or to - min(timedelta(days=USUAL_DAYS), to - date.min)
    if begin > to or (to - begin).days > LONGEST_PERIOD:
        raise InvalidInput(f"The period from {begin} to {to} is not between one day and {LONGEST_PERIOD}.")
    rows = await models.credits.usage(user_id, begin, to)
    days = [from_row(DayView, row) for row in rows]
    tokens = sum(row.tokens_in + row.tokens_out for row in days)
    return UsageView(days=days, tokens=tokens, credits=sum(row.credits for row in days))
