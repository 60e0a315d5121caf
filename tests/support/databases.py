"""A real PostgreSQL for this process of tests, and a migrated database of its own for each test."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import pytest_asyncio
from psycopg import sql

from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from tests.support.memory import MEMORY

_numbers = count(1)


def url_of(url: str, database: str, user: str | None = None) -> str:
    """Return the URL of another database on the same server, with another login role if one is given."""
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
    yield from temporary_database(postgres_url, "template1")


@pytest.fixture
def database_url(postgres_url: str, migrated_template: str) -> Iterator[str]:
    """A migrated database of this test's own."""
    yield from temporary_database(postgres_url, migrated_template)


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database of this test's own, opened."""
    async with Database(database_url) as opened:
        yield opened


def temporary_database(server_url: str, template: str) -> Iterator[str]:
    """Yield the URL of a copy of a database, which is dropped afterwards."""
    name = f"test_{next(_numbers)}"
    create = "create database {} template {} strategy file_copy"
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(sql.SQL(create).format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield url_of(server_url, name)
        finally:
            conn.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
