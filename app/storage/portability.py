"""Archives of one user's everything: a tar of a manifest, JSON lines by table, recordings, and files of runs."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import IO, Any
from uuid import UUID

from psycopg.errors import DeadlockDetected

from app.errors import TooLarge
from app.ports.portability import Counted, Exported, NotImportable, Receipt
from app.storage.database import Database
from app.storage.user_rows import KEPT_AT_ERASURE, NOT_EXPORTED, UserRows
from app.version import summit_version

FORMAT = 1
KEPT_HOURS = 24
TRIES = 3
MANIFEST, TABLES, AUDIO, FILES = "manifest.json", "tables", "audio", "files"
PRIVATE = 0o700
LONGEST_MANIFEST = 1_000_000


@dataclass(frozen=True)
class Folders:
    """Where archives, recordings and files of runs lie; in each a folder for each user."""

    exports: Path
    clips: Path
    files: Path


class PostgresPortability:
    """See app.ports.portability.Portability; ``most_bytes`` bounds an archive that comes in."""

    def __init__(self, database: Database, folders: Folders, *, most_bytes: int) -> None:
        self._database = database
        self._folders = folders
        self._most = most_bytes

    async def export(self, user_id: UUID, export_id: UUID) -> Exported:
        """See Portability."""
        await asyncio.to_thread(_make_private, self._folders.exports)
        folder = await asyncio.to_thread(self._fresh, user_id)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as making:
            manifest = await self._dump(user_id, Path(making))
            path = folder / f"{export_id}.tar"
            recordings, files = await asyncio.to_thread(self._pack, user_id, Path(making), path)
        made = datetime.fromisoformat(manifest["exported_at"])
        size = (await asyncio.to_thread(path.stat)).st_size
        until = made + timedelta(hours=KEPT_HOURS)
        return Exported(export_id, path, size, manifest["tables"], recordings, files, made, until)

    async def exported(self, user_id: UUID, export_id: UUID) -> Path | None:
        """See Portability."""
        path = self._folders.exports / str(user_id) / f"{export_id}.tar"
        return path if await asyncio.to_thread(path.is_file) else None

    async def import_(self, user_id: UUID, body: AsyncIterator[bytes]) -> Counted:
        """See Portability."""
        await asyncio.to_thread(_make_private, self._folders.exports)
        with tempfile.TemporaryDirectory(dir=self._folders.exports, prefix=".taking-") as taking:
            archive = Path(taking) / "archive.tar"
            await self._receive(body, archive)
            unpacked = Path(taking) / "unpacked"
            await asyncio.to_thread(_unpack, archive, unpacked)
            manifest = await asyncio.to_thread(_manifest, unpacked)
            rows = await self._load(user_id, unpacked, manifest)
            clips = await asyncio.to_thread(_move, unpacked / AUDIO, self._folders.clips / str(user_id))
            files = await asyncio.to_thread(_move, unpacked / FILES, self._folders.files / str(user_id))
        return Counted(rows, clips, files)

    async def erase(self, user_id: UUID) -> Receipt:
        """See Portability."""
        gone = await self._erased(user_id)
        clips, files, _ = [
            await asyncio.to_thread(_remove, folder / str(user_id))
            for folder in (self._folders.clips, self._folders.files, self._folders.exports)
        ]
        async with self._rows(user_id) as rows:
            tables = await rows.tables()
            left = [
                await rows.count(name, owned=owned) for name, owned in tables.items() if name not in KEPT_AT_ERASURE
            ]
        found = sum(left) - 1  # the empty thread that every account has
        return Receipt(Counted(gone, clips, files), found, KEPT_AT_ERASURE, datetime.now(UTC))

    @asynccontextmanager
    async def _rows(self, user_id: UUID, *, to_write: bool = False) -> AsyncIterator[UserRows]:
        """A transaction on a connection of its own, as long as it takes."""
        async with self._database.unhurried() as conn, conn.transaction():
            rows = UserRows(conn, user_id)
            await rows.begin(to_write=to_write)
            yield rows

    async def _erased(self, user_id: UUID) -> dict[str, int]:
        """Delete the rows; whoever writes at the same moment may come first, and then it is tried again."""
        for _ in range(TRIES - 1):
            with suppress(DeadlockDetected):
                async with self._rows(user_id, to_write=True) as rows:
                    return await rows.erase()
        async with self._rows(user_id, to_write=True) as rows:
            return await rows.erase()

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
        beside = path.with_suffix(".new")
        with tarfile.open(beside, "w", format=tarfile.PAX_FORMAT) as archive:
            archive.add(making / MANIFEST, MANIFEST)
            for file in sorted(making.glob("*.jsonl")):
                archive.add(file, f"{TABLES}/{file.name}")
            clips = _added(archive, self._folders.clips / str(user_id), AUDIO)
            files = _added(archive, self._folders.files / str(user_id), FILES)
        beside.replace(path)
        return clips, files

    def _fresh(self, user_id: UUID) -> Path:
        """The user's folder of archives, without those that are too old."""
        folder = self._folders.exports / str(user_id)
        folder.mkdir(mode=PRIVATE, exist_ok=True)
        oldest = datetime.now(UTC).timestamp() - KEPT_HOURS * 3600
        for path in folder.iterdir():
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    _forget(path)
        return folder

    async def _receive(self, body: AsyncIterator[bytes], path: Path) -> None:
        size = 0
        with await asyncio.to_thread(path.open, "wb") as file:
            async for chunk in body:
                size += len(chunk)
                if size > self._most:
                    raise TooLarge(f"The archive has more than {self._most} bytes, the most that is accepted.")
                await asyncio.to_thread(file.write, chunk)

    async def _load(self, user_id: UUID, folder: Path, manifest: dict[str, Any]) -> dict[str, int]:
        async with self._rows(user_id, to_write=True) as rows:
            if await rows.holds_something():
                raise NotImportable("This account holds something already; an archive is taken into an empty one.")
            await rows.make_room()
            counts = {}
            for name in await rows.tables():
                path = folder / TABLES / f"{name}.jsonl"
                if name not in NOT_EXPORTED and await asyncio.to_thread(path.is_file):
                    with await asyncio.to_thread(path.open) as lines:
                        counts[name] = await rows.write(name, lines, UUID(manifest["user_id"]))
            await rows.restore(manifest["account"])
        return counts


def _make_private(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    folder.chmod(PRIVATE)


def _added(archive: tarfile.TarFile, folder: Path, name: str) -> int:
    count = 0
    for path in _files(folder):
        archive.add(path, f"{name}/{path.relative_to(folder).as_posix()}", recursive=False)
        count += 1
    return count


def _files(folder: Path) -> Iterator[Path]:
    """Plain files below a folder, without links and those that are still being written."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if path.is_file() and not path.is_symlink() and not path.name.endswith(".part"):
            yield path


def _unpack(archive: Path, folder: Path) -> None:
    """Write what belongs to an archive, and nothing else; raises NotImportable."""
    try:
        with tarfile.open(archive, "r:") as opened:
            for member in opened:
                name = PurePosixPath(member.name)
                if not member.isreg() or not _belongs(name):
                    raise NotImportable(f"The archive holds “{member.name[:100]}”, which is no part of an export.")
                target = folder.joinpath(*name.parts)
                target.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
                source: IO[bytes] | None = opened.extractfile(member)
                with target.open("xb") as file:
                    shutil.copyfileobj(source or _nothing(), file)
    except (tarfile.TarError, EOFError, FileExistsError) as error:
        raise NotImportable("This is no archive that `summit export` made, or it is cut.") from error


def _belongs(name: PurePosixPath) -> bool:
    if ".." in name.parts or name.is_absolute() or "\0" in str(name):
        return False
    match name.parts:
        case (one,):
            return one == MANIFEST
        case (folder, file):
            return folder in (TABLES, AUDIO, FILES) and bool(file)
        case (folder, *_):
            return folder == FILES
    return False


def _nothing() -> IO[bytes]:
    raise NotImportable("The archive holds something that is no file.")


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        with (folder / MANIFEST).open() as file:
            found = json.loads(file.read(LONGEST_MANIFEST))
        account = found["account"]
        whole = (UUID(found["user_id"]), int(account["change_cursor"]), int(account["event_seq"]), account["settings"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise NotImportable("This archive has no manifest that can be read.") from error
    if found.get("format") != FORMAT or not isinstance(whole[3], dict):
        raise NotImportable(f"This archive has the format {found.get('format')}; this version reads {FORMAT}.")
    return dict(found)


def _move(source: Path, target: Path) -> int:
    """Put files into their place, durably; how many."""
    count = 0
    for path in _files(source):
        final = target / path.relative_to(source)
        final.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(final)
        count += 1
    return count


def _remove(folder: Path) -> int:
    """Delete a folder with all that is in it; how many files it had."""
    count = sum(1 for _ in _files(folder))
    shutil.rmtree(folder, ignore_errors=True)
    return count


def _forget(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
