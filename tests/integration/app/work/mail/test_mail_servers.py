"""Mail by real servers: read without a trace, sent to all or to nobody, and no server harms the one that asks."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

import pytest

from app.work.mail.model import (
    MailLogin,
    MailRefused,
    MailSearch,
    MailServer,
    MailUnknown,
    MailUnreachable,
    OutgoingMail,
    Security,
)
from app.work.mail.servers.mail_servers import SafeMailServers
from app.work.mail.servers.mail_text import read_mail
from tests.support.peers.mailservers import PASSWORD, USER, PostOffice, free_port, post_office
from tests.support.waiting import HANG_SECONDS

HERE = [ip_network("127.0.0.0/8"), ip_network("::1/128")]
PAGE = b"""From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>\r\nSubject: The roof\r\nDate: Tue, 24 Nov 2026 10:00:00 +0000\r
Content-Type: text/html; charset=utf-8\r\n\r\n<style>p {}</style><p>4,200 euros &amp; more</p><p>J\xc3\xbcrgen</p>"""
PLAIN = b"From: bob@example.org\r\nSubject: Lunch\r\n\r\nAt noon?\r\n"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostOffice]:
    with post_office(tmp_path_factory.mktemp("post")) as found:
        found.append(PAGE)
        found.append(PLAIN)
        yield found


@pytest.fixture(autouse=True)
def _nothing_came(office: PostOffice) -> None:
    office.came.clear()
    office.envelopes.clear()
    office.refuses.clear()
    office.breaks_off = False


def login(office: PostOffice, password: str = PASSWORD) -> MailLogin:
    imap, smtp = (MailServer("localhost", port, "starttls") for port in (office.imap_port, office.smtp_port))
    return MailLogin(USER, USER, password, imap, smtp)


def servers(office: PostOffice, **values: Any) -> SafeMailServers:
    return SafeMailServers(HERE, **{"seconds": HANG_SECONDS, "authorities": office.authority, **values})


def search(**values: Any) -> MailSearch:
    defaults = {"folder": "INBOX", "unread": False, "sender": "", "subject": "", "days": 7, "most": 5}
    return MailSearch(**{**defaults, **values})


def mail(*recipients: str, text: str = "Hello.\n.\nBye.") -> OutgoingMail:
    asked = datetime(2026, 11, 24, 10, tzinfo=UTC)
    told = ("Übergabe", text, "w", uuid4(), "sending", "", 1, None, asked, asked, None)
    return OutgoingMail(uuid4(), uuid4(), uuid4(), "work", USER, recipients, *told)  # type: ignore[arg-type]


async def test_mail_is_read_by_words_and_nobody_sees_that_it_was(office: PostOffice) -> None:
    found = await servers(office).read(login(office), search())
    assert [one.subject for one in found] == ["Lunch", "The roof"]
    assert found[0].text == "At noon?"
    [roof] = await servers(office).read(login(office), search(sender="jürgen", subject="ROOF", unread=True))
    assert (roof.sender, roof.text) == ("Jürgen <j@example.org>", "4,200 euros & more \nJürgen")
    assert office.unread() == 2
    assert await servers(office).read(login(office), search(subject="nothing")) == []


async def test_a_folder_that_is_not_there_and_a_wrong_password_are_told(office: PostOffice) -> None:
    with pytest.raises(MailRefused, match="no folder Attic"):
        await servers(office).read(login(office), search(folder="Attic"))
    for one in (login(office, "wrong"), MailLogin(USER, USER, "wrong", smtp=login(office).smtp)):
        with pytest.raises(MailRefused, match="does not take this user name and password"):
            await servers(office).check(one)
    await servers(office).check(login(office))


async def test_a_server_has_to_prove_its_name_and_be_allowed(office: PostOffice) -> None:
    with pytest.raises(MailRefused, match="certificate of localhost"):
        await servers(office, authorities=None).check(login(office))
    with pytest.raises(MailRefused, match="inside a private network"):
        await SafeMailServers(seconds=HANG_SECONDS).check(login(office))

    async def public(_host: str, _port: int) -> Sequence[str]:
        return ["1.1.1.1"]

    bare = MailLogin(USER, USER, PASSWORD, MailServer("mail.example.org", 143, "none"))
    with pytest.raises(MailRefused, match="the password could be read"):
        await SafeMailServers(seconds=HANG_SECONDS, resolving=public).check(bare)


async def test_mail_goes_out_to_all_or_to_nobody(office: PostOffice) -> None:
    one = mail("bob@example.org", "dora@example.org")
    await servers(office).send(login(office), one)
    [came] = office.came
    assert office.envelopes == [["bob@example.org", "dora@example.org"]]
    assert (came["Subject"], came["To"]) == ("Übergabe", "bob@example.org, dora@example.org")
    assert came["Message-ID"] == f"<{one.id}@example.org>"
    assert came.get_content().splitlines() == ["Hello.", ".", "Bye."]
    office.refuses.add("dora@example.org")
    with pytest.raises(MailRefused, match=r"no mail for dora@example.org \(550\); nobody got it"):
        await servers(office).send(login(office), one)
    assert len(office.came) == 1


async def test_a_connection_that_breaks_after_the_words_leaves_nobody_sure(office: PostOffice) -> None:
    office.breaks_off = True
    with pytest.raises(MailUnknown):
        await servers(office).send(login(office), mail("bob@example.org"))


async def test_a_dead_server_is_told_with_its_place(office: PostOffice) -> None:
    port = free_port()
    dead = MailLogin(USER, USER, PASSWORD, MailServer("localhost", port, "tls"), MailServer("localhost", port, "tls"))
    for work in (servers(office).check(dead), servers(office).send(dead, mail("bob@example.org"))):
        with pytest.raises(MailUnreachable, match=f"localhost does not answer at port {port}"):
            await work


@contextmanager
def speaking(*lines: bytes, security: Security = "none") -> Iterator[MailServer]:
    """A server that says its lines, one for each that it hears, and then nothing for as long as it is let."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as heard:
                for line in lines:
                    connection.sendall(line)
                    if line is not lines[-1]:
                        heard.readline()
                done.wait(2 * HANG_SECONDS)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield MailServer("localhost", listening.getsockname()[1], security)
        done.set()
        thread.join()


@pytest.mark.parametrize("kind", ["imap", "smtp"])
async def test_a_silent_server_takes_no_longer_than_it_may(office: PostOffice, kind: str) -> None:
    with speaking(b"") as silent:
        one = MailLogin(USER, USER, PASSWORD, **{kind: silent})
        with pytest.raises(MailUnreachable, match=r"did not answer within 0\.2 seconds"):
            await servers(office, seconds=0.2).check(one)


async def test_a_goodbye_that_never_comes_leaves_it_sent(office: PostOffice) -> None:
    taken = (
        b"220 here\r\n",
        b"250-here\r\n250 AUTH PLAIN\r\n",
        b"235 you\r\n",
        b"250 from\r\n",
        b"250 to\r\n",
        b"354 go on\r\n",
    )
    with speaking(*taken, b"250 taken\r\n") as polite:
        await servers(office).send(MailLogin(USER, USER, PASSWORD, smtp=polite), mail("bob@example.org"))


async def test_a_server_that_says_too_much_is_not_listened_to(office: PostOffice) -> None:
    greeting = b"* OK here\r\n"
    refused = pytest.raises(MailRefused, match="more than is read at once")
    with speaking(greeting, b"* X {9999999999}\r\n") as endless, refused:
        await servers(office).check(MailLogin(USER, USER, PASSWORD, imap=endless))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"Content-Type: text/plain; charset=nonsense\r\n\r\nx\xff", "(This mail could not be read.)"),
        (b"Subject: a\x00b\r\n\r\n\x00\x1bred", "red"),
        (b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n\r\ncut', "cut"),
    ],
)
def test_what_is_no_proper_mail_is_read_as_far_as_it_goes(raw: bytes, text: str) -> None:
    assert read_mail(raw, 100)["text"] == text
