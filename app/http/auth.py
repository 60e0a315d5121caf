"""Who is calling: API keys, their scopes, the administrator and the keyless user of a loopback server."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from agents.context import LOCAL_USER
from app.errors import Forbidden, Unauthenticated, Unavailable, WrongKey
from app.http.accounts.issuer import Issuer
from app.http.accounts.model.tokens import Bearer, IssuerAway, TokenRefused
from app.http.accounts.model.users import ApiKey, Scope
from app.http.accounts.store.users import Users
from app.principal import signed_as
from app.settings import Settings

KEY_PREFIX = "sk_summit_"
KEY_FORM = re.compile(rf"{KEY_PREFIX}[A-Za-z0-9_-]{{43}}")
TOKEN_FORM = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")
HINT_LENGTH = 4
LONGEST_NAME = 200
ALL_SCOPES: tuple[Scope, ...] = ("read", "write", "admin")


@dataclass(frozen=True)
class IssuedKey:
    """A new key, the only time its text exists here; digest and hint are what may be kept."""

    text: str
    digest: bytes
    hint: str


@dataclass(frozen=True)
class Caller:
    """Who sends a request. The administrator (``user_id`` None) manages users and acts for no tenant."""

    user_id: UUID | None
    scopes: frozenset[Scope]
    name: str = ""
    """As the audit log names it."""


ADMINISTRATOR = Caller(None, frozenset(), "administrator")
LOCAL_CALLER = Caller(UUID(LOCAL_USER), frozenset(ALL_SCOPES), "local user")


def issue_key() -> IssuedKey:
    """Make a key with 256 random bits."""
    text = KEY_PREFIX + secrets.token_urlsafe(32)
    return IssuedKey(text, digest_of(text), text[-HINT_LENGTH:])


def digest_of(key: str) -> bytes:
    """What is stored of a key; its 256 random bits need no slow hash."""
    return hashlib.sha256(key.encode()).digest()


async def authenticate(
    authorization: str | None, users: Users, settings: Settings, tokens: Issuer | None = None
) -> Caller:
    """The caller that an ``Authorization`` header proves; raises Unauthenticated, of what is no key WrongKey.

    Where no key is needed, a word that cannot be one of ours proves as little as none: libraries send one in any case.
    """
    if authorization is None:
        return await _without_key(users, settings)
    text = _bearer(authorization)
    if _is_admin_key(text, settings):
        return ADMINISTRATOR
    if tokens is not None and TOKEN_FORM.fullmatch(text):
        return await _named_by(await _verify_token(text, tokens), users, settings)
    if not text.startswith(KEY_PREFIX) and await _needs_no_key(users, settings):
        return LOCAL_CALLER
    if not KEY_FORM.fullmatch(text):
        raise WrongKey(f"That is no key of Summit: they look like {KEY_PREFIX} and 43 more characters.")
    key = await users.find_key(digest_of(text))
    if key is None:
        raise WrongKey("There is no such API key; it may have been revoked.")
    return _holder(key)


async def session_holder(token: str, users: Users) -> Caller | None:
    """Who a session acts for; None if it ended, or its key was revoked or has expired."""
    key = await users.find_session(digest_of(token))
    if key is None or (key.expires_at is not None and key.expires_at <= datetime.now(UTC)):
        return None
    return Caller(key.user_id, frozenset(key.scopes), f"sign-in with key {key.id}")


def is_own_form(authorization: str) -> bool:
    """Whether an ``Authorization`` header carries what looks like a key of ours, which nobody can guess."""
    return bool(KEY_FORM.fullmatch(authorization.partition(" ")[2].strip()))


def tenant_of(caller: Caller) -> UUID:
    """The user a request is for; raises Forbidden for the administrator, who acts for none."""
    if caller.user_id is None:
        raise Forbidden("The administrator's key manages users only.", hint="Use a user's API key for everything else.")
    return caller.user_id


def require_scope(caller: Caller, scope: Scope) -> None:
    """Raises Forbidden unless the caller's key has the scope."""
    if scope not in caller.scopes:
        raise Forbidden(f"This API key does not have the scope {scope}.", hint=f"Use a key with the scope {scope}.")


def require_administrator(caller: Caller) -> None:
    """Raises Forbidden for everyone but the administrator."""
    if caller.user_id is not None:
        raise Forbidden(
            "Only the administrator may do this.",
            hint="Set SUMMIT_ADMIN_KEY on the server and send it as Authorization: Bearer <key>.",
        )


def require_operator(caller: Caller) -> None:
    """Raises Forbidden for everyone but the administrator and the one user of a server without keys."""
    if caller is not LOCAL_CALLER:  # a key of the same user proves less
        require_administrator(caller)


async def _without_key(users: Users, settings: Settings) -> Caller:
    if await _needs_no_key(users, settings):
        return LOCAL_CALLER
    raise Unauthenticated("This request has no API key.")


async def _verify_token(token: str, tokens: Issuer) -> Bearer:
    try:
        return await tokens.verify(token)
    except TokenRefused as refusal:
        raise WrongKey(str(refusal), hint="Get a new token from the issuer, or send an API key.") from refusal
    except IssuerAway as error:
        raise Unavailable(str(error), hint="Send it again later, or send an API key.") from error


async def _named_by(bearer: Bearer, users: Users, settings: Settings) -> Caller:
    if await users.get(bearer.user_id) is None:
        if not settings.oidc_new_users:
            raise Unauthenticated(
                "Nobody here has this token's subject.", hint="New users are not taken in; ask who runs the server."
            )
        with signed_as(f"token of {bearer.subject}"):
            await users.create(bearer.name[:LONGEST_NAME], bearer.user_id)
    return Caller(bearer.user_id, frozenset(settings.oidc_scopes), f"token of {bearer.subject}")


async def _needs_no_key(users: Users, settings: Settings) -> bool:
    return settings.only_here and not settings.oidc_issuer and not await users.any_key()


def _bearer(authorization: str) -> str:
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise Unauthenticated("The Authorization header must be: Bearer <api key>.")
    return text.strip()


def _is_admin_key(text: str, settings: Settings) -> bool:
    admin = settings.admin_key.get_secret_value() if settings.admin_key else ""
    return bool(admin) and hmac.compare_digest(text.encode(), admin.encode())


def _holder(key: ApiKey) -> Caller:
    if key.expires_at is not None and key.expires_at <= datetime.now(UTC):
        raise WrongKey(f"This API key expired at {key.expires_at.isoformat()}.", hint="Make a new key.")
    return Caller(key.user_id, frozenset(key.scopes), f"key {key.id}")
