"""P10 over HTTP: a build without any filter on users serves every route, and none shows or changes another's rows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, product
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from psycopg import sql

from app.lifespan import serving
from app.main import State, create_app
from tests.support.servers.live_server import ADMIN_KEY, serve, settings_for
from tests.support.servers.plain import plain_client
from tests.support.unfiltered import UnfilteredCursor, UnfilteredDatabase
from tests.support.waiting import HANG_SECONDS

SECRET = "anna's secret"
RECORDS: dict[str, dict[str, Any]] = {
    "/v1/todos": {"task": SECRET},
    "/v1/events": {"title": SECRET, "start": "2026-11-20"},
    "/v1/notes": {"content": SECRET},
    "/v1/instructions": {"text": SECRET},
}
BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"task": "mine"},
    {"title": "mine", "status": "archived"},
    {"content": "mine"},
    {"text": "mine"},
)
TABLES = "users api_keys threads turns messages changes turn_events memos store checkpoints".split()


@pytest.fixture
def forgetful(database_url: str, tmp_path: Path) -> Iterator[str]:
    """The base URL of a server whose statements have lost their filters."""
    settings = settings_for(database_url, tmp_path)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
        async with serving(settings, lambda _: None, UnfilteredDatabase) as services:
            yield {"services": services}

    with serve(create_app(settings, lifespan), settings) as url:
        yield url


def _user(url: str, name: str) -> tuple[UUID, httpx.Client]:
    made = httpx.post(
        f"{url}/v1/users", json={"name": name}, headers={"Authorization": f"Bearer {ADMIN_KEY}"}, timeout=HANG_SECONDS
    ).json()
    return UUID(made["id"]), plain_client(url, {"Authorization": f"Bearer {made['api_key']}"})


def _live(anna: httpx.Client) -> dict[str, set[str]]:
    """A bit of everything, through the doors; the ids by what stands before them in a path."""
    ids: dict[str, set[str]] = {}
    for path, body in RECORDS.items():
        made = anna.post(path, json=body)
        assert made.status_code == 201, made.text
        ids[path] = {made.json()["id"]}
    thread = anna.post("/v1/threads", json={"title": SECRET}).json()["id"]
    turns = [anna.post("/v1/turns", json={"text": f"add {SECRET}", "thread_id": one}).json() for one in (None, thread)]
    assert {turn["status"] for turn in turns} <= {"done", "waiting"}
    assert anna.patch("/v1/profile", json={"job": SECRET}).status_code == 200
    changes = anna.get("/v1/changes").json()
    found = changes["items"] if isinstance(changes, dict) else changes
    ids["/v1/turns"] = {turn["id"] for turn in turns}
    ids["/v1/threads"] = {turn["thread_id"] for turn in turns}
    ids["/v1/changes"] = {change["id"] for change in found}
    ids["/v1/keys"] = {key["id"] for key in _items(anna.get("/v1/keys").json())}
    return ids


def _items(answer: Any) -> list[dict[str, Any]]:
    return list(answer["items"] if isinstance(answer, dict) else answer)


def _rows(url: str, user: UUID) -> dict[str, list[Any]]:
    query = "select * from summit.{} t where t::text like %s order by t::text"
    with psycopg.connect(url) as conn:
        return {
            table: conn.execute(sql.SQL(query).format(sql.Identifier(table)), (f"%{user}%",)).fetchall()
            for table in TABLES
        }


def _ask(client: httpx.Client, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, str]:
    """What a route answers; of a stream that goes on for ever, what it tells until it has nothing more to tell."""
    told = ""
    with client.stream(method, path, json=body) as answer:
        for part in answer.iter_text():
            told += part
            if ": heartbeat" in part:
                break
        return answer.status_code, told


def _requests(
    client: httpx.Client, ids: dict[str, set[str]]
) -> Iterator[tuple[str, str, Sequence[dict[str, Any] | None]]]:
    """Every operation of the API, with each of the other's ids in each place for one, and the bodies to try.

    Where the other has nothing of a kind, ids of other kinds are tried, each with one body.
    """
    in_turn = cycle(BODIES)
    everything = set().union(*ids.values())
    for path, operations in client.get("/openapi.json").json()["paths"].items():
        methods = [method.upper() for method in operations if method in ("get", "post", "patch", "put", "delete")]
        before, brace, rest = path.partition("/{")
        places = ids.get(before, everything) if brace else {""}
        for method, one in product(methods, sorted(places)):
            bodies = BODIES if before in ids or not brace else (next(in_turn),)
            full = f"{before}/{one}{rest.partition('}')[2]}" if brace else path
            yield method, full, bodies if method in ("POST", "PATCH", "PUT") else (None,)


def test_no_route_shows_or_changes_anothers_rows(forgetful: str, database_url: str) -> None:
    UnfilteredCursor.forgotten.clear()
    (anna_id, anna), (_, ben) = _user(forgetful, "Anna"), _user(forgetful, "Ben")
    with anna, ben:
        ids = _live(anna)
        before = _rows(database_url, anna_id)
        assert SECRET in str(before)
        asked = 0
        for method, path, bodies in _requests(ben, ids):
            for body in bodies:
                status, told = _ask(ben, method, path, body)
                asked += 1
                assert SECRET not in told, f"{method} {path} told another user's words"
                assert status < 500, f"{method} {path}: {told}"
                assert str(anna_id) not in told, f"{method} {path} told another user's id"
        assert _rows(database_url, anna_id) == before
        assert SECRET in anna.get("/v1/todos").text
    assert asked > 100
    assert len(set(UnfilteredCursor.forgotten)) > 15
