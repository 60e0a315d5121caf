"""Calendars that are kept in step in both directions: accounts, which calendars, and what waits for a decision."""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import AfterValidator, AwareDatetime, BaseModel, Field

from agents.records import Text
from app.calendars.model.synced import (
    Collects,
    Direction,
    Holds,
    Keep,
    Login,
    Provider,
    RemoteCalendar,
    RemoteFailed,
    RemoteRefused,
    SyncConflict,
    SyncedCalendar,
)
from app.calendars.services import ProvidedAccounts, ProvidedSync
from app.calendars.store.synced_calendars import CalendarAccounts
from app.calendars.sync import CalendarSync
from app.database.model import KeyUnreadable
from app.errors import Conflict, InvalidInput, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import ChangeList, ChangeView, Document, Listing, Spoken, as_json, change_view, from_row

log = logging.getLogger(__name__)
router = APIRouter(prefix="/v1/calendar-accounts", tags=["calendar"], route_class=StrictRoute)
conflicts_router = APIRouter(prefix="/v1/calendar-conflicts", tags=["calendar"], route_class=StrictRoute)
NO_ADDRESS = (
    "must be an address such as https://cloud.example.com/remote.php/dav, without a user name or password in it"
)
NO_ACCOUNT = "There is no such account."
NO_CALENDAR = "There is no such calendar."
CONNECT_AGAIN = "Connect it again: POST /v1/google-accounts/begin; its calendars stay as they are chosen."
HINT = (
    "Give the address that your server's documentation names for CalDAV, and an app password where it wants one. "
    "A server in your own network has to be in SUMMIT_ALLOWED_NETWORKS."
)


def _web_address(value: str) -> str:
    try:
        parts = urlsplit(value)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError as error:
        raise ValueError(NO_ADDRESS) from error
    if not fine or parts.query or parts.fragment:
        raise ValueError(NO_ADDRESS)
    return value


Address = Annotated[Text, Field(max_length=1000), AfterValidator(_web_address)]
Username = Annotated[Text, Field(min_length=1, max_length=300), Spoken]
Secret = Annotated[Text, Field(min_length=1, max_length=1000)]
AccountName = Annotated[Text, Field(max_length=200), Spoken]


class NewAccount(Document):
    """How to get into an account with calendars."""

    url: Address = Field(
        description="Address of the CalDAV server, or of the account or a calendar on it.",
        examples=["https://cloud.example.com/remote.php/dav"],
    )
    username: Username = Field(examples=["ana"])
    password: Secret = Field(description="Kept sealed; sent to this server and to nobody else.")
    name: AccountName | None = Field(None, description="What to call it; default: the server's name.")


class Entrance(Document):
    """Another password, and user name if that changed too."""

    password: Secret
    username: Username | None = None


class Choice(Document):
    """How a calendar is kept in step; what is left out stays."""

    direction: Direction | None = Field(
        None,
        description="`both`: changes go both ways. `in`: what changes there comes here. `off`: forget it; the events "
        "stay on both sides.",
    )
    collects: Collects | None = Field(
        None,
        description="Which events, or tasks, that began here go into it: `new` ones, `all`, or `none`. Only one of "
        "your calendars collects, and one of your task lists. What came from a calendar is never put into another one.",
    )


class Fate(Document):
    """What is to become of events here that vanished there all at once."""

    delete: bool = Field(strict=True, description="true: delete them here, too. false: write them there again.")


class Decision(Document):
    """Which side is kept."""

    keep: Keep = Field(description="`here`: it is written there. `there`: it is taken over, and can be undone here.")


class AccountView(BaseModel):
    """An account. Its password is never shown again."""

    id: UUID
    name: str
    url: str
    username: str
    created_at: AwareDatetime
    provider: Provider


class SyncedCalendarView(BaseModel):
    """A calendar of an account, or a list of tasks, and how it is; what is said of events is true of its tasks."""

    id: UUID
    account_id: UUID
    url: str
    name: str
    color: str | None
    writable: bool = Field(description="Whether the account may write to it.")
    holds: Holds = Field(description="`events`, or `tasks`; where a server keeps both together, there is one of each.")
    direction: Direction
    collects: Collects
    state: Literal["off", "waiting", "current", "failing", "asks"] = Field(
        description="`waiting`: not looked at yet. `failing`: the last look failed, what is known stays. `asks`: "
        "events vanished there all at once, or were changed on both sides, and you have to say what that means."
    )
    events: int = Field(description="Events on both sides; a series counts once, and each changed occurrence of it.")
    conflicts: int = Field(description="Events that were changed on both sides: /v1/calendar-conflicts.")
    gone: int = Field(description="Events that vanished there all at once; nothing is deleted here until you say so.")
    problems: list[str] = Field(description="What is not carried over, and why; the first 20.")
    error: str | None = Field(description="Why the last look failed.")
    error_at: AwareDatetime | None
    last_synced: AwareDatetime | None = Field(description="When both sides were last in step.")
    next_sync: AwareDatetime | None


class ConflictView(BaseModel):
    """An event or task that was changed on both sides in ways that do not go together; null where it was deleted."""

    id: UUID
    calendar_id: UUID
    calendar: str
    event_id: str | None = Field(description="The event here; null when it was deleted, or is a task.")
    task_id: str | None = Field(description="The task here; null when it was deleted, or is an event.")
    title: str
    holds: Holds
    fields: list[str] = Field(description="What differs: title, time, location, notes, busy, due, done, or existence.")
    here: dict[str, Any] | None
    there: dict[str, Any] | None
    before: dict[str, Any] | None = Field(description="What both sides last agreed on; null if they never did.")
    at: AwareDatetime


@router.get("", operation_id="list_calendar_accounts", summary="List accounts with calendars")
async def list_accounts(accounts: ProvidedAccounts, user_id: Tenant) -> Listing[AccountView]:
    """Accounts with calendars that are, or may be, kept in step; oldest first."""
    found = await accounts.list(user_id)
    return Listing(items=[from_row(AccountView, one) for one in found], next=None)


@router.post(
    "",
    status_code=201,
    operation_id="connect_calendar_account",
    summary="Connect an account with calendars",
    response_model=AccountView,
)
async def connect_account(
    body: NewAccount, accounts: ProvidedAccounts, sync: ProvidedSync, user_id: Tenant, once: Once
) -> Response:
    """Its calendars are listed before this answers; none of them is kept in step until you choose it."""

    async def connect() -> KeptResponse:
        login = Login(body.url, body.username, body.password)
        found = await remote_calendars(sync, login)
        name = body.name or urlsplit(body.url).hostname or "Calendars"
        account = await accounts.connect(user_id, once.origin, name, login, found)
        view = from_row(AccountView, account)
        return KeptResponse(201, as_json(view), {"Location": f"/v1/calendar-accounts/{account.id}"})

    return await once.answer(connect)


@router.get("/{account_id}", operation_id="get_calendar_account", summary="Read about an account")
async def get_account(account_id: UUID, accounts: ProvidedAccounts, user_id: Tenant) -> AccountView:
    """What it is; never its password."""
    found = await accounts.get(user_id, account_id)
    if found is None:
        raise NotFound(NO_ACCOUNT)
    return from_row(AccountView, found)


@router.patch("/{account_id}", operation_id="enter_calendar_account", summary="Give an account another password")
async def enter_account(
    account_id: UUID, body: Entrance, accounts: ProvidedAccounts, sync: ProvidedSync, user_id: Tenant
) -> AccountView:
    """It is tried before it is kept; the list of calendars is read anew."""
    account = await get_account(account_id, accounts, user_id)
    if account.provider == "google":
        raise Conflict("A Google account has no password here.", hint=CONNECT_AGAIN)
    login = Login(account.url, body.username or account.username, body.password)
    await accounts.enter(user_id, account_id, login, await remote_calendars(sync, login))
    return await get_account(account_id, accounts, user_id)


@router.delete(
    "/{account_id}", status_code=204, operation_id="disconnect_calendar_account", summary="Disconnect an account"
)
async def disconnect_account(account_id: UUID, accounts: ProvidedAccounts, sync: ProvidedSync, user_id: Tenant) -> None:
    """Its password is forgotten, and access that was given back to Google. All events stay, here and there."""
    await _give_back(accounts, sync, user_id, account_id)
    if not await accounts.disconnect(user_id, account_id):
        raise NotFound(NO_ACCOUNT)


@router.get(
    "/{account_id}/calendars", operation_id="list_account_calendars", summary="List the calendars of an account"
)
async def list_account_calendars(
    account_id: UUID, accounts: ProvidedAccounts, user_id: Tenant
) -> Listing[SyncedCalendarView]:
    """By name, each with how it is kept in step and how that goes."""
    await get_account(account_id, accounts, user_id)
    found = await accounts.calendars(user_id, account_id)
    return Listing(items=[_view(one) for one in found], next=None)


@router.get(
    "/{account_id}/calendars/{calendar_id}",
    operation_id="get_account_calendar",
    summary="Read about a calendar of an account",
)
async def get_account_calendar(
    account_id: UUID, calendar_id: UUID, accounts: ProvidedAccounts, user_id: Tenant
) -> SyncedCalendarView:
    """How it is."""
    return _view(await _calendar(accounts, user_id, account_id, calendar_id))


@router.patch(
    "/{account_id}/calendars/{calendar_id}",
    operation_id="choose_account_calendar",
    summary="Choose how a calendar is kept in step",
)
async def choose_calendar(
    account_id: UUID, calendar_id: UUID, body: Choice, accounts: ProvidedAccounts, user_id: Tenant
) -> SyncedCalendarView:
    """It is looked at within seconds, then again and again; what changes here is written there within seconds."""
    await _calendar(accounts, user_id, account_id, calendar_id)
    await accounts.choose(user_id, calendar_id, body.direction, body.collects)
    return await get_account_calendar(account_id, calendar_id, accounts, user_id)


@router.post(
    "/{account_id}/calendars/{calendar_id}/sync",
    status_code=202,
    operation_id="sync_account_calendar",
    summary="Look at a calendar now",
    response_model=SyncedCalendarView,
)
async def sync_calendar(
    account_id: UUID, calendar_id: UUID, accounts: ProvidedAccounts, user_id: Tenant, once: Once
) -> Response:
    """Without waiting for the next look."""

    async def look() -> KeptResponse:
        found = await _calendar(accounts, user_id, account_id, calendar_id)
        if found.direction == "off":
            raise Conflict("This calendar is not kept in step.", hint='PATCH it with {"direction": "both"} first.')
        await accounts.look_now(user_id, calendar_id)
        return KeptResponse(202, as_json(_view(await _calendar(accounts, user_id, account_id, calendar_id))))

    return await once.answer(look)


@router.post(
    "/{account_id}/calendars/{calendar_id}/gone",
    operation_id="settle_gone_events",
    summary="Say what becomes of events that vanished",
    response_model=SyncedCalendarView,
)
async def settle_gone(
    account_id: UUID, calendar_id: UUID, body: Fate, accounts: ProvidedAccounts, user_id: Tenant, once: Once
) -> Response:
    """Much that is gone at once may be a mishap: nothing is deleted here until you say so, which can be undone."""

    async def settle() -> KeptResponse:
        await _calendar(accounts, user_id, account_id, calendar_id)
        if not await accounts.settle_gone(user_id, calendar_id, delete=body.delete):
            raise Conflict("No events of this calendar vanished.", hint="`gone` of the calendar says how many did.")
        return KeptResponse(200, as_json(_view(await _calendar(accounts, user_id, account_id, calendar_id))))

    return await once.answer(settle)


@conflicts_router.get("", operation_id="list_calendar_conflicts", summary="List events changed on both sides")
async def list_conflicts(accounts: ProvidedAccounts, user_id: Tenant) -> Listing[ConflictView]:
    """Each with both sides; nothing of them is carried over until you decide. The oldest 200."""
    found = await accounts.conflicts(user_id)
    return Listing(items=[_conflict_view(one) for one in found], next=None)


@conflicts_router.post(
    "/{conflict_id}/resolve",
    operation_id="resolve_calendar_conflict",
    summary="Decide which side is kept",
    response_model=ChangeList,
)
async def resolve_conflict(
    conflict_id: UUID, body: Decision, accounts: ProvidedAccounts, user_id: Tenant, once: Once
) -> Response:
    """Answers with the changes here that follow; each can be undone."""

    async def resolve() -> KeptResponse:
        changes = await accounts.resolve(user_id, conflict_id, body.keep)
        if changes is None:
            raise NotFound("Nothing waits for a decision under this id.", hint="GET /v1/calendar-conflicts lists them.")
        shown: list[ChangeView] = [change_view(change) for change in changes]
        return KeptResponse(200, as_json(ChangeList(changes=shown)))

    return await once.answer(resolve)


async def remote_calendars(sync: CalendarSync, login: Login) -> list[RemoteCalendar]:
    """What the account has. Raises InvalidInput."""
    try:
        return list(await sync.find(login))
    except (RemoteRefused, RemoteFailed) as problem:
        raise InvalidInput(str(problem), hint=HINT) from problem


async def _give_back(accounts: CalendarAccounts, sync: CalendarSync, user_id: UUID, account_id: UUID) -> None:
    """Let Google forget the access; where it cannot be told, the account goes all the same."""
    try:
        login = await accounts.login(user_id, account_id)
        if login and login.provider == "google":
            await sync.google.revoke(login)
    except (RemoteRefused, RemoteFailed, KeyUnreadable) as problem:
        log.warning("the access to account %s could not be given back: %s", account_id, problem)


async def _calendar(accounts: CalendarAccounts, user_id: UUID, account_id: UUID, calendar_id: UUID) -> SyncedCalendar:
    found = await accounts.calendar(user_id, account_id, calendar_id)
    if found is None:
        raise NotFound(NO_CALENDAR)
    return found


def _view(calendar: SyncedCalendar) -> SyncedCalendarView:
    return SyncedCalendarView.model_validate({**vars(calendar), "state": _state(calendar)})


def _conflict_view(conflict: SyncConflict) -> ConflictView:
    ids = {"events": "event_id", "tasks": "task_id"}
    known = dict.fromkeys(ids.values()) | {ids[conflict.holds]: conflict.record_id}
    return ConflictView.model_validate({**vars(conflict), **known})


def _state(calendar: SyncedCalendar) -> str:
    if calendar.direction == "off":
        return "off"
    if calendar.gone or calendar.conflicts:
        return "asks"
    if calendar.error:
        return "failing"
    return "current" if calendar.last_synced else "waiting"
