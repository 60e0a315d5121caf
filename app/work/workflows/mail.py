"""Steps that read mail, and steps that write it: what they write waits for its user, however the step is configured."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid5

from app.database.model import KeyUnreadable
from app.errors import Conflict
from app.work.mail.model import (
    ADDRESS,
    MailAccount,
    MailLogin,
    MailRefused,
    MailSearch,
    MailUnreachable,
    NewMail,
    ReadMail,
)
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.store.accounts import PostgresMailAccounts
from app.work.mail.store.outgoing import Outbox
from app.work.workflows.definition import MailRead, MailSend
from app.work.workflows.model import StepEnd
from app.work.workflows.trying import StepFailed, Try

MAIL_SEPARATOR = "\n\n---\n\n"
NO_ACCOUNT = "there is no mail account called {name}; there are: {names}. Connect one with POST /v1/mail-accounts"
NO_PASSWORD = "the password of the mail account cannot be read any more; enter it again"  # noqa: S105 - a sentence
CANNOT_SEND = "the mail account {name} only reads; give it an SMTP server to send with"
NO_ADDRESS = "“{text}” is no mail address such as ana@example.org, so nothing was written"
EMPTY = "the mail has no {what}, so nothing was written"
WAITS = "Mail to {to} needs your confirmation: “{subject}”."


class MailOfSteps:
    """Steps that read and write mail; see app.work.workflows.mail.MailOfSteps. An output has ``most_chars``."""

    def __init__(
        self, accounts: PostgresMailAccounts, out: Outbox, servers: SafeMailServers, *, most_chars: int
    ) -> None:
        self._accounts = accounts
        self._out = out
        self._servers = servers
        self._most_chars = most_chars

    async def read(self, one: Try, step: MailRead) -> StepEnd:
        """Read; raises StepFailed."""
        user_id = one.run.user_id
        login = await self._login(user_id, await self._account(user_id, step.account))
        words = {"sender": one.fill_in(step.sender), "subject": one.fill_in(step.subject)}
        search = MailSearch(folder=step.folder, unread=step.unread, days=step.days, most=step.most, **words)
        try:
            found = await self._servers.read(login, search)
        except MailRefused as refused:
            raise StepFailed(str(refused), again=False) from refused
        except MailUnreachable as failed:
            raise StepFailed(str(failed)) from failed
        listed = [{"id": mail.id, "sender": mail.sender, "subject": mail.subject, "date": mail.date} for mail in found]
        return StepEnd("done", _format_mails(found)[: self._most_chars], {"mails": listed})

    async def hold(self, one: Try, step: MailSend) -> StepEnd:
        """Keep mail until its user says yes; its id is made of the run and the step, so that it is written once."""
        run = one.run
        account = await self._account(run.user_id, step.account)
        if account.smtp is None:
            raise StepFailed(CANNOT_SEND.format(name=account.name), again=False)
        new = NewMail(
            user_id=run.user_id,
            id=uuid5(run.id, f"mail {step.id}"),
            account=account,
            recipients=_addresses([one.fill_in(address) for address in step.to]),
            subject=_require_text("subject", " ".join(one.fill_in(step.subject).split())[:300]),
            text=_require_text("text", one.fill_in(step.text).strip()[: self._most_chars]),
            workflow=one.definition.slug,
            run_id=run.id,
        )
        try:
            kept = await self._out.hold(new)
        except Conflict as full:
            raise StepFailed(f"{full.detail} {full.hint}", again=False) from full
        told = WAITS.format(to=", ".join(kept.recipients), subject=kept.subject)
        return StepEnd("done", told, {"mail_id": str(kept.id), "waits": kept.status == "held"})

    async def _account(self, user_id: UUID, name: str) -> MailAccount:
        known = {one.name: one for one in await self._accounts.list(user_id)}
        if name not in known:
            raise StepFailed(NO_ACCOUNT.format(name=name, names=", ".join(known) or "none"), again=False)
        return known[name]

    async def _login(self, user_id: UUID, account: MailAccount) -> MailLogin:
        try:
            login = await self._accounts.login(user_id, account.id)
        except KeyUnreadable as error:
            raise StepFailed(NO_PASSWORD, again=False) from error
        if login is None:
            raise StepFailed(NO_ACCOUNT.format(name=account.name, names="it was disconnected just now"), again=False)
        return login


def _addresses(texts: Sequence[str]) -> list[str]:
    found = list(dict.fromkeys(text.strip() for text in texts))
    for text in found:
        if not ADDRESS.fullmatch(text):
            raise StepFailed(NO_ADDRESS.format(text=text[:100]), again=False)
    return found


def _require_text(what: str, text: str) -> str:
    if not text:
        raise StepFailed(EMPTY.format(what=what), again=False)
    return text


def _format_mails(found: Sequence[ReadMail]) -> str:
    heads = [(f"From: {one.sender}\nDate: {one.date}\nSubject: {one.subject}", one.text) for one in found]
    return MAIL_SEPARATOR.join(f"{head}\n\n{text}".strip() for head, text in heads)
