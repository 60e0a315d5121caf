"""Tokens of an OpenID Connect issuer: signature, issuer, audience and times are checked, and its keys may rotate.

Only keys that the issuer publishes at its own discovery address count, whatever a token's header says (RFC 8725).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import jwt

from app.boundary.model import Outbound, TargetFailed, TargetRefused
from app.http.accounts.model.tokens import Bearer, IssuerAway, TokenRefused

KINDS: Mapping[str, str] = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), "RSA"),
    **dict.fromkeys(("ES256", "ES384", "ES512"), "EC"),
    "EdDSA": "OKP",
}
"""The algorithms that count, with the kind of key each needs. A shared secret signs nothing here."""
OWN_KEYS = frozenset({"jku", "jwk", "x5u", "x5c", "crit"})
"""Headers by which a token brings its own key, or asks for what nobody here understands."""
REQUIRED = ("exp", "iss", "aud", "sub")
DISCOVERY = "/.well-known/openid-configuration"
LONGEST_TOKEN = 8192
LONGEST_SUBJECT = 255
LARGEST_ANSWER = 256 * 1024
LEEWAY_SECONDS = 30
KEYS_SECONDS = 600.0
"""How long published keys count without another look, so that one that is withdrawn ends by itself."""
STALE_SECONDS = 3600.0
"""How long they still count while the issuer does not answer."""
PAUSE_SECONDS = 10.0
"""Shortest time between two looks that tokens with unknown keys cause."""


@dataclass(frozen=True)
class Published:
    """The issuer's keys as of a moment (monotonic seconds), by their ids."""

    keys: Mapping[str, jwt.PyJWK]
    at: float


class Issuer:
    """Checks tokens of the one issuer that the settings name."""

    def __init__(
        self, issuer: str, audience: str, outbound: Outbound, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._issuer = issuer
        self._audience = audience
        self._outbound = outbound
        self._clock = clock
        self._published: Published | None = None
        self._tried = -PAUSE_SECONDS
        self._one_look = asyncio.Lock()

    async def verify(self, token: str) -> Bearer:
        """Whom a token names; raises TokenRefused or IssuerAway."""
        algorithm, name = _header(token)
        key = await self._key(name)
        if key.key_type != KINDS[algorithm] or _key_field(key, "alg") not in (None, algorithm):
            raise TokenRefused("The token's algorithm is not the one of its key.")
        return self._bearer(_claims(token, key, algorithm, self._issuer, self._audience))

    def _bearer(self, claims: Mapping[str, Any]) -> Bearer:
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
            raise TokenRefused("The token's subject is no name.")
        name = next((str(claims[one]) for one in ("name", "preferred_username", "email") if claims.get(one)), subject)
        user_id = uuid5(NAMESPACE_URL, f"{self._issuer}\n{subject}")
        return Bearer(user_id, subject, name, datetime.fromtimestamp(claims["exp"], UTC))

    async def _key(self, name: str) -> jwt.PyJWK:
        published = self._published
        if published is None or self._clock() - published.at >= KEYS_SECONDS or name not in published.keys:
            published = await self._look(published)
        if name not in published.keys:
            raise TokenRefused("The token is signed with a key that its issuer does not publish.")
        return published.keys[name]

    async def _look(self, seen: Published | None) -> Published:
        """The keys as they are now, or as they were while nobody answers; one look at a time, and not too many."""
        async with self._one_look:
            if self._published is not None and self._published is not seen:
                return self._published
            if self._published is not None and self._clock() - self._tried < PAUSE_SECONDS:
                return self._usable(self._published)
            self._tried = self._clock()
            try:
                self._published = Published(await self._fetch(), self._clock())
            except (TargetFailed, TargetRefused, ValueError, TypeError) as error:
                if self._published is None:
                    raise IssuerAway(f"The keys of {self._issuer} cannot be had: {error}") from error
            return self._usable(self._published)

    def _usable(self, published: Published) -> Published:
        if self._clock() - published.at >= STALE_SECONDS:
            raise IssuerAway(f"{self._issuer} has not answered for long; its keys may have changed.")
        return published

    async def _fetch(self) -> dict[str, jwt.PyJWK]:
        about = await self._document(self._issuer.rstrip("/") + DISCOVERY)
        if about.get("issuer") != self._issuer:
            raise ValueError("its discovery document is another issuer's")
        found = await self._document(str(about.get("jwks_uri")))
        return {one.key_id: one for one in map(_usable_key, found.get("keys", [])) if one and one.key_id}

    async def _document(self, url: str) -> dict[str, Any]:
        if self._issuer.startswith("https:") and not url.startswith("https:"):
            raise ValueError("it names an address without TLS")
        answer = await self._outbound.fetch(url, max_bytes=LARGEST_ANSWER)
        document = json.loads(answer.body) if answer.status == 200 else None  # noqa: PLR2004 - OK
        if not isinstance(document, dict):
            raise ValueError(f"it answers {answer.status} with no JSON object")  # noqa: TRY004 - of what a server sends
        return document


def _header(token: str) -> tuple[str, str]:
    """The algorithm and the name of the key that a token claims; raises TokenRefused for what can never count."""
    if len(token) > LONGEST_TOKEN:
        raise TokenRefused("The token is too long.")
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise TokenRefused("The token is no signed JWT.") from error
    if header.get("alg") not in KINDS:
        raise TokenRefused(f"Tokens are signed with {', '.join(sorted(KINDS))}.")
    if OWN_KEYS & set(header):
        raise TokenRefused("The token brings its own key.")
    if not isinstance(header.get("kid"), str):
        raise TokenRefused("The token does not name its key.")
    return str(header["alg"]), str(header["kid"])


def _claims(token: str, key: jwt.PyJWK, algorithm: str, issuer: str, audience: str) -> dict[str, Any]:
    try:
        return dict(
            jwt.decode(
                token,
                key.key,
                algorithms=[algorithm],
                audience=audience,
                issuer=issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": list(REQUIRED)},
            )
        )
    except jwt.ExpiredSignatureError as error:
        raise TokenRefused("The token has expired.") from error
    except jwt.ImmatureSignatureError as error:
        raise TokenRefused("The token is not valid yet.") from error
    except jwt.InvalidAudienceError as error:
        raise TokenRefused("The token is for another service.") from error
    except jwt.InvalidIssuerError as error:
        raise TokenRefused("The token comes from another issuer.") from error
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError) as error:
        raise TokenRefused(f"The token does not hold ({type(error).__name__}).") from error


def _usable_key(document: Any) -> jwt.PyJWK | None:
    """A key that may have signed a token; None for others, and for those that nobody here understands."""
    if (
        not isinstance(document, dict)
        or document.get("use", "sig") != "sig"
        or not isinstance(document.get("kid"), str)
    ):
        return None
    if document.get("kty") not in KINDS.values():
        return None
    try:
        return jwt.PyJWK(document)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None


def _key_field(key: jwt.PyJWK, name: str) -> Any:
    return key._jwk_data.get(name)  # noqa: SLF001 - the document that the key was made from
