"""Who may call: keys, scopes, the administrator, and web pages of other origins."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from openai import OpenAI

from agents.context import LOCAL_USER
from app.http.auth import KEY_FORM
from tests.support.databases import temporary_database
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

PAGE = "https://page.example"
EVIL = "https://evil.example"


def keyless_server(database_url: str, folder: Path) -> Iterator[httpx.Client]:
    """A loopback server without any key, and a web page it trusts."""
    settings = settings_for(database_url, folder, allowed_origins=[PAGE], allowed_hosts=["summit.example"])
    with live_server(settings) as url, plain_client(url) as client:
        yield client


@pytest.fixture
def fresh(database_url: str, tmp_path: Path) -> Iterator[httpx.Client]:
    yield from keyless_server(database_url, tmp_path)


@pytest.fixture(scope="module")
def keyless(
    postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    for url in temporary_database(postgres_url, migrated_template):
        yield from keyless_server(url, tmp_path_factory.mktemp("keyless"))


def test_loopback_without_keys_is_the_local_user_until_there_is_a_key(fresh: httpx.Client) -> None:
    assert fresh.post("/v1/todos", json={"task": "buy milk"}).status_code == 201
    key = fresh.post("/v1/keys", json={"name": "phone"}).json()["api_key"]
    problem(fresh.get("/v1/todos"), 401)
    with_key = {"Authorization": f"Bearer {key}"}
    assert len(fresh.get("/v1/todos", headers=with_key).json()["items"]) == 1
    key_id = fresh.get("/v1/keys", headers=with_key).json()["items"][0]["id"]
    assert fresh.delete(f"/v1/keys/{key_id}", headers=with_key).status_code == 204
    assert fresh.get("/v1/todos").status_code == 200


def test_a_word_that_is_no_key_is_none_where_none_is_needed(fresh: httpx.Client) -> None:
    dummy, slip = {"Authorization": "Bearer sk-none"}, {"Authorization": "Bearer sk_summit_slip"}
    with OpenAI(base_url=f"{fresh.base_url}/v1", api_key="none", max_retries=0) as sdk:
        asked = sdk.chat.completions.create(model="summit", messages=[{"role": "user", "content": "add buy milk"}])
        assert asked.choices[0].message.content == "Added “buy milk” to your tasks."
    assert [one["task"] for one in fresh.get("/v1/todos", headers=dummy).json()["items"]] == ["buy milk"]
    problem(fresh.get("/v1/todos", headers=slip), 401)
    problem(fresh.get("/v1/todos", headers={"Authorization": "Basic YTpi"}), 401)
    fresh.post("/v1/keys", json={"name": "phone"})
    problem(fresh.get("/v1/todos", headers=dummy), 401)


def test_a_key_is_shown_once_and_never_stored(alice: httpx.Client, base_url: str, doors_database: str) -> None:
    made = alice.post("/v1/keys", json={"name": "phone"}, headers={"Idempotency-Key": "1"})
    assert made.status_code == 201
    key = made.json()["api_key"]
    assert KEY_FORM.fullmatch(key)
    assert made.json()["hint"] == key[-4:]
    again = alice.post("/v1/keys", json={"name": "phone"}, headers={"Idempotency-Key": "1"})
    assert again.json() == {**made.json(), "api_key": None}
    assert key not in alice.get("/v1/keys").text
    with psycopg.connect(doors_database) as conn:
        tables = [row[0] for row in conn.execute("select tablename from pg_tables where schemaname = 'summit'")]
        for table in tables:
            rows = conn.execute(f"select count(*) from summit.{table} t where t::text like %s", (f"%{key}%",))  # noqa: S608
            assert rows.fetchone() == (0,), table


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Basic YTpi", "Bearer x", "bearer sk_summit_" + "x" * 43, "Bearer sk_summit_" + "é" * 43],
)
def test_a_key_that_is_none(client: NewClient, authorization: str) -> None:
    answer = client().get("/v1/todos", headers=[(b"Authorization", authorization.encode("latin-1"))])
    problem(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"


def test_no_key_is_not_enough_once_there_are_keys(alice: httpx.Client, client: NewClient) -> None:
    problem(client().get("/v1/todos"), 401)


def test_an_expired_key_is_told_so(alice: httpx.Client, client: NewClient, doors_database: str) -> None:
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    made = alice.post("/v1/keys", json={"name": "phone", "expires_at": until}).json()
    phone = client(made["api_key"])
    assert phone.get("/v1/todos").status_code == 200
    with psycopg.connect(doors_database) as conn:
        conn.execute("update summit.api_keys set expires_at = now() - interval '1 second' where id = %s", (made["id"],))
    assert "expired" in problem(phone.get("/v1/todos"), 401)["detail"]


def test_a_revoked_key_stops_working_at_once(alice: httpx.Client, client: NewClient) -> None:
    made = alice.post("/v1/keys", json={"name": "phone"}).json()
    phone = client(made["api_key"])
    assert phone.get("/v1/todos").status_code == 200
    assert alice.delete(f"/v1/keys/{made['id']}").status_code == 204
    problem(phone.get("/v1/todos"), 401)
    problem(alice.delete(f"/v1/keys/{made['id']}"), 404)


@pytest.mark.parametrize(
    "fields",
    [
        {"expires_at": "2020-01-01T00:00:00Z"},
        {"expires_at": "tomorrow"},
        {"scopes": []},
        {"scopes": ["root"]},
        {"name": "  "},
        {"name": "x" * 201},
    ],
)
def test_a_key_asked_for_wrongly(alice: httpx.Client, fields: dict[str, Any]) -> None:
    problem(alice.post("/v1/keys", json={"name": "phone", **fields}), 422)
    assert len(alice.get("/v1/keys").json()["items"]) == 1


def test_scopes_are_enforced(alice: httpx.Client, client: NewClient) -> None:
    reader = client(alice.post("/v1/keys", json={"name": "reader", "scopes": ["read"]}).json()["api_key"])
    assert reader.get("/v1/todos").status_code == 200
    problem(reader.post("/v1/todos", json={"task": "buy milk"}), 403)
    problem(reader.post("/v1/turns", json={"text": "buy milk"}), 403)
    problem(reader.patch("/v1/profile", json={"name": "Mallory"}), 403)
    problem(reader.get("/v1/keys"), 403)
    problem(reader.post("/v1/keys", json={"name": "more"}), 403)


def test_a_key_cannot_give_more_than_it_has(alice: httpx.Client, client: NewClient) -> None:
    manager = client(alice.post("/v1/keys", json={"name": "manager", "scopes": ["admin"]}).json()["api_key"])
    problem(manager.post("/v1/keys", json={"name": "more", "scopes": ["write"]}), 403)
    assert manager.post("/v1/keys", json={"name": "same"}).json()["scopes"] == ["admin"]


def test_another_users_keys_are_not_there(alice: httpx.Client, bob: httpx.Client) -> None:
    key_id = alice.get("/v1/keys").json()["items"][0]["id"]
    problem(bob.delete(f"/v1/keys/{key_id}"), 404)
    assert alice.get("/v1/todos").status_code == 200


def test_the_administrator_manages_users_and_nothing_else(admin: httpx.Client, alice: httpx.Client) -> None:
    names = [user["name"] for user in admin.get("/v1/users").json()["items"]]
    assert "Alice" in names
    for path in ("/v1/todos", "/v1/keys", "/v1/turns/" + str(uuid4()), "/v1/settings"):
        problem(admin.get(path), 403)
    problem(alice.get("/v1/users"), 403)
    problem(alice.post("/v1/users", json={"name": "Mallory"}), 403)


def test_users_made_twice_with_one_key_are_one(admin: httpx.Client) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first = admin.post("/v1/users", json={"name": "Ada"}, headers=key)
    again = admin.post("/v1/users", json={"name": "Ada"}, headers=key)
    assert again.json() == {**first.json(), "api_key": None}
    problem(admin.post("/v1/users", json={"name": "Grace"}, headers=key), 422)


def test_an_old_idempotency_key_gives_nobody_a_key_to_another_user(admin: httpx.Client, doors_database: str) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first = admin.post("/v1/users", json={"name": "Ada"}, headers=key).json()
    with psycopg.connect(doors_database) as conn:
        conn.execute("delete from summit.replays where user_id = %s", (first["id"],))
        conn.execute(
            "update summit.users set created_at = now() - interval '2 days' where user_id = %s", (first["id"],)
        )
    problem(admin.post("/v1/users", json={"name": "Ada"}, headers=key), 422)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8000", "", "10.0.0.1", "[::"])
@pytest.mark.parametrize("path", ["/v1/todos", "/livez", "/metrics", "/openapi.json"])
def test_a_foreign_host(keyless: httpx.Client, host: str, path: str) -> None:
    assert problem(keyless.get(path, headers={"Host": host}), 403)["hint"].endswith("SUMMIT_ALLOWED_HOSTS.")


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.1.2.3:80", "[::1]:8000", "summit.example"]
)
def test_a_host_of_ours(keyless: httpx.Client, host: str) -> None:
    assert keyless.get("/v1/todos", headers={"Host": host}).status_code == 200


FOREIGN: list[dict[str, str]] = [
    {"Origin": EVIL},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://localhost:1"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": f"{PAGE}.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE", "PUT"])
def test_a_write_from_a_foreign_page(keyless: httpx.Client, method: str, headers: dict[str, str]) -> None:
    before = keyless.get("/v1/changes").json()
    problem(keyless.request(method, "/v1/todos", json={"task": "rob the bank"}, headers=headers), 403)
    assert keyless.get("/v1/changes").json() == before


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_form_from_a_foreign_page(keyless: httpx.Client, headers: dict[str, str]) -> None:
    problem(keyless.post("/v1/turns", files={"audio": b"fLaC"}, headers=headers), 403)


def test_a_write_from_a_page_of_this_server(keyless: httpx.Client) -> None:
    own = {"Origin": str(keyless.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert keyless.post("/v1/todos", json={"task": "buy milk"}, headers=own).status_code == 201


def test_a_write_from_a_trusted_page_may_be_read_by_it(keyless: httpx.Client) -> None:
    trusted = {"Origin": PAGE, "Sec-Fetch-Site": "cross-site"}
    answer = keyless.post("/v1/todos", json={"task": "buy milk"}, headers=trusted)
    assert answer.status_code == 201
    assert answer.headers["access-control-allow-origin"] == PAGE
    assert "ETag" in answer.headers["access-control-expose-headers"]
    refused = keyless.post("/v1/todos", json={}, headers=trusted)
    problem(refused, 422)
    assert refused.headers["access-control-allow-origin"] == PAGE


def test_preflights(keyless: httpx.Client) -> None:
    wanted = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "if-match, authorization"}
    allowed = keyless.options("/v1/todos", headers={"Origin": PAGE, **wanted})
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, PAGE)
    refused = keyless.options("/v1/todos", headers={"Origin": EVIL, **wanted})
    problem(refused, 403)
    assert "access-control-allow-origin" not in refused.headers


def test_reading_from_a_foreign_page_gives_it_nothing_to_read(keyless: httpx.Client) -> None:
    answer = keyless.get("/v1/todos", headers={"Origin": EVIL})
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_the_local_user_is_a_user_like_everyone(keyless: httpx.Client) -> None:
    with_admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    assert [user["id"] for user in keyless.get("/v1/users", headers=with_admin).json()["items"]] == [
        str(UUID(LOCAL_USER))
    ]
    problem(keyless.get("/v1/users"), 403)


@pytest.mark.parametrize(("path", "body"), [("/v1/turns", {"text": "what are my tasks?"}), ("/v1/settings", {})])
def test_a_key_that_may_only_write_does_not_read_through_an_answer(
    alice: httpx.Client, path: str, body: dict[str, str]
) -> None:
    key = alice.post("/v1/keys", json={"name": "writer", "scopes": ["write"]}).json()["api_key"]
    method = "PATCH" if path == "/v1/settings" else "POST"
    refused = alice.request(method, path, json=body, headers={"Authorization": f"Bearer {key}"})
    problem(refused, 403)
    assert alice.post("/v1/todos", json={"task": "x"}, headers={"Authorization": f"Bearer {key}"}).status_code == 201
