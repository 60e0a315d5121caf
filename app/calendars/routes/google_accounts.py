"""Google accounts: asking their owner for access, and the page at which the browser comes back."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import AwareDatetime, BaseModel, Field
from starlette.responses import HTMLResponse

from agents.records import Text
from app.calendars.model.synced import CalendarAccount, Login, RemoteCalendar, RemoteFailed, RemoteRefused
from app.calendars.routes.calendar_accounts import AccountName, AccountView, remote_calendars
from app.calendars.services import ProvidedAccounts, ProvidedSync
from app.calendars.store.synced_calendars import CalendarAccounts
from app.errors import Conflict, InvalidInput
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import Document, as_json, from_row

router = APIRouter(prefix="/v1/google-accounts", tags=["calendar"], route_class=StrictRoute)
back_router = APIRouter(include_in_schema=False)
HINT = "See “Google Calendar” in the guide about calendars."
PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Summit: back from Google</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }}
textarea {{ width: 100%; height: 9rem; font: 14px/1.45 ui-monospace, monospace }}</style></head>
<body><h1>One more step</h1>
<p>Give this address to Summit: paste it where <code>summit calendars google</code> asks for it, or send it as
<code>answer</code> to <code>POST /v1/google-accounts</code>. It counts once, for a few minutes, and for you alone.</p>
<textarea readonly autofocus aria-label="Address">{address}</textarea></body></html>
"""


class AccessAsked(BaseModel):
    """Where Google asks whether Summit may keep your calendars in step."""

    url: str = Field(description="Open it in a browser.")
    redirect: str = Field(description="Where the browser comes back to; your project with Google has to know it.")
    expires_at: AwareDatetime


class AccessAnswer(Document):
    """What Google answered."""

    answer: Annotated[Text, Field(max_length=8000)] = Field(
        description="The whole address at which the browser came back, with `state` and `code` in it."
    )
    name: AccountName | None = Field(None, description="What to call the account; default: its address.")


@router.post(
    "/begin",
    operation_id="begin_google_account",
    summary="Ask for access to a Google account",
    response_model=AccessAsked,
)
async def begin_google(
    request: Request, services: Provided, sync: ProvidedSync, user_id: Tenant, once: Once
) -> Response:
    """Nothing is kept of it: what is needed later is sealed into the address, for you alone."""

    async def begin() -> KeptResponse:
        redirect = services.settings.google_redirect_url or str(request.url_for("back_from_google"))
        try:
            asked = sync.google.begin(user_id, redirect)
        except RemoteRefused as refused:
            raise Conflict(str(refused), hint=HINT) from refused
        return KeptResponse(200, as_json(AccessAsked(url=asked.url, redirect=redirect, expires_at=asked.expires_at)))

    return await once.answer(begin)


@router.post(
    "",
    status_code=201,
    operation_id="connect_google_account",
    summary="Connect a Google account",
    response_model=AccountView,
)
async def connect_google(
    body: AccessAnswer, accounts: ProvidedAccounts, sync: ProvidedSync, user_id: Tenant, once: Once
) -> Response:
    """With Google's answer. An account that is connected already gets the new access, and keeps its calendars."""

    async def connect() -> KeptResponse:
        try:
            login = await sync.google.finish(user_id, body.answer)
        except (RemoteRefused, RemoteFailed) as problem:
            raise InvalidInput(str(problem), hint=HINT) from problem
        account = await _keep(accounts, await remote_calendars(sync, login), user_id, once.origin, body.name, login)
        place = {"Location": f"/v1/calendar-accounts/{account.id}"}
        return KeptResponse(201, as_json(from_row(AccountView, account)), place)

    return await once.answer(connect)


async def _keep(
    accounts: CalendarAccounts,
    found: Sequence[RemoteCalendar],
    user_id: UUID,
    new_id: UUID,
    name: str | None,
    login: Login,
) -> CalendarAccount:
    for known in await accounts.list(user_id):
        if (known.provider, known.username) == (login.provider, login.username):
            await accounts.enter(user_id, known.id, login, found)
            return known
    return await accounts.connect(user_id, new_id, name or login.username, login, found)


@back_router.get("/back-from-google")
async def back_from_google(request: Request) -> HTMLResponse:
    """What to do with Google's answer. A key is needed to use it, so that nobody is connected to another's account."""
    return HTMLResponse(PAGE.format(address=escape(str(request.url))), headers=PAGE_HEADERS)
