"""Tells webhooks: one attempt a job, the next one deferred with the row that says so."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.boundary.model import Fetched, Outbound, TargetFailed, TargetRefused
from app.counters import WEBHOOKS
from app.records.model.notices import Notification, Parcel, document_of
from app.records.store.notifications import Notifications
from app.records.store.webhooks import Webhooks

LONGEST_WAIT = timedelta(hours=6)
GROWTH = 4
SUCCESS = range(200, 300)
HTTP_GONE = 410


@dataclass(frozen=True)
class WebhookPoster:
    """Tells webhooks; ``attempts`` is how often, ``backoff_seconds`` the pause after the first failure."""

    webhooks: Webhooks
    notifications: Notifications
    outbound: Outbound
    attempts: int
    backoff_seconds: float

    async def deliver(self, user_id: UUID, delivery_id: UUID) -> None:
        """Make one attempt at a delivery that is pending; anything else was settled before."""
        parcel = await self.webhooks.parcel(user_id, delivery_id)
        notification = await self.notifications.get(user_id, parcel.notification_id) if parcel else None
        if parcel is None or notification is None:
            return
        status, error = await self._attempt(parcel, notification)
        if not error:
            WEBHOOKS.labels("delivered").inc()
            await self.webhooks.mark_delivered(user_id, delivery_id, status or 0)
            return
        next_at = None if status == HTTP_GONE else self._next_attempt(parcel.attempts + 1)
        WEBHOOKS.labels("failed" if next_at else "dead").inc()
        await self.webhooks.mark_failed(user_id, delivery_id, status, error, next_at)

    async def _attempt(self, parcel: Parcel, notification: Notification) -> tuple[int | None, str]:
        """The status, and what went wrong in words."""
        body = body_of(parcel, notification)
        try:
            answer = await self.outbound.post(parcel.url, body, headers=headers_of(parcel, notification, body))
        except (TargetFailed, TargetRefused) as error:
            return None, str(error)
        return answer.status, _wrong_with(answer)

    def _next_attempt(self, made: int) -> datetime | None:
        if made >= self.attempts:
            return None
        seconds = self.backoff_seconds * float(GROWTH) ** min(made - 1, 20)
        return datetime.now(UTC) + min(timedelta(seconds=seconds), LONGEST_WAIT)


def body_of(parcel: Parcel, notification: Notification) -> bytes:
    """What is posted: the notification as JSON, or its words alone."""
    if parcel.format == "text":
        return notification.text.encode()
    document = {"v": 1, "type": "reminder.fired", "delivery_id": str(parcel.id), "data": document_of(notification)}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def headers_of(parcel: Parcel, notification: Notification, body: bytes) -> dict[str, str]:
    """The signature and what the body is. ``Title`` is for ntfy, which shows it above a text."""
    stamp = str(int(time.time()))
    kind = "text/plain" if parcel.format == "text" else "application/json"
    title = {"Title": f"=?UTF-8?B?{base64.b64encode(notification.title.encode()).decode()}?="}
    return {
        "Content-Type": f"{kind}; charset=utf-8",
        "Summit-Delivery": str(parcel.id),
        "Summit-Timestamp": stamp,
        "Summit-Signature": f"sha256={signature(parcel.secret, stamp, body)}",
        **(title if parcel.format == "text" else {}),
    }


def signature(secret: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 of ``<timestamp>.<body>``, in hex."""
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def _wrong_with(answer: Fetched) -> str:
    if answer.status in SUCCESS:
        return ""
    moved = " Redirects are not followed." if 300 <= answer.status < 400 else ""  # noqa: PLR2004 - the redirects
    return f"It answered with status {answer.status}.{moved}"
