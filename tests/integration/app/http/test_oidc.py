"""Tokens of an identity provider instead of keys, through the doors of a real server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.settings import Settings
from tests.support.peers.identity_provider import AUDIENCE, Provider, identity_provider
from tests.support.servers.api import problem
from tests.support.servers.live import answers, close_code, open_socket, receive_until
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.waiting import HANG_SECONDS, wait_until

LOCAL = ["127.0.0.0/8"]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with identity_provider() as running:
        yield running


def settings_with(provider: Provider, database_url: str, folder: Path, **more: Any) -> Settings:
    values = {"oidc_issuer": provider.url, "oidc_audience": AUDIENCE, "allowed_networks": LOCAL, **more}
    return settings_for(database_url, folder, **values)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_each_subject_is_a_user_of_their_own(provider: Provider, database_url: str, tmp_path: Path) -> None:
    with live_server(settings_with(provider, database_url, tmp_path)) as url:
        ada, ben = bearer(provider.token()), bearer(provider.token(sub="ben", name="Ben"))
        assert (
            httpx.post(f"{url}/v1/todos", json={"task": "buy milk"}, headers=ada, timeout=HANG_SECONDS).status_code
            == 201
        )
        later = bearer(provider.token())
        assert [
            one["task"] for one in httpx.get(f"{url}/v1/todos", headers=later, timeout=HANG_SECONDS).json()["items"]
        ] == ["buy milk"]
        assert httpx.get(f"{url}/v1/todos", headers=ben, timeout=HANG_SECONDS).json()["items"] == []
        problem(httpx.get(f"{url}/v1/users", headers=ada, timeout=HANG_SECONDS), 403)
        users = httpx.get(f"{url}/v1/users", headers=bearer(ADMIN_KEY), timeout=HANG_SECONDS).json()["items"]
        assert {"Ada", "Ben"} <= {user["name"] for user in users}
        acts = httpx.get(f"{url}/v1/audit", headers=ada, timeout=HANG_SECONDS).json()["items"]
        assert [(one["actor"], one["action"]) for one in acts] == [("token of ada", "user.added")]


def test_where_an_issuer_is_set_nobody_comes_in_without_proof(
    provider: Provider, database_url: str, tmp_path: Path
) -> None:
    with live_server(settings_with(provider, database_url, tmp_path)) as url:
        problem(httpx.get(f"{url}/v1/todos", timeout=HANG_SECONDS), 401)
        problem(httpx.get(f"{url}/v1/todos", headers=bearer(provider.token(aud="mail")), timeout=HANG_SECONDS), 401)


def test_an_issuer_that_never_answered_is_told_with_when_to_try_again(
    provider: Provider, database_url: str, tmp_path: Path
) -> None:
    provider.away = True
    with live_server(settings_with(provider, database_url, tmp_path)) as url:
        refused = httpx.get(f"{url}/v1/todos", headers=bearer(provider.token()), timeout=HANG_SECONDS)
    problem(refused, 503)
    assert int(refused.headers["Retry-After"]) > 0


def test_new_users_and_scopes_are_the_operators_choice(provider: Provider, database_url: str, tmp_path: Path) -> None:
    closed = settings_with(provider, database_url, tmp_path, oidc_new_users=False)
    with live_server(closed) as url:
        assert (
            "New users"
            in problem(httpx.get(f"{url}/v1/todos", headers=bearer(provider.token()), timeout=HANG_SECONDS), 401)[
                "hint"
            ]
        )
    reading = settings_with(provider, database_url, tmp_path, oidc_scopes=["read"])
    with live_server(reading) as url:
        assert httpx.get(f"{url}/v1/todos", headers=bearer(provider.token()), timeout=HANG_SECONDS).status_code == 200
        problem(
            httpx.post(f"{url}/v1/todos", json={"task": "x"}, headers=bearer(provider.token()), timeout=HANG_SECONDS),
            403,
        )


def test_an_open_websocket_ends_with_its_token(provider: Provider, database_url: str, tmp_path: Path) -> None:
    with live_server(settings_with(provider, database_url, tmp_path)) as url:
        wait_until(lambda: ends_what_it_opened(provider, url))  # on a busy machine it may end before anything is opened
        assert (
            httpx.get(f"{url}/v1/todos", headers=bearer(provider.token()), timeout=HANG_SECONDS).json()["items"] == []
        )


def ends_what_it_opened(provider: Provider, url: str) -> bool:
    """Whether a token that expires within two seconds opens a websocket, which then is closed."""
    passing = provider.token(exp=int(time.time()) - 28)  # 30 s of leeway for clocks that differ
    with suppress(InvalidStatus, ConnectionClosed), open_socket(url, passing) as socket:
        assert answers(socket)
        assert receive_until(socket, "error")[-1]["data"]["status"] == 401
        assert close_code(socket) == 4401
        return True
    return False


@pytest.mark.parametrize(
    "values",
    [
        {"oidc_issuer": "http://id.example.org", "oidc_audience": "summit"},
        {"oidc_issuer": "https://id.example.org"},
        {"oidc_audience": "summit"},
    ],
)
def test_half_a_setting_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="OIDC"):
        Settings(_env_file=None, **values)
