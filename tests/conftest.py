"""What every test may ask for: a real PostgreSQL, a migrated database of its own, and that database opened."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import hypothesis
import psycopg
import pytest
import pytest_asyncio
from psycopg import sql

from app.storage.database import Database
from app.storage.embedded import EmbeddedServer
from app.storage.migrate import migrate
from tests.alone import room
from tests.memory import MEMORY

# Tests make thousands of databases of hundreds of files each: in memory, where there is room, that takes a twentieth.
if MEMORY:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

_numbers = count(1)
SURVIVAL = Path(__file__).parent / "survival"

# Tests run side by side, so no example has a deadline. A change is judged by the same examples each time; new ones are
# searched for by whoever runs the tests at a desk.
hypothesis.settings.register_profile("desk", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "desk")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Gives each test its turn, with what it sets up and tears down."""
    with room(alone=item.get_closest_marker("alone") is not None):
        return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, so that no process is left with them when the others are done."""
    items.sort(key=lambda item: not item.path.is_relative_to(SURVIVAL))


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors, as tests wait for servers; more than eight gain nothing."""
    return min((os.cpu_count() or 1) + 1, 8)


def url_of(url: str, database: str, user: str | None = None) -> str:
    """The same server, another database, and another login role if one is given."""
    parts = urlsplit(url)
    netloc = parts.netloc if user is None else f"{user}@"
    return urlunsplit(parts._replace(netloc=netloc, path=f"/{database}"))


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server for this test run; its login role is a superuser."""
    folder = Path(tempfile.mkdtemp(prefix="summit-test-", dir=MEMORY))
    server = EmbeddedServer.start(folder / "postgres", lambda _: None, durable=False)
    try:
        yield server.url
    finally:
        server.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def migrated_template(postgres_url: str) -> str:
    """Name of a migrated database to copy: copying takes 30 ms, migrating 70."""
    name = "migrated"
    with psycopg.connect(postgres_url, autocommit=True) as conn:
        conn.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    asyncio.run(migrate(url_of(postgres_url, name), lambda _: None))
    return name


@pytest.fixture
def empty_database_url(postgres_url: str) -> Iterator[str]:
    """A database of this test's own without any table."""
    yield from _temporary_database(postgres_url, "template1")


@pytest.fixture
def database_url(postgres_url: str, migrated_template: str) -> Iterator[str]:
    """A migrated database of this test's own."""
    yield from _temporary_database(postgres_url, migrated_template)


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database of this test's own, opened."""
    async with Database(database_url) as opened:
        yield opened


def _temporary_database(server_url: str, template: str) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    create = "create database {} template {} strategy file_copy"
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(sql.SQL(create).format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield url_of(server_url, name)
        finally:
            conn.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
