"""The same POST many times at once is done once; another body under the same key is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from tests.support.servers.api import problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

COPIES = 10
RESERVED = """
insert into summit.replays (user_id, key, body_hash, owner, created_at)
values (%s, %s, %s, %s, now() - make_interval(secs => %s))
"""


@pytest.fixture
def behind(doors_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(doors_database, autocommit=True) as conn:
        yield conn


def at_once(client: httpx.Client, path: str, bodies: Sequence[dict[str, Any]]) -> list[httpx.Response]:
    key = {"Idempotency-Key": str(uuid4())}
    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(lambda body: client.post(path, json=body, headers=key), bodies))


def made_once(answers: list[httpx.Response]) -> None:
    assert {answer.status_code for answer in answers} == {201}, [answer.text for answer in answers]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1


def user_of(admin: httpx.Client) -> tuple[UUID, str]:
    made = admin.post("/v1/users", json={"name": "Carla"}).json()
    return UUID(made["id"]), made["api_key"]


def reserve(conn: psycopg.Connection, user_id: UUID, request: httpx.Request, seconds: float) -> None:
    seen = f"{request.method} {request.url.path}\n".encode() + request.content
    values = (user_id, request.headers["Idempotency-Key"], sha256(seen).digest(), uuid4(), seconds)
    conn.execute(RESERVED, values)


def test_different_bodies_under_one_key_make_one_todo(alice: httpx.Client) -> None:
    answers = at_once(alice, "/v1/todos", [{"task": f"task {number}"} for number in range(20)])
    assert sorted(answer.status_code for answer in answers) == [201] + [422] * 19
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_copies_make_one_todo(alice: httpx.Client) -> None:
    made_once(at_once(alice, "/v1/todos", [{"task": "buy milk"}] * COPIES))
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_copies_open_one_thread(alice: httpx.Client) -> None:
    made_once(at_once(alice, "/v1/threads", [{"title": "Kitchen"}] * COPIES))
    assert len(alice.get("/v1/threads").json()["items"]) == 2  # the main one, too


def test_copies_make_one_key(alice: httpx.Client) -> None:
    answers = at_once(alice, "/v1/keys", [{"name": "phone"}] * COPIES)
    made_once(answers)
    assert sum(answer.json()["api_key"] is not None for answer in answers) == 1
    assert [key["name"] for key in alice.get("/v1/keys").json()["items"]].count("phone") == 1


def test_copies_make_one_user_with_one_key(admin: httpx.Client, behind: psycopg.Connection) -> None:
    answers = at_once(admin, "/v1/users", [{"name": "Ada"}] * COPIES)
    made_once(answers)
    keys = behind.execute("select count(*) from summit.api_keys where user_id = %s", (answers[0].json()["id"],))
    assert keys.fetchone() == (1,)


def test_a_refused_request_leaves_its_key_free(alice: httpx.Client) -> None:
    key = {"Idempotency-Key": "1"}
    problem(alice.post(f"/v1/changes/{uuid4()}/undo", headers=key), 404)
    assert alice.post("/v1/todos", json={"task": "buy milk"}, headers=key).status_code == 201


def sent_after_another(url: str, user: tuple[UUID, str], conn: psycopg.Connection, age: float) -> httpx.Response:
    """Send what somebody else has begun some seconds ago and not answered."""
    with plain_client(url, {"Authorization": f"Bearer {user[1]}", "Idempotency-Key": "1"}) as client:
        request = client.build_request("POST", "/v1/threads", json={"title": "Kitchen"})
        reserve(conn, user[0], request, age)
        return client.send(request)


def test_what_an_owner_left_without_an_answer_is_done(
    admin: httpx.Client, base_url: str, behind: psycopg.Connection
) -> None:
    answer = sent_after_another(base_url, user_of(admin), behind, 60)
    assert (answer.status_code, "retry-after" in answer.headers) == (201, False), answer.text


def test_a_key_that_was_left_by_another_request_is_refused(
    admin: httpx.Client, base_url: str, behind: psycopg.Connection
) -> None:
    user_id, key = user_of(admin)
    with plain_client(base_url, {"Authorization": f"Bearer {key}", "Idempotency-Key": "k"}) as client:
        garden, kitchen = (
            client.build_request("POST", "/v1/threads", json={"title": t}) for t in ("Garden", "Kitchen")
        )
        reserve(behind, user_id, garden, 60)
        problem(client.send(kitchen), 422)


def test_an_owner_who_is_still_at_it_is_waited_for_in_vain(database_url: str, tmp_path: Path) -> None:
    in_an_hour = -3600.0  # the reservation is never taken for one that was left behind, however busy the machine is
    with (
        live_server(settings_for(database_url, tmp_path, replay_wait_seconds=0.2)) as url,
        plain_client(url, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin,
        psycopg.connect(database_url, autocommit=True) as conn,
    ):
        answer = sent_after_another(url, user_of(admin), conn, in_an_hour)
    assert answer.headers["retry-after"]
    problem(answer, 409)


@pytest.mark.parametrize(("path", "body"), [("/v1/threads", {"title": "Kitchen"}), ("/v1/keys", {"name": "phone"})])
def test_an_answer_that_was_lost_doubles_nothing(
    alice: httpx.Client, behind: psycopg.Connection, path: str, body: dict[str, str]
) -> None:
    key = str(uuid4())
    first = alice.post(path, json=body, headers={"Idempotency-Key": key})
    behind.execute("delete from summit.replays where key = %s", (key,))
    again = alice.post(path, json=body, headers={"Idempotency-Key": key})
    assert "idempotent-replayed" not in again.headers
    assert first.json()["id"] == again.json()["id"]
    assert len(alice.get(path).json()["items"]) == 2  # the main thread or the first key, too
