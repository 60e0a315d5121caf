"""Behind a proxy that speaks HTTPS to browsers and HTTP to Summit, under the name of SUMMIT_PUBLIC_URL."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import ValidationError
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection

from app.settings import Settings
from tests.support.databases import temporary_database
from tests.support.servers.api import problem
from tests.support.servers.live import answers, open_socket
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

PUBLIC = "https://summit.example"
AS_SEEN = {"Host": "summit.example", "Origin": PUBLIC}
"""What a proxy hands on of a request by the public page."""


@pytest.fixture(scope="module")
def base_url(postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    for database_url in temporary_database(postgres_url, migrated_template):
        with live_server(settings_for(database_url, tmp_path_factory.mktemp("proxy"), public_url=PUBLIC)) as url:
            yield url


@pytest.fixture(scope="module")
def key(base_url: str) -> str:
    with plain_client(base_url, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        return str(admin.post("/v1/users", json={"name": "Alice"}).json()["api_key"])


@pytest.fixture
def page(base_url: str, key: str) -> Iterator[httpx.Client]:
    """The page, signed in; the cookie is sent by hand, as a client of HTTP keeps a Secure one to itself."""
    with plain_client(base_url, AS_SEEN) as browser:
        answer = browser.post("/session", json={"api_key": key})
        assert answer.status_code == 201, answer.text
        assert "; secure" in answer.headers["set-cookie"].lower()
        browser.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        browser.headers["X-CSRF-Token"] = answer.json()["csrf"]
        yield browser


def test_the_page_writes(page: httpx.Client) -> None:
    assert page.post("/v1/todos", json={"task": "call mom"}).status_code == 201


def test_the_pages_websocket_opens_and_that_of_other_pages_does_not(page: httpx.Client, base_url: str) -> None:
    def opened_by(origin: str) -> ClientConnection:
        through = socket.create_connection((urlsplit(base_url).hostname, urlsplit(base_url).port))
        headers = {"Cookie": page.headers["Cookie"], "Origin": origin}
        return open_socket("http://summit.example", sock=through, additional_headers=headers)

    with opened_by(PUBLIC) as opened:
        assert answers(opened)
    for origin in ("https://evil.example", "http://summit.example", "https://summit.example:8443", base_url):
        with pytest.raises(InvalidStatus) as refused, opened_by(origin):
            pass
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "http://summit.example", "null"])
def test_other_pages_write_nothing(page: httpx.Client, origin: str) -> None:
    problem(page.post("/v1/todos", json={"task": "milk"}, headers={"Origin": origin}), 403)


def test_addresses_are_told_as_the_browser_needs_them(page: httpx.Client) -> None:
    made = page.post("/v1/calendar", json={}).json()
    assert made["url"].startswith(f"{PUBLIC}/v1/calendar/")
    assert made["webcal_url"].startswith("webcal://summit.example/")


def test_on_the_machine_itself_it_goes_by_http(base_url: str, key: str) -> None:
    with plain_client(base_url, {"Origin": base_url}) as here:
        answer = here.post("/session", json={"api_key": key})
    assert answer.status_code == 201
    assert "secure" not in answer.headers["set-cookie"].lower()


def test_who_is_reached_from_elsewhere_asks_for_a_key(
    postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for database_url in temporary_database(postgres_url, migrated_template):
        folder = tmp_path_factory.mktemp("keyless")
        settings = settings_for(database_url, folder, public_url=PUBLIC, admin_key=None)
        with live_server(settings) as url, plain_client(url) as nobody:
            problem(nobody.get("/v1/todos"), 401)
            problem(nobody.get("/v1/todos", headers=AS_SEEN), 401)


@pytest.mark.parametrize(
    "wrong",
    [
        "summit.example",
        "ftp://summit.example",
        "https://",
        "https://a.example/summit",
        "https://a.example#b",
        "https://b@a.example",
        "x",
    ],
)
def test_a_public_url_is_a_scheme_and_a_name(wrong: str) -> None:
    with pytest.raises(ValidationError, match="must be a scheme and a name"):
        Settings(_env_file=None, public_url=wrong)
    assert Settings(_env_file=None, public_url="https://Summit.example/").public_url == PUBLIC
