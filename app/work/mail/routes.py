"""Mail of users: the accounts that workflows read and write with, and what waits for a yes before it is sent."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, BaseModel, Field, StringConstraints, model_validator

from agents.records import Text
from app.errors import Conflict, InvalidInput, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Tenant
from app.http.replay import KeptResponse, Once
from app.http.schemas import Cursor, Document, Limit, Listing, Spoken, as_json, from_row
from app.work.mail.model import (
    ADDRESS,
    MailLogin,
    MailRefused,
    MailServer,
    MailStatus,
    MailUnreachable,
    OutgoingMail,
    Security,
)
from app.work.mail.services import MailServices, ProvidedMail

router = APIRouter(prefix="/v1/mail-accounts", tags=["mail"], route_class=StrictRoute)
outgoing_router = APIRouter(prefix="/v1/outgoing-mail", tags=["mail"], route_class=StrictRoute)
NO_ACCOUNT = "There is no such mail account."
NO_MAIL = "There is no such mail."
SERVERS_HINT = (
    "Give the servers that your provider names for IMAP and SMTP, and an app password where it wants one. A server in "
    "your own network has to be in SUMMIT_ALLOWED_NETWORKS."
)
DECIDED = "This mail is {status}; there is nothing to decide."
ONE_LINE = r"^[^\x00-\x1f\x7f]+$"
PORTS = {"imap": {"tls": 993, "starttls": 143, "none": 143}, "smtp": {"tls": 465, "starttls": 587, "none": 25}}

Host = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$", max_length=253)]
# A line break would begin another command of the conversation with a server.
Username = Annotated[Text, Field(min_length=1, max_length=300, pattern=ONE_LINE), Spoken]
Secret = Annotated[Text, Field(min_length=1, max_length=1000, pattern=ONE_LINE)]
Name = Annotated[str, StringConstraints(pattern=r"^[^\s{}](?:[^\n\r\t{}]*[^\s{}])?$", max_length=80), Spoken]
Address = Annotated[str, StringConstraints(pattern=f"^{ADDRESS.pattern}$", max_length=254)]
Waiting = Annotated[bool, Query(description="Only what you may still send or drop.")]


class Server(Document):
    """Where a server is."""

    host: Host = Field(examples=["imap.example.org"])
    port: int | None = Field(None, ge=1, le=65535, strict=True, description="Left out: the usual one.")
    security: Security = Field(
        "tls", description="`tls`: encrypted from the start. `starttls`: soon after. `none`: in your own network only."
    )


class NewMailAccount(Document):
    """How to get into an account; leave out the server of what workflows are not to do."""

    name: Name = Field(description="What steps call it.", examples=["work"])
    address: Address = Field(description="What it sends from.", examples=["ana@example.org"])
    username: Username | None = Field(None, description="Left out: the address.")
    password: Secret = Field(description="Kept sealed; sent to these servers and to nobody else.")
    imap: Server | None = Field(None, description="To read with.")
    smtp: Server | None = Field(None, description="To send with.")

    @model_validator(mode="after")
    def _does_something(self) -> NewMailAccount:
        if not (self.imap or self.smtp):
            raise ValueError("give `imap` to read, `smtp` to send, or both")
        return self


class MailEntrance(Document):
    """Another password, and user name if that changed too."""

    password: Secret
    username: Username | None = None


class MailAccountView(BaseModel):
    """An account. Its password is never shown again."""

    id: UUID
    name: str
    address: str
    username: str
    imap: dict[str, Any] | None
    smtp: dict[str, Any] | None
    created_at: AwareDatetime


class OutgoingMailView(BaseModel):
    """Mail that a workflow wrote, as it is or was to be sent."""

    id: UUID
    account: str
    sender: str
    recipients: list[str]
    subject: str
    text: str
    workflow: str = Field(description="The workflow whose step wrote it.")
    run_id: UUID
    status: MailStatus = Field(
        description="`held`: it waits for your yes. `approved`, `sending`: it is about to go out. `sent`. `failed`: it "
        "did not go out, and `message` says why. `unknown`: nobody knows whether it did. `rejected`: you dropped it."
    )
    message: str
    created_at: AwareDatetime
    decided_at: AwareDatetime | None
    sent_at: AwareDatetime | None


@router.get("", operation_id="list_mail_accounts", summary="List mail accounts")
async def list_mail_accounts(mail: ProvidedMail, user_id: Tenant) -> Listing[MailAccountView]:
    """By name."""
    found = await mail.accounts.list(user_id)
    return Listing(items=[from_row(MailAccountView, one) for one in found], next=None)


@router.post(
    "",
    status_code=201,
    operation_id="connect_mail_account",
    summary="Connect a mail account",
    response_model=MailAccountView,
)
async def connect_mail_account(body: NewMailAccount, mail: ProvidedMail, user_id: Tenant, once: Once) -> Response:
    """It is signed in to before it is kept."""

    async def connect() -> KeptResponse:
        servers = {name: _server(name, getattr(body, name)) for name in ("imap", "smtp")}
        login = MailLogin(body.address, body.username or body.address, body.password, **servers)
        await _check_login(mail, login)
        account = await mail.accounts.connect(user_id, once.origin, body.name, login)
        return KeptResponse(
            201, as_json(from_row(MailAccountView, account)), {"Location": f"/v1/mail-accounts/{account.id}"}
        )

    return await once.answer(connect)


@router.get("/{account_id}", operation_id="get_mail_account", summary="Read about a mail account")
async def get_mail_account(account_id: UUID, mail: ProvidedMail, user_id: Tenant) -> MailAccountView:
    """What it is; never its password."""
    found = await mail.accounts.get(user_id, account_id)
    if found is None:
        raise NotFound(NO_ACCOUNT)
    return from_row(MailAccountView, found)


@router.patch("/{account_id}", operation_id="enter_mail_account", summary="Give a mail account another password")
async def enter_mail_account(
    account_id: UUID, body: MailEntrance, mail: ProvidedMail, user_id: Tenant
) -> MailAccountView:
    """It is tried before it is kept."""
    known = await get_mail_account(account_id, mail, user_id)
    username = body.username or known.username
    servers = {name: MailServer(**row) if row else None for name, row in (("imap", known.imap), ("smtp", known.smtp))}
    await _check_login(mail, MailLogin(known.address, username, body.password, **servers))
    await mail.accounts.enter(user_id, account_id, username, body.password)
    return await get_mail_account(account_id, mail, user_id)


@router.delete(
    "/{account_id}", status_code=204, operation_id="disconnect_mail_account", summary="Disconnect a mail account"
)
async def disconnect_mail_account(account_id: UUID, mail: ProvidedMail, user_id: Tenant) -> None:
    """Its password is forgotten; what waits to be sent from it cannot be sent any more."""
    if not await mail.accounts.disconnect(user_id, account_id):
        raise NotFound(NO_ACCOUNT)


@outgoing_router.get("", operation_id="list_outgoing_mail", summary="List mail that workflows wrote")
async def list_outgoing_mail(
    mail: ProvidedMail, user_id: Tenant, limit: Limit = 50, cursor: Cursor = None, *, waiting: Waiting = False
) -> Listing[OutgoingMailView]:
    """The latest first. Nothing of it goes out without your yes."""
    found = await mail.out.list(user_id, limit, cursor, waiting=waiting)
    return Listing(items=[from_row(OutgoingMailView, one) for one in found.items], next=found.next)


@outgoing_router.get("/{mail_id}", operation_id="get_outgoing_mail", summary="Read mail that a workflow wrote")
async def get_outgoing_mail(mail_id: UUID, mail: ProvidedMail, user_id: Tenant) -> OutgoingMailView:
    """As it is or was to be sent."""
    return from_row(OutgoingMailView, await _mail(mail, user_id, mail_id))


@outgoing_router.post(
    "/{mail_id}/approve",
    status_code=202,
    operation_id="approve_outgoing_mail",
    summary="Send mail",
    response_model=OutgoingMailView,
)
async def approve_outgoing_mail(mail_id: UUID, mail: ProvidedMail, user_id: Tenant, once: Once) -> Response:
    """It goes out within seconds. Where nobody knows whether it did, this sends it again."""
    return await once.answer(lambda: _decide_mail(mail, user_id, mail_id, send=True))


@outgoing_router.post(
    "/{mail_id}/reject", operation_id="reject_outgoing_mail", summary="Drop mail", response_model=OutgoingMailView
)
async def reject_outgoing_mail(mail_id: UUID, mail: ProvidedMail, user_id: Tenant, once: Once) -> Response:
    """It is not sent (again)."""
    return await once.answer(lambda: _decide_mail(mail, user_id, mail_id, send=False))


async def _decide_mail(mail: MailServices, user_id: UUID, mail_id: UUID, *, send: bool) -> KeptResponse:
    waiting = await _mail(mail, user_id, mail_id)
    if send and await mail.accounts.get(user_id, waiting.account_id) is None:
        hint = "Connect the account and run the workflow again; drop this one."
        raise Conflict("The account that it was to be sent from is not connected any more.", hint=hint)
    decided = await mail.out.decide(user_id, mail_id, send=send)
    if decided is None:
        status = (await _mail(mail, user_id, mail_id)).status
        raise Conflict(DECIDED.format(status=status), hint="GET /v1/outgoing-mail?waiting=true lists what waits.")
    return KeptResponse(202 if send else 200, as_json(from_row(OutgoingMailView, decided)))


async def _mail(mail: MailServices, user_id: UUID, mail_id: UUID) -> OutgoingMail:
    found = await mail.out.get(user_id, mail_id)
    if found is None:
        raise NotFound(NO_MAIL, hint="GET /v1/outgoing-mail lists what workflows wrote.")
    return found


def _server(kind: str, given: Server | None) -> MailServer | None:
    if given is None:
        return None
    return MailServer(given.host, given.port or PORTS[kind][given.security], given.security)


async def _check_login(mail: MailServices, login: MailLogin) -> None:
    try:
        await mail.servers.check(login)
    except (MailRefused, MailUnreachable) as problem:
        raise InvalidInput(str(problem), hint=SERVERS_HINT) from problem
