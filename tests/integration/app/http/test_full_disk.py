"""No space left: messages are put off with the reason, nothing is half kept, and the server says it is not ready."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from fastapi import FastAPI

from app.database.build import readiness
from app.database.database import Database
from app.lifespan import serving
from app.main import State, create_app
from app.voice.model import SavedClip
from app.voice.speech.clips import ClipFolder
from app.voice.speech.service import SpeechService
from tests.integration.app.voice.test_clips import JFK, kept_clips, post_clip
from tests.support.servers.api import problem
from tests.support.servers.live_server import live_server, serve, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import until, wait_until

KEY = {"Idempotency-Key": "one"}
REFUSE = """
create function summit.refuse() returns trigger language plpgsql as $$
begin
    raise exception 'could not extend file "base/1/2": No space left on device' using errcode = 'disk_full';
end $$;
create trigger full_disk before insert or update on summit.{} for each row execute function summit.refuse();
"""


@pytest.fixture
def server(database_url: str, tmp_path: Path) -> Iterator[httpx.Client]:
    """A server that takes up again soon, and as often as it takes, what a full disk has put an end to."""
    again = {"turn_lease_seconds": 1, "turn_attempts": 100, "sweep_seconds": 0.1}
    settings = settings_for(database_url, tmp_path, admin_key=None, **again)
    with live_server(settings) as url, plain_client(url) as client:
        yield client


@contextmanager
def full(database_url: str, table: str) -> Iterator[None]:
    """A table that takes nothing more."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute(REFUSE.format(table).encode())
        try:
            yield
        finally:
            conn.execute("drop function summit.refuse cascade")


def check_put_off(answer: httpx.Response) -> None:
    document = problem(answer, 503)
    assert "no space left" in document["detail"]
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("table", ["turns", "threads", "turn_events"])
def test_a_message_is_put_off_and_the_server_is_not_ready(server: httpx.Client, database_url: str, table: str) -> None:
    assert server.get("/readyz").status_code == 200
    with full(database_url, table):
        check_put_off(server.post("/v1/turns", json={"text": "buy milk"}, headers=KEY))
        assert "space" in problem(server.get("/readyz"), 503)["detail"]
    again = server.post("/v1/turns", json={"text": "buy milk"}, headers=KEY)
    assert again.json()["reply"] == "Added “buy milk” to your tasks."


@pytest.mark.parametrize("table", ["changes", "store", "replays"])
def test_an_edit_is_put_off(server: httpx.Client, database_url: str, table: str) -> None:
    with full(database_url, table):
        check_put_off(server.post("/v1/todos", json={"task": "buy milk"}, headers=KEY))
        assert server.get("/v1/todos").json()["items"] == []
    assert server.post("/v1/todos", json={"task": "buy milk"}, headers=KEY).status_code == 201


@pytest.mark.parametrize("table", ["changes", "store", "checkpoints", "messages"])
def test_an_accepted_message_is_carried_out_once_there_is_space(
    server: httpx.Client, database_url: str, table: str
) -> None:
    with full(database_url, table):
        sent = server.post("/v1/turns", json={"text": "buy milk"}, headers={"Prefer": "respond-async"})
        assert sent.status_code == 202
        wait_until(lambda: server.get("/readyz").status_code == 503)  # it has been tried
        assert server.get(sent.headers["location"]).json()["status"] in ("queued", "running")
    wait_until(lambda: server.get(sent.headers["location"]).json()["status"] == "done")
    turn = server.get(sent.headers["location"]).json()
    assert turn["reply"] == "Added “buy milk” to your tasks."
    assert len(server.get("/v1/todos").json()["items"]) == 1


class FullFolder(ClipFolder):
    """A folder of recordings on a disk that is full."""

    async def save(self, user_id: UUID, memo_id: UUID, chunks: AsyncIterator[bytes], max_bytes: int) -> SavedClip:
        async def broken() -> AsyncIterator[bytes]:
            async for chunk in chunks:
                yield chunk
                raise OSError(errno.ENOSPC, "No space left on device")

        return await super().save(user_id, memo_id, broken(), max_bytes)


def test_a_clip_that_finds_no_space_is_put_off_and_leaves_nothing(database_url: str, tmp_path: Path) -> None:
    settings = settings_for(database_url, tmp_path, admin_key=None)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
        async with serving(settings, lambda _: None) as services:
            services.clips = FullFolder(settings.clips_dir)
            yield {"services": services}

    with serve(create_app(settings, lifespan), settings) as url, plain_client(url) as client:
        check_put_off(post_clip(client, JFK))
        assert client.get("/v1/memos").json()["items"] == []
    assert kept_clips(settings.clips_dir) == []


async def ready(database: Database, folder: Path, full_seconds: float = 60, **values: Any) -> dict[str, bool]:
    settings = settings_for(database.url, folder, **values)
    checks = await readiness(settings, database, SpeechService(settings), full_seconds=full_seconds)
    return {check.name: check.ok for check in checks}


async def test_a_refusal_for_want_of_space_is_not_held_against_the_server_for_ever(
    database: Database, tmp_path: Path
) -> None:
    assert (await ready(database, tmp_path))["space"] is True
    with pytest.raises(Exception, match="no space left"):
        await database.rows("do $$ begin raise exception 'full' using errcode = 'disk_full'; end $$", ())
    assert (await ready(database, tmp_path))["space"] is False

    async def has_space() -> bool:
        return (await ready(database, tmp_path, full_seconds=0.1))["space"]

    await until(has_space)


async def test_too_little_space_in_the_data_folder_is_told_before_a_write_fails(
    database: Database, tmp_path: Path
) -> None:
    assert (await ready(database, tmp_path, min_free_bytes=10**18))["space"] is False
    assert (await ready(database, tmp_path / "not" / "made" / "yet", min_free_bytes=0))["space"] is True
