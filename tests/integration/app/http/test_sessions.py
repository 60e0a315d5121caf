"""A key becomes a session of the browser: opaque, bound to the key, and of no use to other pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import psycopg
import pytest
from websockets.exceptions import InvalidStatus

from tests.support.servers.api import NewClient, problem
from tests.support.servers.live import answers, key_of, open_socket
from tests.support.servers.live_server import ADMIN_KEY

NewUser = Callable[[str], httpx.Client]


@pytest.fixture
def browser(client: NewClient) -> Callable[[str], httpx.Client]:
    """Signs in with a key; the client then has the cookie and the page's token, and no key."""

    def sign_in(key: str) -> httpx.Client:
        page = client()
        answer = page.post("/session", json={"api_key": key})
        assert answer.status_code == 201, answer.text
        page.headers["X-CSRF-Token"] = answer.json()["csrf"]
        return page

    return sign_in


def test_a_session_does_what_its_key_does(alice: httpx.Client, browser: Callable[[str], httpx.Client]) -> None:
    page = browser(key_of(alice))
    assert page.post("/v1/todos", json={"task": "call mom"}).status_code == 201
    assert [item["task"] for item in alice.get("/v1/todos").json()["items"]] == ["call mom"]
    assert page.get("/session").json()["kind"] == "session"


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(alice: httpx.Client, client: NewClient) -> None:
    answer = client().post("/session", json={"api_key": key_of(alice)})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert key_of(alice) not in answer.text + cookie
    assert answer.json()["csrf"] not in cookie


def test_a_write_without_the_token_of_the_page_is_refused(
    alice: httpx.Client, browser: Callable[[str], httpx.Client]
) -> None:
    page = browser(key_of(alice))
    for token in ("", "0" * 64, "é".encode().decode("latin-1")):
        page.headers["X-CSRF-Token"] = token
        problem(page.post("/v1/todos", json={"task": "milk"}), 403)
    assert alice.get("/v1/todos").json()["items"] == []


def test_a_session_ends_with_its_key(alice: httpx.Client, browser: Callable[[str], httpx.Client]) -> None:
    made = alice.post("/v1/keys", json={"name": "phone"}).json()
    page = browser(made["api_key"])
    assert page.get("/v1/todos").status_code == 200
    assert alice.delete(f"/v1/keys/{made['id']}").status_code == 204
    problem(page.get("/v1/todos"), 401)


def test_a_session_has_no_more_rights_than_its_key(alice: httpx.Client, browser: Callable[[str], httpx.Client]) -> None:
    made = alice.post("/v1/keys", json={"name": "screen", "scopes": ["read"]}).json()
    page = browser(made["api_key"])
    assert page.get("/v1/todos").status_code == 200
    problem(page.post("/v1/todos", json={"task": "milk"}), 403)
    problem(page.get("/v1/keys"), 403)


def test_a_session_expires_with_its_key(
    alice: httpx.Client, browser: Callable[[str], httpx.Client], doors_database: str
) -> None:
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    made = alice.post("/v1/keys", json={"name": "brief", "expires_at": until}).json()
    page = browser(made["api_key"])
    assert page.get("/v1/todos").status_code == 200
    with psycopg.connect(doors_database) as conn:  # the day passes
        conn.execute(
            "update summit.api_keys set expires_at = expires_at - interval '1 day' where id = %s", (made["id"],)
        )
    problem(page.get("/v1/todos"), 401)


def test_signing_out_ends_it_at_the_server_too(alice: httpx.Client, browser: Callable[[str], httpx.Client]) -> None:
    page = browser(key_of(alice))
    cookie = page.cookies["summit_session"]
    problem(page.delete("/session", headers={"X-CSRF-Token": ""}), 403)
    assert page.delete("/session").status_code == 204
    problem(page.get("/v1/todos", headers={"Cookie": f"summit_session={cookie}"}), 401)


@pytest.mark.parametrize(
    ("key", "status"), [("sk_summit_" + "x" * 43, 401), ("nonsense", 401), ("", 422), (ADMIN_KEY, 403)]
)
def test_what_is_no_users_key_opens_nothing(client: NewClient, key: str, status: int) -> None:
    answer = client().post("/session", json={"api_key": key})
    problem(answer, status)
    assert "set-cookie" not in answer.headers


def test_a_websocket_of_a_session_opens_from_its_own_page_only(
    alice: httpx.Client, browser: Callable[[str], httpx.Client], base_url: str
) -> None:
    cookie = {"Cookie": f"summit_session={browser(key_of(alice)).cookies['summit_session']}"}
    with open_socket(base_url, additional_headers={**cookie, "Origin": base_url}) as opened:
        assert answers(opened)
    for headers in (cookie, {**cookie, "Origin": "http://127.0.0.1:9"}, {**cookie, "Origin": "null"}):
        with pytest.raises(InvalidStatus) as refused, open_socket(base_url, additional_headers=headers):
            pass
        assert refused.value.response.status_code == 403


def test_only_the_digest_is_kept(
    alice: httpx.Client, browser: Callable[[str], httpx.Client], doors_database: str
) -> None:
    token = browser(key_of(alice)).cookies["summit_session"]
    with psycopg.connect(doors_database) as conn:
        rows = conn.execute("select row_to_json(s)::text from summit.sessions s").fetchall()
    assert rows
    assert not any(token in text for (text,) in rows)


def test_a_foreign_page_cannot_sign_anybody_in(alice: httpx.Client, client: NewClient) -> None:
    answer = client().post("/session", json={"api_key": key_of(alice)}, headers={"Origin": "http://evil.example"})
    problem(answer, 403)
