"""A front end that serves several people with one key: its word for who they are counts for that key alone."""

from __future__ import annotations

import hmac
from urllib.parse import unquote
from uuid import UUID, uuid5

from starlette.datastructures import Headers
from starlette.types import Scope

from app.errors import Forbidden, Unauthenticated
from app.http.auth import LONGEST_NAME, Caller
from app.http.deps import Services
from app.http.problems import UNANSWERED
from app.principal import signed_as
from app.settings import Settings

USER_NAMESPACE = UUID("5c0f7e0a-5a57-4f6a-9d0c-6f4f5f8a1c3e")
USERS = ("x-summit-user", "x-openwebui-user-id")
NAMES = ("x-summit-user-name", "x-openwebui-user-name")
OPENAI_PATHS = frozenset({"/v1/chat/completions", "/v1/audio/transcriptions", "/v1/audio/speech", "/v1/embeddings"})
"""Where OpenAI's protocol is answered; its models stand beside."""


def is_front_end(authorization: str | None, settings: Settings) -> bool:
    """Whether a request carries the key that is configured for the front end."""
    if settings.front_end_key is None or authorization is None:
        return False
    key = settings.front_end_key.get_secret_value()
    scheme, _, text = authorization.partition(" ")
    return bool(key) and scheme.lower() == "bearer" and hmac.compare_digest(text.strip().encode(), key.encode())


async def person_of(scope: Scope, services: Services) -> Caller:
    """The person whom the front end names, a user of Summit from the first message on.

    Raises Unauthenticated where it names nobody, Forbidden for what is not OpenAI's protocol.
    """
    if not _is_spoken(scope):
        raise Forbidden(
            "The front end's key is for OpenAI's protocol alone.", hint="Use a person's own key for everything else."
        )
    headers = Headers(scope=scope)
    named = next((value for name in USERS if (value := headers.get(name, "").strip())), "")
    if not named:
        raise Unauthenticated(
            "The front end did not say whom it speaks for.",
            hint="Let it send X-Summit-User; Open WebUI does so with ENABLE_FORWARD_USER_INFO_HEADERS=true.",
        )
    user_id = uuid5(USER_NAMESPACE, named)
    caller = Caller(user_id, frozenset({"read", "write"}), f"front end for {named[:LONGEST_NAME]}")
    if await services.users.get(user_id) is None:
        called = next((value for name in NAMES if (value := headers.get(name, "").strip())), named)
        with signed_as(caller.name):
            await services.users.create(unquote(called)[:LONGEST_NAME], user_id)
    return caller


def _is_spoken(scope: Scope) -> bool:
    path = scope["path"]
    reads_models = scope.get("method") == "GET" and (path == "/v1/models" or path.startswith("/v1/models/"))
    return path in OPENAI_PATHS or reads_models or path.startswith(UNANSWERED)
