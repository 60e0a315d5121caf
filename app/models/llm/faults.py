"""What can go wrong with a model, in one form: what it was, whether trying again helps, and when."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Literal

FaultKind = Literal[
    "unreachable", "timeout", "rate limited", "server error", "denied", "refused", "nonsense", "out of credits",
    "resting", "too late", "too long", "declined",
]  # fmt: skip
RETRYABLE: frozenset[FaultKind] = frozenset({"unreachable", "rate limited", "server error", "nonsense"})
"""After these the same request may succeed a little later."""
TIMEOUTS = frozenset({408, 504, 524})
DENIED = frozenset({401, 402, 403, 404})
"""A key, an empty account or a model that is not there: whatever is asked, the answer will be the same."""
TOO_LONG = re.compile(r"context|too (?:long|many tokens)|maximum.{0,20}length|exceed", re.IGNORECASE)


class ModelFailed(Exception):  # noqa: N818 - an outcome to deal with, not a fault of ours
    """The model gave nothing usable; ``retry_after`` is the pause in seconds that it asked for."""

    def __init__(self, kind: FaultKind, retry_after: float | None = None) -> None:
        super().__init__(kind)
        self.kind: FaultKind = kind
        self.retry_after = retry_after


def failure_of(error: BaseException) -> ModelFailed:
    """Any error of a call as one of ours; nothing of what it says is kept, for it may quote the prompt or a key."""
    import openai

    if isinstance(error, ModelFailed):
        return error
    if isinstance(error.__cause__, ModelFailed):  # of the connection, which openai takes for its own
        return error.__cause__
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        return ModelFailed("timeout")
    if isinstance(error, openai.APIConnectionError):
        return ModelFailed("unreachable")
    if isinstance(error, openai.APIStatusError):
        said = str(error.message) if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR else ""
        return _of_status(error.status_code, error.response.headers.get("retry-after"), said)
    return ModelFailed("nonsense")


def _of_status(status: int, retry_after: str | None, said: str = "") -> ModelFailed:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return ModelFailed("rate limited", _seconds(retry_after))
    if status in TIMEOUTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ModelFailed("server error", _seconds(retry_after))
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or (status not in DENIED and TOO_LONG.search(said)):
        return ModelFailed("too long")
    return ModelFailed("denied" if status in DENIED else "refused")


def _seconds(stated: str | None) -> float | None:
    """How long Retry-After says to wait: a number, or until a date by this machine's clock."""
    seconds = math.nan
    with suppress(ValueError, OverflowError):  # the latter of a date whose year or hour has twenty digits
        try:
            seconds = float(stated or "nan")
        except ValueError:
            when = parsedate_to_datetime(str(stated))
            # "-0000" is UTC, too, by RFC 5322, though the library then names no zone.
            seconds = (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if math.isfinite(seconds) else None
