"""Mail over real TLS: who cannot prove his name gets neither mail nor password."""

from __future__ import annotations

import traceback
from pathlib import Path
from ssl import SSLContext
from typing import Any

import pytest
from pydantic import ValidationError

from app.records.mail import SmtpMail
from app.records.model.notices import MailFailed
from app.settings import Settings
from tests.support.peers.certificate import certificate_for
from tests.support.peers.mailbox import Login, Mailbox, mailbox

PASSWORD = "hunter2hunter2"
KNOWN: dict[str, Any] = {"smtp_username": "summit", "smtp_password": PASSWORD}


@pytest.fixture
def tls(tmp_path: Path) -> SSLContext:
    """What a server that is called localhost speaks; its certificate lies in the folder."""
    return certificate_for("localhost", tmp_path)[0]


def speaking(tls: SSLContext, security: str) -> dict[str, Any]:
    """How a server does it."""
    return {"password": PASSWORD, ("starttls" if security == "starttls" else "implicit"): tls}


def mailer(box: Mailbox, **values: Any) -> SmtpMail:
    defaults = {"smtp_host": "localhost", "smtp_port": box.port, "outbound_seconds": 60}
    return SmtpMail(Settings(_env_file=None, **{**defaults, **values}))


async def send(mail: SmtpMail) -> None:
    await mail.send("ana@example.org", "call\nmom", "Reminder: “call mom”.", "1")


async def failure(mail: SmtpMail) -> MailFailed:
    with pytest.raises(MailFailed) as caught:
        await send(mail)
    assert PASSWORD not in "".join(traceback.format_exception(caught.value))
    return caught.value


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_mail_and_password_travel_encrypted(tls: SSLContext, tmp_path: Path, security: str) -> None:
    with mailbox(**speaking(tls, security)) as box:
        await send(mailer(box, smtp_security=security, smtp_ca_file=tmp_path / "server.pem", **KNOWN))
    [letter] = box.messages
    assert (letter.recipients, letter.document["Subject"]) == (["ana@example.org"], "call mom")
    assert letter.document.get_content().strip() == "Reminder: “call mom”."
    assert (letter.encrypted, box.logins) == (True, [Login("summit", PASSWORD, encrypted=True)])


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_certificate_that_nobody_vouches_for_is_refused(tls: SSLContext, security: str) -> None:
    with mailbox(**speaking(tls, security)) as box:
        failed = await failure(mailer(box, smtp_security=security, **KNOWN))
    assert (str(failed), failed.final, box.logins, box.messages) == ("SSLCertVerificationError", False, [], [])


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_certificate_of_another_name_is_refused(tmp_path: Path, security: str) -> None:
    other = certificate_for("mail.example.org", tmp_path)[0]
    with mailbox(**speaking(other, security)) as box:
        failed = await failure(mailer(box, smtp_security=security, smtp_ca_file=tmp_path / "server.pem", **KNOWN))
    assert (str(failed), box.logins, box.messages) == ("SSLCertVerificationError", [], [])


async def test_a_server_that_offers_no_tls_gets_nothing(tls: SSLContext) -> None:
    with mailbox(password=PASSWORD) as box:
        failed = await failure(mailer(box, smtp_security="starttls", **KNOWN))
    assert (str(failed), box.logins, box.messages) == ("SMTPNotSupportedError", [], [])


async def test_within_this_machine_a_password_may_travel_as_it_is() -> None:
    with mailbox(password=PASSWORD) as box:
        await send(mailer(box, smtp_security="none", **KNOWN))
    assert (len(box.messages), box.logins) == (1, [Login("summit", PASSWORD, encrypted=False)])


def test_to_other_machines_it_may_not() -> None:
    with pytest.raises(ValidationError, match="use starttls or tls"):
        Settings(_env_file=None, smtp_host="mail.example.org", smtp_security="none", **KNOWN)


async def test_a_wrong_password_is_told_without_it_and_tried_again(tls: SSLContext, tmp_path: Path) -> None:
    with mailbox(starttls=tls, password="another") as box:
        failed = await failure(mailer(box, smtp_ca_file=tmp_path / "server.pem", **KNOWN))
    assert (str(failed), failed.final, box.messages) == ("SMTPAuthenticationError", False, [])


@pytest.mark.parametrize(("refusal", "final"), [(b"550 nobody here\r\n", True), (b"451 come back later\r\n", False)])
async def test_a_recipient_is_given_up_when_the_server_means_it(refusal: bytes, *, final: bool) -> None:
    with mailbox(refusal=refusal) as box:
        failed = await failure(mailer(box, smtp_security="none"))
    assert (str(failed), failed.final) == ("SMTPRecipientsRefused", final)
