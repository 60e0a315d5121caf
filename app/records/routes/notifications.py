"""Notifications: reminders, briefings and questions of runs, until you settle them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID, uuid5

from fastapi import APIRouter, Body, Query, Response
from pydantic import AwareDatetime, BaseModel, Field, model_validator

from agents.timers import has_rung
from app.errors import Conflict, InvalidInput, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import ChangeView, Cursor, Document, Limit, Listing, Said, as_json, change_view, from_row
from app.records.model.notices import Notification, NotificationOutcome
from app.records.routes.edits import Editor

router = APIRouter(prefix="/v1/notifications", tags=["notifications"], route_class=StrictRoute)

LONGEST_SNOOZE_MINUTES = 60 * 24 * 366
CLOSED_STATES = frozenset({"done", "completed", "archived"})
DONE_STATE_BY_KIND = {"todo": "done", "note": "completed"}
"""The status of what is done, by the kinds that can be."""
OPEN_FIRST = "Undo that first, or PATCH its status to `not started`."
OpenOnly = Annotated[bool, Query(description="Only those that nobody has settled.")]


class NotificationView(BaseModel):
    """One notification, and what became of it."""

    id: UUID
    kind: str = Field(
        description="`reminder`; `briefing`: your day, made from your records when it was told; `question`: a run "
        "waits for your answer, or mail for your yes."
    )
    record_kind: str = Field(
        description="The kind of the item that it is about; `imported` is an appointment of another calendar.",
        examples=["todo"],
    )
    record_id: str
    title: str
    text: str = Field(
        description="What to show.",
        examples=["Reminder: “call mom”, 14 minutes late. It was due today at 17:00."],
    )
    due_at: AwareDatetime = Field(description="When it was to be told.")
    fired_at: AwareDatetime = Field(description="When it was told.")
    late_seconds: int
    outcome: NotificationOutcome | None = Field(description="What you did about it; null as long as nothing.")
    acknowledged_at: AwareDatetime | None
    snoozed_until: AwareDatetime | None


class Settled(BaseModel):
    """A notification after you settled it, and the changes that this made; each can be undone."""

    notification: NotificationView
    changes: list[ChangeView]


class Snooze(Document):
    """For how long; without anything the server's usual time."""

    minutes: int | None = Field(None, strict=True, ge=1, le=LONGEST_SNOOZE_MINUTES)
    until: Said | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Snooze:
        if self.minutes is not None and self.until is not None:
            raise ValueError("say minutes or until, not both")
        return self


@router.get("", operation_id="list_notifications", summary="List notifications")
async def list_notifications(
    services: Provided,
    user_id: Tenant,
    limit: Limit = 50,
    cursor: Cursor = None,
    unacknowledged: OpenOnly = False,  # noqa: FBT002 - a query parameter has a name
) -> Listing[NotificationView]:
    """The latest first. Open sockets are sent the unacknowledged ones again when they connect."""
    found = await services.notifications.list(user_id, limit, cursor, open_only=unacknowledged)
    return Listing(items=[from_row(NotificationView, one) for one in found.items], next=found.next)


@router.post(
    "/{notification_id}/ack",
    operation_id="acknowledge_notification",
    summary="Acknowledge a notification",
    response_model=Settled,
)
async def acknowledge(notification_id: UUID, services: Provided, user_id: Tenant, once: Once) -> Response:
    """You have seen it: it is not sent again. The item itself stays as it is."""

    async def act() -> KeptResponse:
        return KeptResponse(
            200, as_json(_settled_view(await _settle(services, user_id, notification_id, "acknowledged"), []))
        )

    return await once.answer(act)


@router.post(
    "/{notification_id}/snooze",
    operation_id="snooze_notification",
    summary="Be reminded again later",
    response_model=Settled,
)
async def snooze(
    notification_id: UUID,
    services: Provided,
    user_id: Tenant,
    once: Once,
    body: Annotated[Snooze | None, Body()] = None,
) -> Response:
    """The item sleeps until then and reminds you again; that is a change, and can be undone."""

    async def act() -> KeptResponse:
        known = await _get_notification(services, user_id, notification_id)
        changes = await _recorded_changes(services, user_id, once.origin)
        if not changes:
            until = _until(body or Snooze(), services.settings.snooze_minutes).astimezone(UTC)
            changes = await _change(services, user_id, known, {"snooze_until": until.isoformat()}, once.origin)
        else:
            until = datetime.fromisoformat(changes[0].fields["snooze_until"])
        settled = await _settle(services, user_id, notification_id, "snoozed", until)
        return KeptResponse(200, as_json(_settled_view(settled, changes)))

    return await once.answer(act)


@router.post(
    "/{notification_id}/done",
    operation_id="complete_from_notification",
    summary="Mark it done",
    response_model=Settled,
)
async def complete(notification_id: UUID, services: Provided, user_id: Tenant, once: Once) -> Response:
    """The item is done (a repeating one moves on to its next time); that is a change, and can be undone."""

    async def act() -> KeptResponse:
        known = await _get_notification(services, user_id, notification_id)
        # Of several at once, one moves a repeating item on; a snooze in between makes it another wish.
        origin = uuid5(known.id, f"done {known.outcome} {known.snoozed_until}")
        changes = await _recorded_changes(services, user_id, origin)
        if not changes and known.outcome != "done":
            changes = await _change(
                services, user_id, known, {"status": DONE_STATE_BY_KIND.get(known.record_kind)}, origin
            )
        settled = await _settle(services, user_id, notification_id, "done")
        return KeptResponse(200, as_json(_settled_view(settled, changes)))

    return await once.answer(act)


def _until(body: Snooze, usual_minutes: int) -> datetime:
    now = datetime.now(UTC)
    until = body.until or now + timedelta(minutes=body.minutes or usual_minutes)
    if until <= now:
        raise InvalidInput("That moment has passed.", hint="Say a later `until`, or `minutes` from now.")
    return until


async def _get_notification(services: Services, user_id: UUID, notification_id: UUID) -> Notification:
    found = await services.notifications.get(user_id, notification_id)
    if found is None:
        raise NotFound("There is no such notification.")
    return found


async def _recorded_changes(services: Services, user_id: UUID, origin: UUID) -> list[ChangeView]:
    """What an earlier attempt at the same request changed, before its server died or its answer was lost."""
    return [change_view(change) for change in await Editor(services, user_id, "todo").recorded_changes(origin)]


async def _change(
    services: Services, user_id: UUID, about: Notification, fields: dict[str, Any], origin: UUID
) -> list[ChangeView]:
    if about.kind == "question" and about.record_kind == "mail":
        raise Conflict("Mail waits for your yes.", hint="POST /v1/outgoing-mail/{mail_id}/approve, or reject.")
    if about.kind == "question":
        raise Conflict("A run waits for an answer to this.", hint="Answer with POST /v1/runs/{run_id}/approvals.")
    if about.record_kind not in DONE_STATE_BY_KIND:
        raise Conflict("An appointment cannot be snoozed or done.", hint="Acknowledge the notification.")
    editor = Editor(services, user_id, "note" if about.record_kind == "note" else "todo")
    try:
        before = await editor.current(about.record_id)
    except NotFound as gone:
        hint = "Acknowledge the notification."
        raise Conflict(f"“{about.title}” is not there any more.", hint=hint) from gone
    if "snooze_until" in fields and before["status"] in CLOSED_STATES and not has_rung(before):
        raise Conflict(f"“{about.title}” is {before['status']}: nothing would remind you.", hint=OPEN_FIRST)
    return [change_view(change) for change in await editor.update(before, fields, None, origin)]


async def _settle(
    services: Services,
    user_id: UUID,
    notification_id: UUID,
    outcome: NotificationOutcome,
    until: datetime | None = None,
) -> Notification:
    settled = await services.notifications.settle(user_id, notification_id, outcome, until)
    if settled is None:
        raise NotFound("There is no such notification.")
    return settled


def _settled_view(notification: Notification, changes: list[ChangeView]) -> Settled:
    return Settled(notification=from_row(NotificationView, notification), changes=changes)
