"""Access to a Google account (OAuth 2.0, authorization code with PKCE), and the tokens that follow from it."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import UUID

from app.boundary.model import OutboundCall, OutboundCalls
from app.calendars.answers import answer_of
from app.calendars.model.synced import Login, RemoteFailed, RemoteRefused, SignIn
from app.database.model import KeyUnreadable
from app.database.secrets import KeyRing

CALENDARS = "https://www.googleapis.com/auth/calendar.calendarlist.readonly"
EVENTS = "https://www.googleapis.com/auth/calendar.events"
TASKS = "https://www.googleapis.com/auth/tasks"
REQUIRED_SCOPES = (CALENDARS, EVENTS)
"""Tasks are asked for, too, and may be refused: without them there are no task lists."""
SEAL_CONTEXT = "google-sign-in"
SIGN_IN_LIFETIME = timedelta(minutes=15)
EARLY_SECONDS = 60.0
MOST_TOKENS = 1000
MAX_BYTES = 64 * 1024
NOT_SET_UP = (
    "This server is not set up for Google: an administrator makes a project with Google, and puts its client id and "
    "secret into SUMMIT_GOOGLE_CLIENT_ID and SUMMIT_GOOGLE_CLIENT_SECRET."
)
NO_ANSWER = "Give the whole address at which the browser came back from Google; it holds `state` and `code`."
NOT_YOURS = "This answer of Google belongs to another request than yours, or was changed. Begin again."
TOO_LATE = "This request to Google is too old. Begin again."
DENIED = "Google says that the access was not allowed ({error}). Begin again to allow it."
LACKING = "Summit may not see or change the calendars. Begin again, and tick every box that Google shows."
NO_REFRESH = (
    "Google gave no lasting access. Remove Summit from the connections of your Google account, and begin again."
)
CODE_REFUSED = "Google does not take this answer any more; it counts once, and for a few minutes. Begin again."
RUN_OUT = (
    "Google does not accept this connection any more: it was taken back, or has run out. Connect the account again; "
    "its calendars and what is known of them stay."
)
WRONG_CLIENT = (
    "Google does not accept this server's client id and secret; an administrator has to look at "
    "SUMMIT_GOOGLE_CLIENT_ID and SUMMIT_GOOGLE_CLIENT_SECRET."
)
NO_TOKEN = "Google's answer holds no token."  # noqa: S105 - a sentence


@dataclass(frozen=True)
class Client:
    """This server's project with Google, and Google's addresses."""

    id: str
    secret: str = field(repr=False)
    authorize: str
    token: str
    revoke: str
    calendar: str


class GoogleSignIn:
    """Access to an account that its provider asks its owner about (OAuth 2.0 with PKCE).

    What a request needs later is sealed into its state, for its user alone.
    """

    def __init__(self, client: Client, outbound: OutboundCalls, keys: KeyRing) -> None:
        self._client = client
        self._outbound = outbound
        self._keys = keys

    def begin(self, user_id: UUID, redirect: str) -> SignIn:
        """Where the person is asked."""
        if not self._client.id:
            raise RemoteRefused(NOT_SET_UP)
        verifier, until = secrets.token_urlsafe(64), datetime.now(UTC) + SIGN_IN_LIFETIME
        kept = {"verifier": verifier, "redirect": redirect, "until": until.timestamp()}
        asked = {
            "client_id": self._client.id,
            "redirect_uri": redirect,
            "response_type": "code",
            "scope": " ".join((*REQUIRED_SCOPES, TASKS)),
            "state": base64.urlsafe_b64encode(self._keys.seal(json.dumps(kept), user_id, SEAL_CONTEXT)).decode(),
            "code_challenge": challenge_of(verifier),
            "code_challenge_method": "S256",
            "access_type": "offline",
            "prompt": "consent",
        }
        return SignIn(f"{self._client.authorize}?{urlencode(asked)}", until)

    async def finish(self, user_id: UUID, answer: str) -> Login:
        """The refresh token behind the address at which the browser came back."""
        said = _parse_answer(answer)
        kept = self._unseal_state(user_id, said["state"])
        if "error" in said:
            raise RemoteRefused(DENIED.format(error=_word(said["error"])))
        if "code" not in said:
            raise RemoteRefused(NO_ANSWER)
        found = await self._tokens(
            {
                "grant_type": "authorization_code",
                "code": said["code"],
                "redirect_uri": kept["redirect"],
                "code_verifier": kept["verifier"],
            },
            CODE_REFUSED,
        )
        if not set(REQUIRED_SCOPES) <= set(str(found.get("scope", "")).split()):
            raise RemoteRefused(LACKING)
        if not isinstance(found.get("refresh_token"), str):
            raise RemoteRefused(NO_REFRESH)
        return Login(self._client.calendar, "", found["refresh_token"], "google")

    async def revoke(self, login: Login) -> None:
        """Give the access back; what Google does not know any more is given back already."""
        answer = await self._post(self._client.revoke, {"token": login.password})
        if answer[0] >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise RemoteFailed(f"Google answered {answer[0]}.")

    async def access(self, refresh_token: str) -> tuple[str, float]:
        """An access token, and for how many seconds it counts."""
        asked = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        found = await self._tokens(asked, RUN_OUT)
        lasts = found.get("expires_in")
        return str(found["access_token"]), float(lasts) if isinstance(lasts, int | float) else 0.0

    def _unseal_state(self, user_id: UUID, state: str) -> dict[str, Any]:
        try:
            sealed = base64.b64decode(state.encode(), altchars=b"-_", validate=True)
            kept: dict[str, Any] = json.loads(self._keys.unseal(sealed, user_id, SEAL_CONTEXT))
        except (KeyUnreadable, ValueError) as error:
            raise RemoteRefused(NOT_YOURS) from error
        if kept["until"] < time.time():
            raise RemoteRefused(TOO_LATE)
        return kept

    async def _tokens(self, asked: Mapping[str, str], refused: str) -> dict[str, Any]:
        """An answer with an access token; ``refused`` says what it means that there is none."""
        known = {"client_id": self._client.id, "client_secret": self._client.secret}
        status, found = await self._post(self._client.token, {**asked, **known})
        if status == HTTPStatus.OK and isinstance(found.get("access_token"), str):
            return found
        if found.get("error") in ("invalid_client", "unauthorized_client"):
            raise RemoteRefused(WRONG_CLIENT)
        if found.get("error") == "invalid_grant":
            raise RemoteRefused(refused)
        raise RemoteFailed(NO_TOKEN if status == HTTPStatus.OK else f"Google answered {status}.")

    async def _post(self, url: str, form: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        call = OutboundCall("POST", url, headers, urlencode(form).encode(), MAX_BYTES, protected=True)
        answer = await answer_of(self._outbound, call)
        return answer.status, _document(answer.body)


class AccessTokens:
    """Access tokens for as long as they count; each is asked for again a little before that."""

    def __init__(self, sign_in: GoogleSignIn) -> None:
        self._sign_in = sign_in
        self._known: dict[bytes, tuple[str, float]] = {}

    async def get(self, login: Login, *, fresh: bool = False) -> str:
        """One that counts; a ``fresh`` one where the last is not taken any more."""
        key = hashlib.sha256(login.password.encode()).digest()
        token, until = self._known.get(key, ("", 0.0))
        if fresh or until <= time.monotonic():
            token, lasts = await self._sign_in.access(login.password)
            if len(self._known) >= MOST_TOKENS:
                self._known.clear()
            self._known[key] = token, time.monotonic() + lasts - EARLY_SECONDS
        return token


def challenge_of(verifier: str) -> str:
    """What is told of a secret before it is used (RFC 7636, S256)."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _parse_answer(answer: str) -> dict[str, str]:
    """What Google told the browser. Raises RemoteRefused."""
    query = urlsplit(answer.strip()).query
    said = {name: values[0] for name, values in parse_qs(query).items()}
    if "state" not in said:
        raise RemoteRefused(NO_ANSWER)
    return said


def _word(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum() or letter == "_")[:60]


def _document(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
