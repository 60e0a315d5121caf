"""One live server for all tests of the doors; every test brings its own users."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.support.databases import temporary_database
from tests.support.fakes.google.server import Google, google_account
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

NewClient = Callable[..., httpx.Client]
PROJECTS = Path(__file__).parents[3] / "app"
"""The folder below which projects of these tests lie."""
BESIDE = "127.0.0.77"
"""Where a server of a test is that the live server may call; it may call no other address of this machine."""


@pytest.fixture(scope="session")
def doors_database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    """The live server's database, for looking behind the doors."""
    yield from temporary_database(postgres_url, migrated_template)


@pytest.fixture(scope="session")
def google() -> Iterator[Google]:
    """What the live server takes for Google."""
    with google_account(BESIDE) as found:
        yield found


@pytest.fixture(scope="session")
def doors_settings(doors_database: str, tmp_path_factory: pytest.TempPathFactory, google: Google) -> Settings:
    return settings_for(
        doors_database,
        tmp_path_factory.mktemp("doors"),
        max_audio_bytes=2_000_000,
        project_folders=[PROJECTS],
        allowed_networks=[f"{BESIDE}/32"],
        **google.settings(),
    )


@pytest.fixture(scope="session")
def base_url(doors_settings: Settings) -> Iterator[str]:
    with live_server(doors_settings) as found:
        yield found


@pytest.fixture
def clips_folder(doors_settings: Settings) -> Path:
    return doors_settings.clips_dir


@pytest.fixture
def client(base_url: str) -> Iterator[NewClient]:
    """Makes HTTP clients of the live server."""
    with ExitStack() as stack:

        def make(key: str | None = None, **headers: str) -> httpx.Client:
            given = {"Authorization": f"Bearer {key}"} if key else {}
            return stack.enter_context(plain_client(base_url, {**given, **headers}))

        yield make


@pytest.fixture
def admin(client: NewClient) -> httpx.Client:
    return client(ADMIN_KEY)


@pytest.fixture
def new_user(admin: httpx.Client, client: NewClient) -> Callable[[str], httpx.Client]:
    """Makes a tenant and a client that acts for it."""

    def make(name: str) -> httpx.Client:
        made = admin.post("/v1/users", json={"name": name})
        assert made.status_code == 201, made.text
        return client(made.json()["api_key"])

    return make


@pytest.fixture
def alice(new_user: Callable[[str], httpx.Client]) -> httpx.Client:
    return new_user("Alice")


@pytest.fixture
def bob(new_user: Callable[[str], httpx.Client]) -> httpx.Client:
    return new_user("Bob")


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The problem document of an answer, checked for the shape that every error has."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert document["status"] == status
    assert document["type"].startswith("urn:summit:problem:")
    assert all(document[name] for name in ("title", "detail", "hint", "instance"))
    return document
