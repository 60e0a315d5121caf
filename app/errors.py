"""Problems a client can cause or meet, as RFC 9457 documents: status, title and what to do next."""

from __future__ import annotations

import traceback
from typing import Any

from agents.ports import LedgerUnavailable


class Problem(Exception):  # noqa: N818 - RFC 9457 calls it a problem
    """Base of every error that reaches a client; subclasses set status, title and a default hint."""

    status = 500
    title = "Something went wrong"
    hint = "Try again; if it stays, look into the server's log for the request id."

    def __init__(self, detail: str = "", *, hint: str | None = None, **extra: Any) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        self.hint = hint or type(self).hint
        self.extra = extra

    @property
    def slug(self) -> str:
        """Stable name of the kind of problem, used as the tail of its ``type``."""
        name = type(self).__name__
        return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")

    def document(self, instance: str) -> dict[str, Any]:
        """The ``application/problem+json`` body."""
        return {
            "type": f"urn:summit:problem:{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "hint": self.hint,
            "instance": instance,
            **self.extra,
        }


class OutOfReach(LedgerUnavailable):
    """The database cannot be used now; whether the last write was kept shows when it is back."""

    retry_seconds = 5

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class StorageFull(OutOfReach):
    """There is no space left where Summit keeps things; nothing of this write was kept."""

    retry_seconds = 30


class InvalidInput(Problem):
    status = 422
    title = "The request is not valid"
    hint = "Compare the request with /docs and send it again."


class Malformed(Problem):
    status = 400
    title = "The request could not be read"
    hint = "Send valid JSON in UTF-8."


class Unauthenticated(Problem):
    status = 401
    title = "A valid API key is needed"
    hint = (
        "Send Authorization: Bearer <api key>. Whoever runs the server makes a user with `summit users create NAME`, "
        "or a further key with `summit keys create`, under the SUMMIT_DATA_DIR or DATABASE_URL that the server has."
    )


class WrongKey(Unauthenticated):
    """Something was sent as a key and is none; see app.http.wrong_keys."""

    slug = "unauthenticated"


class OutOfCredits(Problem):
    status = 402
    title = "The credits are used up"
    hint = "Ask the administrator to add credits; GET /v1/credits shows the account. Nothing of the message was kept."


class Forbidden(Problem):
    status = 403
    title = "This is not allowed"
    hint = "Use a key with the scope that this needs, or call from an allowed origin."


class NotFound(Problem):
    status = 404
    title = "There is nothing here"
    hint = "Check the id; items of other users are never shown."


class ModelNotFound(NotFound):
    title = "There is no such model"
    hint = "GET /v1/models lists them."

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no model {name[:50]!r} here.", errors=[{"field": "model", "message": self.title}])


class NotAnswered(NotFound):
    title = "This part of OpenAI's protocol is not answered here"
    hint = (
        "Use POST /v1/chat/completions: chat.completions.create in OpenAI's libraries, provider.chat(...) in the AI "
        "SDK, use_responses_api=False in LangChain."
    )


class MethodNotAllowed(Problem):
    status = 405
    title = "This cannot be done with that method"
    hint = "The header Allow names the methods that work here; /docs describes them."


class TooSlow(Problem):
    status = 408
    title = "The request took too long to arrive"
    hint = "Send it again over a better connection, or in smaller parts."


class Conflict(Problem):
    status = 409
    title = "This cannot be done now"
    hint = "Read the current state, then decide again."


class Gone(Problem):
    status = 410
    title = "That part of the stream is not kept any more"
    hint = "Read the state afresh: turns and changes are kept. The whole stream goes on after `goes_on_after`."


class OffsetConflict(Conflict):
    title = "The bytes do not belong there"
    hint = "Send what comes after `upload_offset`."

    def __init__(self, received: int, offset: int) -> None:
        super().__init__(f"{received} bytes are here, these begin at {offset}.", upload_offset=received)
        self.upload_offset = received


class PreconditionFailed(Problem):
    status = 412
    title = "The item changed since you read it"
    hint = "Take the current row from `current`, merge, and send its ETag as If-Match."


class TooLarge(Problem):
    status = 413
    title = "The request is too large"
    hint = "Send less at once; the limits are settings of the server."


class UnsupportedMedia(Problem):
    status = 415
    title = "This content type is not accepted"
    hint = "Send application/json."


class RangeNotSatisfiable(Problem):
    status = 416
    title = "The recording has no such part"
    hint = "Send Range: bytes=FIRST-LAST within the size that Content-Range names, or no Range at all."


class TooManyRequests(Problem):
    status = 429
    title = "Too much at once"
    hint = "Wait for the turns in the queue, then send again."

    def __init__(self, detail: str = "", *, hint: str | None = None, retry_seconds: int = 5, **extra: Any) -> None:
        super().__init__(detail, hint=hint, **extra)
        self.retry_seconds = retry_seconds


class Unavailable(Problem):
    status = 503
    title = "Summit cannot serve this right now"
    hint = "Run `summit doctor`; it names what is missing and how to mend it."
    retry_seconds = 5


class Postponed(Unavailable):
    hint = "Send it again after Retry-After seconds, with the same Idempotency-Key; /readyz tells what is wrong."

    def __init__(self, cause: OutOfReach) -> None:
        super().__init__(str(cause))
        self.retry_seconds = cause.retry_seconds


def stack_of(error: BaseException) -> str:
    """Where an error came from and what kind it is, without its message, which may quote what a user wrote."""
    return "".join(_stack(error))


def _stack(error: BaseException) -> list[str]:
    cause = error.__cause__ or error.__context__
    earlier = [*_stack(cause), "then\n"] if cause else []
    kind = f"{type(error).__module__}.{type(error).__qualname__}\n"
    return [*earlier, *traceback.format_tb(error.__traceback__), kind]
