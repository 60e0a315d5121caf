"""Webhooks: addresses that receive reminders as they fire."""

from __future__ import annotations

import secrets
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Response
from pydantic import AwareDatetime, BaseModel, Field

from app.boundary.model import TargetFailed, TargetRefused
from app.errors import Conflict, InvalidInput, NotFound
from app.http.auth import require_scope
from app.http.bodies import StrictRoute
from app.http.deps import Called, Provided, Services, Tenant, provide
from app.http.replay import KeptResponse, Once
from app.http.schemas import Cursor, Document, Limit, Listing, as_json, from_row
from app.records.model.notices import WebhookFormat
from app.records.store.webhooks import Webhooks

ProvidedWebhooks = Annotated[Webhooks, Depends(provide(Webhooks))]

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"], route_class=StrictRoute)

SECRET_PREFIX = "whsec_"  # noqa: S105 - how the secrets that we make begin
Secret = Annotated[str, Field(min_length=16, max_length=200, pattern=r"^[\x21-\x7e]+$")]


class WebhookView(BaseModel):
    """An address. Its secret is never shown again."""

    id: UUID
    url: str
    format: WebhookFormat
    created_at: AwareDatetime


class NewWebhook(Document):
    """What to call, and how."""

    url: str = Field(max_length=2000, examples=["https://example.org/hooks/summit"])
    format: WebhookFormat = Field(
        "json",
        description="`json` posts the notification; `text` its words, with a header `Title` as ntfy reads it.",
    )
    secret: Secret | None = Field(None, description="Signs what is posted; left out, one is made and shown once.")


class WebhookCreated(WebhookView):
    """A new address with its secret, which is shown this once; null when the request is sent again."""

    secret: str | None = Field(
        description="`Summit-Signature: sha256=<hex>` is the HMAC-SHA256 under it of `<Summit-Timestamp>.<body>`."
    )


class DeliveryView(BaseModel):
    """One notification on its way to one address. `dead` means given up; POST `again` tries once more."""

    id: UUID
    notification_id: UUID
    state: str = Field(examples=["delivered"], description="`pending`, `delivered` or `dead`.")
    attempts: int
    status: int | None = Field(description="The last status it answered with.")
    error: str | None = Field(description="What went wrong last.")
    next_at: AwareDatetime | None
    created_at: AwareDatetime
    finished_at: AwareDatetime | None


@router.get("", operation_id="list_webhooks", summary="List webhooks")
async def list_webhooks(webhooks: ProvidedWebhooks, user_id: Tenant) -> Listing[WebhookView]:
    """Every address, the oldest first."""
    return Listing(items=[from_row(WebhookView, one) for one in await webhooks.list(user_id)], next=None)


@router.post(
    "",
    operation_id="create_webhook",
    summary="Register a webhook",
    status_code=201,
    response_model=WebhookCreated,
)
async def create_webhook(
    body: NewWebhook, services: Provided, webhooks: ProvidedWebhooks, user_id: Tenant, caller: Called, once: Once
) -> Response:
    """Each reminder is posted there within seconds, tried again for hours if need be, at least once each.

    Addresses in private networks are refused unless the server's settings allow them. The key needs the scopes to
    write and to read.
    """
    require_scope(caller, "read")  # whoever owns the address reads what it is told

    async def act() -> KeptResponse:
        await _check(services, body.url)
        secret = body.secret or SECRET_PREFIX + secrets.token_urlsafe(32)
        made = await webhooks.create(user_id, body.url, body.format, secret, once.origin)
        return KeptResponse(
            201,
            {**as_json(from_row(WebhookView, made)), "secret": None},
            {"Location": f"/v1/webhooks/{made.id}"},
            {"secret": secret},
        )

    return await once.answer(act)


@router.delete("/{webhook_id}", operation_id="delete_webhook", summary="Delete a webhook", status_code=204)
async def delete_webhook(webhook_id: UUID, webhooks: ProvidedWebhooks, user_id: Tenant) -> None:
    """Nothing is posted there any more, what was on its way included."""
    if not await webhooks.delete(user_id, webhook_id):
        raise NotFound("There is no such webhook.")


@router.get("/{webhook_id}/deliveries", operation_id="list_deliveries", summary="See what a webhook was told")
async def list_deliveries(
    webhook_id: UUID, webhooks: ProvidedWebhooks, user_id: Tenant, limit: Limit = 50, cursor: Cursor = None
) -> Listing[DeliveryView]:
    """The latest first, with every failure and those that were given up."""
    if await webhooks.get(user_id, webhook_id) is None:
        raise NotFound("There is no such webhook.")
    found = await webhooks.deliveries(user_id, webhook_id, limit, cursor)
    return Listing(items=[from_row(DeliveryView, one) for one in found.items], next=found.next)


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/again",
    operation_id="redeliver",
    summary="Try a dead delivery again",
    response_model=DeliveryView,
)
async def redeliver(
    webhook_id: UUID, delivery_id: UUID, webhooks: ProvidedWebhooks, user_id: Tenant, once: Once
) -> Response:
    """It is pending again, with all its attempts."""

    async def act() -> KeptResponse:
        if await webhooks.get(user_id, webhook_id) is None:
            raise NotFound("There is no such webhook.")
        again = await webhooks.again(user_id, webhook_id, delivery_id)
        if again is None:
            raise Conflict("Only a dead delivery can be tried again.", hint="Read the webhook's deliveries.")
        return KeptResponse(200, as_json(from_row(DeliveryView, again)))

    return await once.answer(act)


async def _check(services: Services, url: str) -> None:
    try:
        await services.outbound.check(url)
    except (TargetRefused, TargetFailed) as refusal:
        raise InvalidInput(str(refusal), hint="Give an address on the internet that answers now.") from refusal
