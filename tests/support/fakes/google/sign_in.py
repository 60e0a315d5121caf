"""How Google asks a person for access, and gives and takes back tokens."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

CLIENT_ID, CLIENT_SECRET = "summit.apps.googleusercontent.com", "the secret of Summit"
WANTED = {"response_type": "code", "code_challenge_method": "S256", "access_type": "offline", "prompt": "consent"}
Answer = tuple[int, dict[str, Any]]


@dataclass
class Consent:
    """What was asked of the person, until it is traded for tokens."""

    redirect: str
    challenge: str
    scopes: frozenset[str]


@dataclass
class SignInPage:
    """``redirects`` are registered; ``denies`` is what the person says; ``leaves_out`` are boxes left unticked."""

    redirects: set[str] = field(default_factory=set)
    denies: bool = False
    leaves_out: frozenset[str] = frozenset()
    codes: dict[str, Consent] = field(default_factory=dict)
    refresh: dict[str, frozenset[str]] = field(default_factory=dict)
    access: dict[str, frozenset[str]] = field(default_factory=dict)
    expires_in: int = 3600
    refreshed: int = 0

    def ask(self, query: Mapping[str, str]) -> str | None:
        """Where the browser goes from the page; None where Google shows an error instead of asking."""
        known = query.get("client_id") == CLIENT_ID and query.get("redirect_uri") in self.redirects
        challenge, state = query.get("code_challenge", ""), query.get("state", "")
        if (
            not known
            or not state
            or len(challenge) != 43
            or any(query.get(name) != one for name, one in WANTED.items())
        ):
            return None
        told = {"state": state}
        if self.denies:
            told["error"] = "access_denied"
        else:
            told["code"] = secrets.token_urlsafe(16)
            scopes = frozenset(query.get("scope", "").split()) - self.leaves_out
            self.codes[told["code"]] = Consent(query["redirect_uri"], challenge, scopes)
        return f"{query['redirect_uri']}?{urlencode(told)}"

    def token(self, form: Mapping[str, str]) -> Answer:
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return 401, {"error": "invalid_client"}
        if form.get("grant_type") == "refresh_token":
            scopes = self.refresh.get(form.get("refresh_token", ""))
            self.refreshed += 1
            return (400, {"error": "invalid_grant"}) if scopes is None else (200, self._access(scopes))
        consent = self.codes.pop(form.get("code", ""), None)
        proven = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        right = consent and (consent.redirect, f"{consent.challenge}=") == (form.get("redirect_uri"), proven.decode())
        if form.get("grant_type") != "authorization_code" or consent is None or not right:
            return 400, {"error": "invalid_grant"}
        lasting = secrets.token_urlsafe(24)
        self.refresh[lasting] = consent.scopes
        return 200, {**self._access(consent.scopes), "refresh_token": lasting}

    def revoke(self, form: Mapping[str, str]) -> Answer:
        known = self.refresh.pop(form.get("token", ""), None) is not None
        self.access.clear()
        return (200, {}) if known else (400, {"error": "invalid_token"})

    def _access(self, scopes: frozenset[str]) -> dict[str, Any]:
        token = secrets.token_urlsafe(24)
        self.access[token] = scopes
        told = {"access_token": token, "expires_in": self.expires_in, "token_type": "Bearer"}
        return {**told, "scope": " ".join(sorted(scopes))}
