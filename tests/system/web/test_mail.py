"""Mail that waits, in a browser: it shows all that it says, goes out by a tap, or is dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.databases import temporary_database
from tests.support.peers.mailservers import PASSWORD, USER, PostOffice, post_office
from tests.support.servers.running import RunningServer, running
from tests.system.web.conftest import ADMIN, Visitor, becomes, eventually

TEXT = "Is it ready? <b>Soon</b>, I hope."


@pytest.fixture(scope="module")
def opened_office(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostOffice]:
    with post_office(tmp_path_factory.mktemp("post")) as found:
        yield found


@pytest.fixture
def office(opened_office: PostOffice) -> PostOffice:
    """The post office, as if nothing had come yet."""
    opened_office.came.clear()
    opened_office.breaks_off = False
    return opened_office


@pytest.fixture(scope="module")
def server(
    opened_office: PostOffice, postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    near = {
        "SUMMIT_ADMIN_KEY": ADMIN,
        "SUMMIT_ALLOWED_NETWORKS": '["127.0.0.0/8", "::1/128"]',
        "SUMMIT_MAIL_CA_FILE": str(opened_office.authority),
        "SUMMIT_TRANSCRIBER": "none",
    }
    for database in temporary_database(postgres_url, migrated_template):
        with running(tmp_path_factory.mktemp("mail") / "data", DATABASE_URL=database, **near) as found:
            yield found


def write(visitor: Visitor, office: PostOffice, *subjects: str) -> None:
    """Mail by a workflow, one of each subject, that waits."""
    smtp = {"host": "localhost", "port": office.smtp_port, "security": "starttls"}
    account = {"name": "work", "address": USER, "password": PASSWORD, "smtp": smtp}
    assert visitor.api.post("/v1/mail-accounts", json=account).status_code == 201
    step = {"kind": "mail_send", "account": "work", "to": ["bob@example.org"], "text": TEXT}
    steps = [{**step, "id": f"send{number}", "subject": subject} for number, subject in enumerate(subjects)]
    assert visitor.api.put("/v1/workflows/ask", json={"slug": "ask", "name": "Ask", "steps": steps}).is_success
    assert visitor.api.post("/v1/workflows/ask/runs", json={"inputs": {}}).status_code == 202
    eventually(lambda: len(waiting(visitor)) == len(subjects))


def waiting(visitor: Visitor) -> list[str]:
    return [one["subject"] for one in visitor.api.get("/v1/outgoing-mail?waiting=true").json()["items"]]


def test_mail_is_read_sent_or_dropped(
    server: RunningServer, office: PostOffice, new_visitor: Callable[..., Any]
) -> None:
    visitor = new_visitor(server)
    write(visitor, office, "The roof", "The barn")
    page = visitor.open("work")
    letters = page.locator("#mail")
    roof, barn = (letters.locator(".item", has_text=subject) for subject in ("The roof", "The barn"))
    expect(roof).to_contain_text("to bob@example.org")
    expect(roof.locator(".letter")).to_have_text(TEXT)
    assert office.came == []
    barn.get_by_role("button", name="Drop").click()
    expect(barn).to_have_count(0)
    roof.get_by_role("button", name="Send").click()
    expect(letters).to_be_hidden()
    becomes(lambda: [came["Subject"] for came in office.came], ["The roof"])
    assert waiting(visitor) == []
    assert page.faults == []


def test_mail_of_which_nobody_knows_is_said_and_sent_again_only_by_a_tap(
    server: RunningServer, office: PostOffice, new_visitor: Callable[..., Any]
) -> None:
    visitor = new_visitor(server)
    write(visitor, office, "The roof")
    office.breaks_off = True
    page = visitor.open("work")
    page.locator("#mail").get_by_role("button", name="Send").click()
    letter = page.locator("#mail .item")
    expect(letter).to_contain_text("Nobody knows whether it went out.")
    assert len(office.came) == 1
    office.breaks_off = False
    letter.get_by_role("button", name="Send again").click()
    becomes(lambda: len(office.came), 2)
    expect(page.locator("#mail")).to_be_hidden()
    assert page.faults == []
