"""Wrong keys at every door: a 401 as ever, a row of the audit log without the key, and no wait for right ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.http.auth import issue_key
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

GUESS = "a guess of what the administrator typed"
REFUSED = ("key.refused", "sign-in.refused")


def refused(admin: httpx.Client) -> list[tuple[str, str, str]]:
    items = admin.get("/v1/audit", params={"limit": 200}).json()["items"]
    return [(one["actor"], one["action"], one["subject"]) for one in reversed(items) if one["action"] in REFUSED]


@pytest.fixture
def lone(database_url: str, tmp_path: Path) -> Iterator[str]:
    """A server that nobody else tries keys at."""
    with live_server(settings_for(database_url, tmp_path)) as found:
        yield found


def test_each_door_tells_of_a_wrong_key_and_never_what_it_was(lone: str) -> None:
    unknown = issue_key().text
    with plain_client(lone) as stranger, plain_client(lone, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        assert admin.post("/v1/users", json={"name": "Ana"}).status_code == 201  # from the first key on all need one
        for key in (GUESS, unknown, "x.y.z"):
            problem(stranger.get("/v1/todos", headers={"Authorization": f"Bearer {key}"}), 401)
        problem(stranger.post("/lg/threads/search", headers={"x-api-key": GUESS}), 401)
        problem(stranger.post("/session", json={"api_key": GUESS}), 401)
        problem(stranger.get("/v1/todos"), 401)  # without any key nothing was guessed
        told = refused(admin)
    assert [action for _, action, _ in told] == ["key.refused"] * 4 + ["sign-in.refused"]
    assert {actor for actor, _, _ in told} == {"somebody at 127.0.0.1"}
    assert [subject for _, _, subject in told] == [f"try {number} within 10 minutes" for number in range(1, 6)]
    assert not any(word in str(told) for word in (GUESS, unknown, "x.y.z"))


def test_it_is_the_administrators_to_read(alice: httpx.Client, client: NewClient) -> None:
    problem(client(GUESS).get("/v1/todos"), 401)
    assert refused(alice) == []
