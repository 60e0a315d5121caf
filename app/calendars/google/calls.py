"""Calls of Google's APIs: authorised, and what their refusals mean."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from app.boundary.model import Fetched, OutboundCall, OutboundCalls
from app.calendars.answers import answer_of
from app.calendars.google.sign_in import RUN_OUT, AccessTokens
from app.calendars.model.synced import Login, RemoteFailed, RemoteMoved, RemoteRefused

RETRYABLE_REASONS = frozenset(
    {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "calendarUsageLimitsExceeded", "backendError"}
)
"""Reasons that Google gives when the same request may succeed later."""
MOST_PAGES = 1000
NOT_THERE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
NO_CALENDAR = "This is not there with Google any more."
UNREADABLE_ANSWER = "Google answers what cannot be read."
NO_END = "Google's list has no end."
Query = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Wish:
    """What is asked; ``etag`` makes it count for that version alone, and ``allowed`` statuses are the caller's."""

    method: str
    url: str
    query: Query = ()
    body: Mapping[str, Any] | None = None
    etag: str | None = None
    allowed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Told:
    """An answer: its status, and the JSON in it."""

    status: int
    body: dict[str, Any]


class GoogleCalls:
    """Asks for an account. Raises RemoteRefused, RemoteFailed and RemoteMoved."""

    def __init__(self, outbound: OutboundCalls, tokens: AccessTokens, *, max_bytes: int) -> None:
        self._outbound = outbound
        self._tokens = tokens
        self._max_bytes = max_bytes

    async def ask(self, login: Login, wish: Wish) -> Told:
        """One answer, with a new access token where the last has run out."""
        answer = await self._send(wish, await self._tokens.get(login))
        if answer.status == HTTPStatus.UNAUTHORIZED:
            answer = await self._send(wish, await self._tokens.get(login, fresh=True))
        if answer.status not in wish.allowed:
            _check(answer)
        return Told(answer.status, _document(answer))

    async def pages(self, login: Login, wish: Wish) -> AsyncIterator[Told]:
        """A list, page after page; the last holds what belongs to all of it."""
        page: Query = ()
        for _ in range(MOST_PAGES):
            told = await self.ask(login, Wish(wish.method, wish.url, (*wish.query, *page), allowed=wish.allowed))
            yield told
            if told.status != HTTPStatus.OK or not told.body.get("nextPageToken"):
                return
            page = [("pageToken", str(told.body["nextPageToken"]))]
        raise RemoteFailed(NO_END)

    async def _send(self, wish: Wish, token: str) -> Fetched:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        if wish.body is not None:
            headers["Content-Type"] = "application/json"
        if wish.etag:
            headers["If-Match"] = wish.etag
        call = OutboundCall(
            wish.method,
            f"{wish.url}?{urlencode(wish.query)}" if wish.query else wish.url,
            headers,
            json.dumps(wish.body).encode() if wish.body is not None else None,
            self._max_bytes,
            protected=True,
        )
        return await answer_of(self._outbound, call)


def items_of(told: Told) -> list[dict[str, Any]]:
    """The resources of a list."""
    return [one for one in told.body.get("items") or [] if isinstance(one, dict) and isinstance(one.get("id"), str)]


def _check(answer: Fetched) -> None:
    """Raise what another status than a good one means."""
    if answer.status < HTTPStatus.MULTIPLE_CHOICES:
        return
    if answer.status == HTTPStatus.PRECONDITION_FAILED:
        raise RemoteMoved
    if answer.status == HTTPStatus.UNAUTHORIZED:
        raise RemoteRefused(RUN_OUT)
    if answer.status in NOT_THERE:
        raise RemoteRefused(NO_CALENDAR)
    reason = _reason(answer)
    told = f"Google answered {answer.status}{f' ({reason})' if reason else ''}."
    later = answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS
    raise RemoteFailed(told) if later or reason in RETRYABLE_REASONS else RemoteRefused(told)


def _reason(answer: Fetched) -> str:
    """Why, in Google's word for it."""
    try:
        reason = json.loads(answer.body)["error"]["errors"][0]["reason"]
    except (ValueError, LookupError, TypeError):
        return ""
    return reason if isinstance(reason, str) and reason.isalnum() else ""


def _document(answer: Fetched) -> dict[str, Any]:
    if answer.status == HTTPStatus.NO_CONTENT or answer.status >= HTTPStatus.BAD_REQUEST:
        return {}
    try:
        found = json.loads(answer.body)
    except ValueError as error:
        raise RemoteFailed(UNREADABLE_ANSWER) from error
    if not isinstance(found, dict):
        raise RemoteFailed(UNREADABLE_ANSWER)
    return found
