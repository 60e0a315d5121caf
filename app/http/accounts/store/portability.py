"""Archives of one user's everything: a tar of a manifest, JSON lines by table, recordings, and files of runs.

Rows are taken in or erased in one transaction, which also notes what has to happen to files (``files_due``). That can
be done again and again; who is killed on the way leaves it to the next one.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import shutil
import tarfile
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg.errors import DeadlockDetected

from app.database.database import Database
from app.errors import TooLarge, TooManyRequests
from app.http.accounts.model.portability import Checks, Counted, Exported, NotImportable, Receipt
from app.http.accounts.store import staging
from app.http.accounts.store.archive_child import FORMAT
from app.http.accounts.store.archive_reader import ArchiveReader
from app.http.accounts.store.archives import AUDIO, FILES, MANIFEST, PRIVATE, TABLES
from app.http.accounts.store.user_files import Folders, plain_files, recordings_in
from app.http.accounts.store.user_rows import KEPT_AT_ERASURE, NOT_EXPORTED, UserRows
from app.version import summit_version

__all__ = ["Folders", "Portability"]

log = logging.getLogger(__name__)

KEPT_HOURS = 24
ERASE_TRIES = 3
MOST_OWING = 1000
WRITE_BYTES = 1 << 20


class Portability:
    """Export, import and erasure for one user. ``reader`` bounds an archive that comes in."""

    def __init__(self, database: Database, folders: Folders, reader: ArchiveReader, checks: Checks) -> None:
        self._database = database
        self._folders = folders
        self._reader = reader
        self._checks = checks
        self._importing: set[UUID] = set()

    async def export(self, user_id: UUID, export_id: UUID) -> Exported:
        """Write the archive as of one moment; the same id again replaces it."""
        async with self._staging("making", user_id) as making:
            manifest = await self._dump(user_id, making)
            folder = await asyncio.to_thread(self._fresh, user_id)
            path = folder / f"{export_id}.tar"
            recordings, files = await asyncio.to_thread(self._pack, user_id, making, path)
        made = datetime.fromisoformat(manifest["exported_at"])
        size = (await asyncio.to_thread(path.stat)).st_size
        until = made + timedelta(hours=KEPT_HOURS)
        return Exported(export_id, path, size, manifest["tables"], recordings, files, made, until)

    async def find_export(self, user_id: UUID, export_id: UUID) -> Path | None:
        """The archive, while it is kept."""
        path = self._folders.exports / str(user_id) / f"{export_id}.tar"
        return path if await asyncio.to_thread(path.is_file) else None

    async def import_(self, user_id: UUID, body: AsyncIterator[bytes]) -> Counted:
        """Take an archive into an account that holds nothing, whole or not at all; raises NotImportable, TooLarge."""
        with self._one_at_a_time(user_id):
            await self.finish(user_id)
            async with self._staging("taking", user_id) as taking:
                digest = await self._receive(body, taking / "archive.tar")
                if told := await self._told_late(user_id, digest):
                    return told
                return await self._take_in(user_id, taking, digest)

    async def erase(self, user_id: UUID) -> Receipt:
        """Remove everything that is the user's at once."""
        await self.finish(user_id)
        clips, files = await asyncio.to_thread(self._folders.count_files, user_id)
        gone = await self._erase_with_retries(user_id)
        await self.finish(user_id)
        async with self._rows(user_id) as rows:
            tables = await rows.tables()
            left = [
                await rows.count(name, owned=owned) for name, owned in tables.items() if name not in KEPT_AT_ERASURE
            ]
        found = sum(left) - 1  # the empty thread that every account has
        return Receipt(Counted(gone, clips, files), found, KEPT_AT_ERASURE, datetime.now(UTC))

    async def finish(self, user_id: UUID, *, importer: bool = False) -> None:
        """Do what is still to be done to a user's files, and forget the folders of servers that died.

        An import whose ``importer`` is gone is remembered, as nobody was told how it ended.
        """
        async with self._rows(user_id, to_write=True) as rows:
            await self._finish(rows, user_id, importer=importer)

    async def _finish(self, rows: UserRows, user_id: UUID, *, importer: bool) -> None:
        match await rows.files_due():
            case {"kind": "import", "folder": str(folder), "digest": digest, "counted": counted}:
                laid_out = self._folders.exports / folder
                await asyncio.to_thread(self._folders.take_in, user_id, laid_out)
                await asyncio.to_thread(shutil.rmtree, laid_out, ignore_errors=True)
                late = {"kind": "imported", "digest": digest, "counted": counted}
                await rows.owe(None if importer else late)
            case {"kind": "imported"} if importer:
                await rows.owe(None)  # somebody finished it who could not know that its importer lives
            case {"kind": "erase", "memos": memos, "began": began}:
                await asyncio.to_thread(self._folders.erase, user_id, set(memos), began)
                await rows.owe(None)
        await asyncio.to_thread(staging.drop_abandoned, self._folders.exports, user_id)

    async def finish_all(self) -> int:
        """Finish imports and erasures that servers left which died; how many users were looked at."""
        owing = await self._database.rows("select owing_files(%s) as owner", (MOST_OWING,))
        users = {row["owner"] for row in owing} | await asyncio.to_thread(staging.owners, self._folders.exports)
        for user_id in users:
            try:
                await self._finish_if_free(user_id)
            except Exception as error:  # noqa: BLE001 - one user's folder must not keep a server from starting
                log.warning("files of a user are not in their place yet (%s)", type(error).__name__)
        return len(users)

    async def _finish_if_free(self, user_id: UUID) -> None:
        """Whoever imports or erases at this moment finishes alone, however long it takes."""
        async with self._database.connect_without_timeout() as conn, conn.transaction():
            rows = UserRows(conn, user_id)
            await rows.begin_if_free()
            await self._finish(rows, user_id, importer=False)

    @contextmanager
    def _one_at_a_time(self, user_id: UUID) -> Iterator[None]:
        if user_id in self._importing:
            raise TooManyRequests("An import of yours is under way.", hint="Wait until it has ended.")
        self._importing.add(user_id)
        try:
            yield
        finally:
            self._importing.discard(user_id)

    @asynccontextmanager
    async def _staging(self, purpose: staging.Purpose, user_id: UUID) -> AsyncIterator[Path]:
        """A folder that is gone at the end, or after the next look where the database may still want it."""
        folder, lock = await asyncio.to_thread(staging.begin, self._folders.exports, purpose, user_id)
        try:
            yield folder
        finally:
            os.close(lock)
            try:
                await self.finish(user_id, importer=purpose == "taking")
            except Exception as error:  # noqa: BLE001 - whoever looks next does it
                log.warning("files of a user are not in their place yet (%s)", type(error).__name__)

    @asynccontextmanager
    async def _rows(self, user_id: UUID, *, to_write: bool = False) -> AsyncIterator[UserRows]:
        """A transaction on a connection of its own, as long as it takes."""
        async with self._database.connect_without_timeout() as conn, conn.transaction():
            rows = UserRows(conn, user_id)
            await rows.begin(to_write=to_write)
            yield rows

    async def _told_late(self, user_id: UUID, digest: str) -> Counted | None:
        """How an import of the same archive ended that a server finished for another one, which is told once."""
        async with self._rows(user_id, to_write=True) as rows:
            match await rows.files_due():
                case {"kind": "imported", "digest": known, "counted": counted} if known == digest:
                    await rows.owe(None)
                    return Counted(**counted)
        return None

    async def _take_in(self, user_id: UUID, taking: Path, digest: str) -> Counted:
        async with self._rows(user_id) as rows:
            tables = {name: await rows.columns(name) for name in await rows.tables() if name not in NOT_EXPORTED}
        manifest = await self._reader.lay_out(taking / "archive.tar", taking, user_id, tables)
        self._checks.settings(manifest["account"]["settings"])
        await asyncio.to_thread(_check_definitions, taking / TABLES / "workflows", self._checks)
        found = [sum(1 for _ in plain_files(taking / name)) for name in (AUDIO, FILES)]
        async with self._rows(user_id, to_write=True) as rows:
            if await rows.holds_something():
                raise NotImportable("This account holds something already; an archive is taken into an empty one.")
            await rows.make_room()
            there = [name for name in tables if (taking / TABLES / name).is_file()]
            counts = {name: await rows.write(name, taking / TABLES / name) for name in there}
            await rows.restore(manifest["account"])
            counted = Counted(counts, *found)
            await rows.owe({"kind": "import", "folder": taking.name, "digest": digest, "counted": asdict(counted)})
        return counted

    async def _erase_with_retries(self, user_id: UUID) -> dict[str, int]:
        """Delete the rows; whoever writes at the same moment may come first, and then it is tried again."""
        for _ in range(ERASE_TRIES - 1):
            with suppress(DeadlockDetected):
                return await self._erase_rows(user_id)
        return await self._erase_rows(user_id)

    async def _erase_rows(self, user_id: UUID) -> dict[str, int]:
        began = time.time()
        async with self._rows(user_id, to_write=True) as rows:
            memos = await rows.memos()
            gone = await rows.erase()
            await rows.owe({"kind": "erase", "memos": memos, "began": began})
        return gone

    async def _dump(self, user_id: UUID, folder: Path) -> dict[str, Any]:
        counts: dict[str, int] = {}
        async with self._rows(user_id) as rows:
            account = await rows.account()
            for name, owned in (await rows.tables()).items():
                if name in NOT_EXPORTED:
                    continue
                with await asyncio.to_thread((folder / f"{name}.jsonl").open, "w") as file:
                    counts[name] = 0
                    async for lines in rows.read(name, owned=owned):
                        await asyncio.to_thread(file.writelines, [f"{line}\n" for line in lines])
                        counts[name] += len(lines)
        manifest = {
            "format": FORMAT,
            "summit": summit_version(),
            "user_id": str(user_id),
            "exported_at": datetime.now(UTC).isoformat(),
            "account": account,
            "tables": counts,
            "not_exported": NOT_EXPORTED,
        }
        await asyncio.to_thread((folder / MANIFEST).write_text, json.dumps(manifest, indent=1, default=str))
        return manifest

    def _pack(self, user_id: UUID, making: Path, path: Path) -> tuple[int, int]:
        beside = making / path.name
        with tarfile.open(beside, "w", format=tarfile.PAX_FORMAT) as archive:
            archive.add(making / MANIFEST, MANIFEST)
            for file in sorted(making.glob("*.jsonl")):
                archive.add(file, f"{TABLES}/{file.name}")
            clips, files = self._folders.clips / str(user_id), self._folders.files / str(user_id)
            recordings = _add_files(archive, clips, recordings_in(clips), AUDIO)
            count = _add_files(archive, files, plain_files(files), FILES)
        beside.replace(path)
        return recordings, count

    def _fresh(self, user_id: UUID) -> Path:
        """The user's folder of archives, without those that are too old."""
        folder = self._folders.exports / str(user_id)
        folder.mkdir(mode=PRIVATE, exist_ok=True)
        oldest = datetime.now(UTC).timestamp() - KEPT_HOURS * 3600
        for path in folder.iterdir():
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()
        return folder

    async def _receive(self, body: AsyncIterator[bytes], path: Path) -> str:
        """Keep what comes; its digest. A thread is asked for large pieces only."""
        size, digest, waiting = 0, hashlib.sha256(), bytearray()

        def write() -> None:
            file.write(waiting)
            digest.update(waiting)
            waiting.clear()

        with await asyncio.to_thread(path.open, "wb") as file:
            async for chunk in body:
                size += len(chunk)
                if size > self._reader.limits.bytes:
                    raise TooLarge(
                        f"The archive has more than {self._reader.limits.bytes} bytes, the most that is accepted."
                    )
                waiting += chunk
                if len(waiting) >= WRITE_BYTES:
                    await asyncio.to_thread(write)
            await asyncio.to_thread(write)
        return digest.hexdigest()


def _check_definitions(batches: Path, checks: Checks) -> None:
    if batches.is_file():
        with batches.open() as file:
            for row in chain.from_iterable(map(json.loads, islice(file, 1, None, 2))):
                checks.workflow(row.get("definition"))


def _add_files(archive: tarfile.TarFile, folder: Path, paths: Iterable[Path], name: str) -> int:
    count = 0
    for path in paths:
        archive.add(path, f"{name}/{path.relative_to(folder).as_posix()}", recursive=False)
        count += 1
    return count
