"""Servers that run on this machine, and which database each works on: a command without its settings means another."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import httpx
import psutil
from platformdirs import user_state_path

from app.cli.address import base_url
from app.cli.output import note
from app.cli.startup_errors import OtherDatabase
from app.database.build import open_database
from app.database.database import Database
from app.settings import Settings

ANSWER_SECONDS = 15.0


@contextmanager
def announce_server(url: str) -> Iterator[None]:
    """Lets commands of the same account find this server, whatever its port; without a home only by its port."""
    folder = _folder()
    mark = folder / str(os.getpid())
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        _forget_dead(folder)
        mark.write_text(url)
    try:
        yield
    finally:
        with suppress(OSError):
            mark.unlink(missing_ok=True)


@asynccontextmanager
async def managed_database(settings: Settings) -> AsyncIterator[Database]:
    """The database that a command works on, named to the person at the terminal.

    Raises OtherDatabase where nobody said which one, and the servers that run here have another.
    """
    servers = _running(settings)
    if not _exists(settings):
        _refuse_other(settings, servers)
    async with open_database(settings, lambda _words: None) as database:
        own = await database.identity()
        same = [url for url, identity in servers.items() if identity == own]
        if not same:
            _refuse_other(settings, servers)
        note(f"The database {_place(settings)}{_about(same, servers)}")
        yield database


def _refuse_other(settings: Settings, servers: dict[str, str]) -> None:
    if servers and not {"data_dir", "database_url"} & settings.model_fields_set:
        raise OtherDatabase(
            f"the server at {next(iter(servers))} works on another database than the one {_place(settings)}, where "
            "this command would go. Set SUMMIT_DATA_DIR or DATABASE_URL as that server has it; to have a second "
            f"database, set SUMMIT_DATA_DIR={settings.data_dir}."
        )


def _about(same: list[str], servers: dict[str, str]) -> str:
    if same:
        return f", which the server at {same[0]} works on."
    other = next(iter(servers), "")
    return f". The server at {other} works on another one." if other else ", on which no server runs here."


def _place(settings: Settings) -> str:
    return "at DATABASE_URL" if settings.database_url else f"in {settings.data_dir}"


def _exists(settings: Settings) -> bool:
    return settings.database_url is not None or (settings.data_dir / "postgres").exists()


def _running(settings: Settings) -> dict[str, str]:
    """The databases of the servers that answer, by their addresses."""
    urls = dict.fromkeys([base_url(settings.host, settings.port), *_announced_urls()])
    return {url: identity for url in urls if (identity := _identity_at(url))}


def _announced_urls() -> list[str]:
    urls = list[str]()
    with suppress(OSError):
        urls = [mark.read_text().strip() for mark in sorted(_folder().iterdir())]
    return urls


def _identity_at(url: str) -> str:
    """Which database a server works on; empty where none of ours answers."""
    with suppress(httpx.HTTPError, httpx.InvalidURL, ValueError, AttributeError):
        told = httpx.get(f"{url}/v1/version", timeout=ANSWER_SECONDS, trust_env=False).json()
        return str(told.get("database") or "") if told.get("name") == "summit" else ""
    return ""


def _forget_dead(folder: Path) -> None:
    for mark in folder.iterdir():
        if not (mark.name.isdigit() and psutil.pid_exists(int(mark.name))):
            mark.unlink(missing_ok=True)


def _folder() -> Path:
    return user_state_path("summit") / "servers"
