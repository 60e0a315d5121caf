"""The audit log: every administrative act, by whom, in the transaction that did it; nobody can rewrite it."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest
from psycopg import errors

from tests.support.servers.api import NewClient, problem
from tests.support.servers.live import key_of
from tests.support.servers.plain import plain_client

NOBODY = "http://127.0.0.1:9/v1"


def told(client: httpx.Client, **query: Any) -> list[tuple[str, str, str]]:
    """(actor, action, subject), the first act first."""
    items = client.get("/v1/audit", params={"limit": 200, **query}).json()["items"]
    return [(one["actor"], one["action"], one["subject"]) for one in reversed(items)]


def test_what_was_done_to_an_account_and_by_whom(alice: httpx.Client, base_url: str) -> None:
    [first] = alice.get("/v1/keys").json()["items"]
    made = alice.post("/v1/keys", json={"name": "my phone", "scopes": ["read"]}).json()
    with plain_client(base_url) as browser:
        signed = browser.post("/session", json={"api_key": key_of(alice)})
        browser.delete("/session", headers={"X-CSRF-Token": signed.json()["csrf"]})
    alice.delete(f"/v1/keys/{made['id']}")
    alice.put("/v1/runs/switch", json={"engaged": True, "reason": "holidays"})
    acts = told(alice)
    own = f"key {first['id']}"
    assert [(actor, action) for actor, action, _ in acts] == [
        ("administrator", "user.added"),
        ("administrator", "key.added"),
        (own, "key.added"),
        (own, "sign-in.added"),
        (f"sign-in with {own}", "sign-in.removed"),
        (own, "key.removed"),
        (own, "switch.added"),
    ]
    assert acts[2][2] == f'{made["id"]} ["read"]'
    assert "my phone" not in str(acts)
    assert "holidays" not in str(acts)


def test_the_administrator_reads_what_was_done_to_everybody(admin: httpx.Client, alice: httpx.Client) -> None:
    user = told(alice)[0][2]
    admin.post("/v1/providers", json={"slug": "elsewhere", "name": "E", "base_url": NOBODY, "api_key": "sk-secret-1"})
    admin.put("/v1/models/chat", json={"provider": "elsewhere", "model": "tiny"})
    admin.put(f"/v1/runs/grants/{user}", json={"programs": [], "roots": []})
    admin.post("/v1/credits", json={"user_id": user, "credits": 5})
    admin.delete("/v1/models/chat")
    admin.delete("/v1/providers/elsewhere")
    acts = told(admin)
    for act in (
        ("administrator", "user.added", user),
        ("administrator", "provider.added", f"elsewhere {NOBODY}"),
        ("administrator", "model.added", "chat fast elsewhere tiny"),
        ("administrator", "model.removed", "chat reason elsewhere tiny"),
        ("administrator", "grant.added", "[] []"),
        ("administrator", "provider.removed", f"elsewhere {NOBODY}"),
    ):
        assert act in acts
    assert any(action == "credits.added" for _, action, _ in acts)
    assert "secret" not in str(acts)


def test_a_user_reads_their_own_alone_and_with_the_scope_admin(
    alice: httpx.Client, bob: httpx.Client, client: NewClient
) -> None:
    ours, theirs = alice.get("/v1/audit").json()["items"], bob.get("/v1/audit").json()["items"]
    assert ours
    assert {one["user_id"] for one in ours} & {one["user_id"] for one in theirs} == set()
    reader = alice.post("/v1/keys", json={"name": "reader", "scopes": ["read", "write"]}).json()["api_key"]
    problem(client(reader).get("/v1/audit"), 403)


def test_it_is_read_page_by_page(alice: httpx.Client) -> None:
    alice.post("/v1/keys", json={"name": "one more"})
    whole = alice.get("/v1/audit").json()["items"]
    first = alice.get("/v1/audit", params={"limit": 2}).json()
    rest = alice.get("/v1/audit", params={"cursor": first["next"]}).json()
    assert first["items"] + rest["items"] == whole
    problem(alice.get("/v1/audit", params={"cursor": "bm9uZQ"}), 422)


@pytest.mark.parametrize("role", ["summit_app", "summit_system", "postgres"])
@pytest.mark.parametrize(
    "statement", ["update audit_log set actor = 'nobody'", "delete from audit_log", "truncate audit_log"]
)
def test_nobody_rewrites_it(alice: httpx.Client, doors_database: str, role: str, statement: str) -> None:
    with psycopg.connect(doors_database, autocommit=True) as conn:
        conn.execute(f"set role {role}; set search_path = summit")
        with pytest.raises(errors.InsufficientPrivilege):
            conn.execute(statement.encode())
    assert told(alice)


def test_summit_itself_adds_nothing_by_hand(doors_database: str) -> None:
    with psycopg.connect(doors_database, autocommit=True) as conn:
        conn.execute("set role summit_app; set search_path = summit")
        with pytest.raises(errors.InsufficientPrivilege):
            conn.execute("insert into audit_log (user_id, actor, action, subject) select gen_random_uuid(), '', '', ''")


def test_an_act_that_is_rolled_back_is_not_told(alice: httpx.Client, doors_database: str) -> None:
    user = told(alice)[0][2]
    with psycopg.connect(doors_database) as conn:
        conn.execute("delete from summit.api_keys where user_id = %s", (user,))
        conn.rollback()
    assert "key.removed" not in {action for _, action, _ in told(alice)}
