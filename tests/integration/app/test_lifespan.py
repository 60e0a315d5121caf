"""The composition root: what it opens, in which order it closes, and what it refuses to open."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from agents.context import LOCAL_USER
from app.database.build import UnsafeRole, open_database, readiness
from app.database.database import Database
from app.http.deps import ServerState, act_as
from app.lifespan import open_summit
from app.voice.speech.service import SpeechService
from tests.support.servers.live_server import settings_for
from tests.support.servers.turn_server import new_turn
from tests.support.waiting import HANG_SECONDS, wait_until


class SuperuserDatabase(Database):
    """A database on which nobody gave up the login role's rights."""

    def __init__(self, url: str, **values: Any) -> None:
        super().__init__(url, app_role="postgres", **values)


def _quiet(_line: str) -> None:
    """Progress is for people."""


async def test_a_message_goes_through_everything_that_was_composed(database_url: str, tmp_path: Path) -> None:
    async with open_summit(settings_for(database_url, tmp_path), _quiet) as summit:
        services, user = summit.services, UUID(LOCAL_USER)
        with act_as(user):
            accepted = await services.turns.submit(new_turn(user, "add task buy milk"))
            turn = await services.turns.wait(user, accepted.turn.id, HANG_SECONDS)
            found = await services.records.list(user, "todo", {}, 10, None)
        assert turn.state == "done"
        assert [todo.task for todo in found.items] == ["buy milk"]
        assert all(check.ok for check in await services.get(ServerState).readiness())


async def test_nothing_is_left_open(database_url: str, tmp_path: Path) -> None:
    async with open_summit(settings_for(database_url, tmp_path), _quiet):
        pass
    with psycopg.connect(database_url, autocommit=True) as conn:
        query = "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        wait_until(lambda: conn.execute(query).fetchall() == [(0,)], "for the last connection to end")


async def test_a_role_that_sees_everything_is_refused(database_url: str, tmp_path: Path) -> None:
    settings = settings_for(database_url, tmp_path)
    with pytest.raises(UnsafeRole, match="superuser"):
        async with open_summit(settings, _quiet, SuperuserDatabase):
            pytest.fail("it opened")
    async with open_database(settings, _quiet, SuperuserDatabase) as database:
        checks = {check.name: check for check in await readiness(settings, database, SpeechService(settings))}
    assert checks["database"].ok is True
    assert checks["tenancy"].ok is False


async def test_a_database_that_does_not_answer_is_said(database: Database, tmp_path: Path) -> None:
    await database.close()
    settings = settings_for(database.url, tmp_path)
    (check,) = await readiness(settings, database, SpeechService(settings))
    assert (check.name, check.ok) == ("database", False)
