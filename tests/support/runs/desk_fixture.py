"""A desk of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.database.database import Database
from app.http.accounts.store.users import Users
from tests.support.runs.desk import Desk, Script, finish


@pytest.fixture
async def desk(database: Database, tmp_path: Path) -> Desk:
    user = (await Users(database).create("Ada")).id
    return Desk(database, user, tmp_path / "files", Script(finish()))
