"""``summit backup`` and ``summit restore``: a whole server into one file, and out of it into an empty place."""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg

from app.cli.output import complain, note, say
from app.cli.server.servers import managed_database
from app.database.backup import BackupError, Places, check_backup, put_back_database, put_back_files, write_backup
from app.database.baseline import stands_at_baseline
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.database.migration_steps import known_names
from app.database.roles import ensure_roles
from app.settings import Settings, load_settings
from app.version import summit_version

APPLIED = "select name from summit.migrations order by name"
TABLES = """
select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and not starts_with(n.nspname, 'pg_')
"""


def backup(options: argparse.Namespace) -> int:
    """Write everything into one file; the server may run meanwhile."""
    return asyncio.run(_backup(load_settings(), Path(options.file)))


def restore(options: argparse.Namespace) -> int:
    """Put such a file back where nothing is yet."""
    return asyncio.run(_restore(load_settings(), Path(options.file)))


async def _backup(settings: Settings, file: Path) -> int:
    async with managed_database(settings) as database:
        async with database.system() as conn:
            names = [row["name"] for row in await (await conn.execute(APPLIED)).fetchall()]
        try:
            made = await asyncio.to_thread(
                write_backup, database.url, _places(settings), file, version=summit_version(), migrations=names
            )
        except BackupError as error:
            return complain(str(error))
    say(f"{file}: the database and {made.recordings} recordings.")
    note("It holds everything of everybody, and the key of the stored secrets: keep it where nobody else can read it.")
    return 0


async def _restore(settings: Settings, file: Path) -> int:
    try:
        manifest = await asyncio.to_thread(check_backup, file, known_names())
        stands_at_baseline(manifest.migrations)
        await _refuse_full(settings)
        stage = settings.data_dir.with_name(f".{settings.data_dir.name}.restoring")
        await asyncio.to_thread(shutil.rmtree, stage, ignore_errors=True)
        stage.mkdir(mode=0o700, parents=True)
        try:
            await asyncio.to_thread(put_back_files, file, stage)
            async with _empty_database(settings, stage) as url:
                await _fill(file, url)
            await asyncio.to_thread(_settle, stage, settings)
        finally:
            await asyncio.to_thread(shutil.rmtree, stage, ignore_errors=True)
    except BackupError as error:
        return complain(str(error))
    say(f"Restored as of {manifest.created_at}, made by Summit {manifest.version}: {manifest.recordings} recordings.")
    note("`summit serve` starts it. Clients that follow events begin anew.")
    return 0


async def _refuse_full(settings: Settings) -> None:
    """Raises BackupError where anything is already: a restore replaces nothing."""
    folder = settings.data_dir
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty. Name another folder as SUMMIT_DATA_DIR, or move it away.")
    key = settings.master_key_path
    if not key.is_relative_to(folder) and key.exists():
        raise BackupError(f"{key} is there already. Move it away.")
    if settings.database_url:
        async with await psycopg.AsyncConnection.connect(settings.database_url.get_secret_value()) as conn:
            row = await (await conn.execute(TABLES)).fetchone()
            if row and row[0]:
                raise BackupError("The database at DATABASE_URL is not empty. Make another one with `createdb`.")


@asynccontextmanager
async def _empty_database(settings: Settings, stage: Path) -> AsyncIterator[str]:
    if settings.database_url:
        yield settings.database_url.get_secret_value()
        return
    server = await asyncio.to_thread(EmbeddedServer.start, stage / "postgres", note)
    try:
        yield server.url
    finally:
        await asyncio.to_thread(server.stop)


async def _fill(file: Path, url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True, row_factory=psycopg.rows.dict_row) as conn:
        await ensure_roles(conn)  # they belong to the whole server, so no dump of a database has them
    await asyncio.to_thread(put_back_database, file, url)
    await migrate(url, note)


def _settle(stage: Path, settings: Settings) -> None:
    """Move what was prepared beside to where it belongs: all of it is there, or nothing."""
    key = stage / "master.key"
    if key.exists() and settings.master_key_path != settings.data_dir / "master.key":
        settings.master_key_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.move(key, settings.master_key_path)
    if settings.data_dir.exists():
        settings.data_dir.rmdir()
    stage.rename(settings.data_dir)


def _places(settings: Settings) -> Places:
    return Places(settings.data_dir, settings.master_key_path)
