"""``summit mail`` as people run it: accounts of a real mail server, and mail that waits for a yes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.databases import temporary_database
from tests.support.peers.mailservers import PASSWORD, USER, PostOffice, post_office
from tests.support.servers import forked
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.servers.workflows import run, until, written

Done = subprocess.CompletedProcess[str]
Mail = Callable[..., Done]
TEXT = "Is the roof ready?\n\nAna"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostOffice]:
    with post_office(tmp_path_factory.mktemp("post")) as found:
        yield found


@pytest.fixture(scope="module")
def base(
    postgres_url: str, migrated_template: str, office: PostOffice, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    nearby = {"allowed_networks": ["127.0.0.0/8", "::1/128"], "mail_ca_file": office.authority, "mail_seconds": 120}
    for database in temporary_database(postgres_url, migrated_template):
        settings = settings_for(database, tmp_path_factory.mktemp("mail"), workers_in_process=True, **nearby)
        with live_server(settings) as found:
            yield found


@pytest.fixture
def user(base: str, office: PostOffice) -> Iterator[httpx.Client]:
    office.came.clear()
    office.breaks_off = False
    with plain_client(base, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        key = admin.post("/v1/users", json={"name": "Ana"}).json()["api_key"]
    with plain_client(base, {"Authorization": f"Bearer {key}"}) as client:
        yield client


@pytest.fixture
def mail(user: httpx.Client, base: str) -> Mail:
    """The finished process of one command."""
    environment = {**os.environ, "SUMMIT_API_KEY": user.headers["Authorization"].removeprefix("Bearer ")}

    def finished(*words: str, said: str = "", url: str = base) -> Done:
        return forked.summit("mail", *words, "--url", url, environment=environment, said=said.encode())

    return finished


def connect(mail: Mail, office: PostOffice, password: str = PASSWORD) -> Done:
    servers = [f"--imap=localhost:{office.imap_port}", f"--smtp=localhost:{office.smtp_port}", "--security=starttls"]
    return mail("connect", "work", USER, *servers, said=f"{password}\n")


def held(user: httpx.Client, text: str = TEXT) -> str:
    """The id of one mail that waits."""
    step = {"kind": "mail_send", "account": "work", "to": ["bob@example.org"], "subject": "The roof", "text": text}
    written(user, "ask", {"id": "send", **step})
    return str(run(user, "ask")["steps"][0]["details"]["mail_id"])


def ended(user: httpx.Client, mail_id: str, status: str) -> None:
    found: dict[str, Any] = until(
        lambda: user.get(f"/v1/outgoing-mail/{mail_id}").json(),
        lambda one: one["status"] in ("sent", "failed", "unknown"),
    )
    assert found["status"] == status, found


def test_an_account_is_connected_listed_and_forgotten(mail: Mail, office: PostOffice) -> None:
    assert connect(mail, office).stdout == "work is connected. Steps name it: account: work\n"
    servers = f"imap localhost:{office.imap_port}  smtp localhost:{office.smtp_port}"
    listed = mail("list")
    assert listed.returncode == 0
    assert listed.stdout.startswith(f"work  {USER}  {servers}  ")
    assert PASSWORD not in listed.stdout
    again = connect(mail, office)
    assert (again.returncode, again.stdout) == (1, "")
    assert "Give this one another name." in again.stderr
    assert mail("disconnect", "work").stdout == "work is disconnected, and its password forgotten.\n"
    gone = mail("disconnect", "work")
    told = "summit: No mail account is called work; `summit mail list` shows them.\n"
    assert (gone.returncode, gone.stderr) == (1, told)
    assert mail("list").stdout == ""


def test_an_account_that_does_not_work_is_not_kept(mail: Mail, office: PostOffice, tmp_path: Path) -> None:
    wrong = connect(mail, office, password="wrong")
    assert (wrong.returncode, "does not take this user name and password" in wrong.stderr) == (1, True)
    assert connect(mail, office, password="").stderr == "summit: No password was given.\n"
    neither = mail("connect", "work", USER, said=f"{PASSWORD}\n")
    assert (neither.returncode, "imap" in neither.stderr, "smtp" in neither.stderr) == (1, True, True)
    assert mail("list").stdout == ""


def test_mail_that_waits_is_shown_whole_and_goes_out_once_by_a_yes(
    mail: Mail, user: httpx.Client, office: PostOffice
) -> None:
    connect(mail, office)
    waiting = held(user)
    shown = mail("list").stdout.splitlines()[1:]
    assert shown == [f"{waiting}  held  to bob@example.org: The roof", "    Is the roof ready?", "    Ana"]
    assert office.came == []
    assert mail("approve", waiting).stdout == "It goes out to bob@example.org.\n"
    ended(user, waiting, "sent")
    again = mail("approve", waiting)
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr.startswith("summit: This mail is sent; there is nothing to decide. ")
    assert [one["Subject"] for one in office.came] == ["The roof"]
    assert len(mail("list").stdout.splitlines()) == 1


def test_a_no_drops_it(mail: Mail, user: httpx.Client, office: PostOffice) -> None:
    connect(mail, office)
    waiting = held(user)
    assert mail("reject", waiting).stdout == "It is dropped.\n"
    assert mail("approve", waiting).returncode == 1
    assert office.came == []


def test_of_what_nobody_knows_is_said_and_sent_again_only_by_a_yes(
    mail: Mail, user: httpx.Client, office: PostOffice
) -> None:
    connect(mail, office)
    waiting = held(user)
    office.breaks_off = True
    mail("approve", waiting)
    ended(user, waiting, "unknown")
    head, why = mail("list").stdout.splitlines()[1:3]
    assert head == f"{waiting}  unknown  to bob@example.org: The roof"
    assert why.strip() == user.get(f"/v1/outgoing-mail/{waiting}").json()["message"]
    assert len(office.came) == 1
    office.breaks_off = False
    assert mail("approve", waiting).returncode == 0
    ended(user, waiting, "sent")
    assert len(office.came) == 2


def test_words_of_others_do_nothing_to_the_terminal(mail: Mail, user: httpx.Client, office: PostOffice) -> None:
    connect(mail, office)
    held(user, "Dear Bob,\n\x1b[8mmy pin is 1234\x1b[0m\x1b[1A\x1b[2K")
    shown = mail("list").stdout
    assert "my pin is 1234" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("nothing", "No item has that id."),
        (
            "0b1c7c3e-54a5-4a0e-9d0c-2f6f3c1f8d11",
            "There is no such mail. GET /v1/outgoing-mail lists what workflows wrote.",
        ),
        ("../users", "This path leads nowhere."),
    ],
)
def test_an_id_that_is_none_is_told(mail: Mail, wrong: str, told: str) -> None:
    for action in ("approve", "reject"):
        done = mail(action, wrong)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"summit: {told}")
        assert done.stderr.count("\n") == 1


def test_without_a_server_it_says_how_to_start_one(mail: Mail) -> None:
    done = mail("list", url="http://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "summit serve" in done.stderr
