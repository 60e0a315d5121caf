"""Everything of a server in one file: the database as of one moment, recordings, files of runs, and the master key.

PostgreSQL's own programs read and write the database, so every table is there, those of other libraries included.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from psycopg.conninfo import conninfo_to_dict

from app.database.embedded_programs import programs

FORMAT = 1
DUMP, MANIFEST, MASTER_KEY = "database.dump", "manifest.json", "master.key"
FOLDERS = ("clips", "files")
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
MEMBER = re.compile(r"database\.dump|manifest\.json|master\.key|(?:clips|files)/.+")
CHUNK_BYTES = 1 << 20
ENVIRONMENT = {"dbname": "PGDATABASE", "application_name": "PGAPPNAME", "connect_timeout": "PGCONNECT_TIMEOUT"}
"""Names of libpq's variables that are not its parameter's name behind PG."""


class BackupError(RuntimeError):
    """A backup cannot be made or put back; the message says why and what to do."""


@dataclass(frozen=True)
class Manifest:
    """What a backup holds: SHA-256 by member, and what its database had applied."""

    format: int
    version: str
    created_at: str
    migrations: list[str]
    members: dict[str, str]

    @property
    def recordings(self) -> int:
        """How many there are."""
        return sum(name.startswith("clips/") for name in self.members)


@dataclass(frozen=True)
class Places:
    """Where a server keeps what is not in its database."""

    data_dir: Path
    master_key: Path


def write_backup(url: str, places: Places, file: Path, *, version: str, migrations: list[str]) -> Manifest:
    """Write a backup, whole or not at all; the server may run. Blocks; raises BackupError."""
    if file.exists():
        raise BackupError(f"{file} is there already.")
    part = file.with_name(f".{file.name}.part")
    try:
        with _private(part) as out, tarfile.open(fileobj=out, mode="w") as archive:
            manifest = _fill_archive(archive, url, places, version, migrations)
            out.flush()
            os.fsync(out.fileno())
        part.rename(file)
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _fill_archive(archive: tarfile.TarFile, url: str, places: Places, version: str, migrations: list[str]) -> Manifest:
    members: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        dump = Path(scratch, DUMP)
        _run("pg_dump", url, "--format=custom", f"--file={dump}")
        members[DUMP] = _add(archive, DUMP, dump)
    # Behind the dump: whatever recording its rows name was there before them.
    for name, path in _files(places):
        with suppress(FileNotFoundError):  # deleted meanwhile
            members[name] = _add(archive, name, path)
    manifest = Manifest(FORMAT, version, datetime.now(UTC).isoformat(timespec="seconds"), migrations, members)
    written = json.dumps(asdict(manifest), indent=1).encode()
    archive.addfile(_info(MANIFEST, len(written)), io.BytesIO(written))
    return manifest


def _files(places: Places) -> Iterator[tuple[str, Path]]:
    if places.master_key.is_file():
        yield MASTER_KEY, places.master_key
    for folder in FOLDERS:
        for path in sorted((places.data_dir / folder).rglob("*")):
            if path.is_file() and not path.is_symlink() and not path.name.endswith(".part"):
                yield str(path.relative_to(places.data_dir)), path


def _add(archive: tarfile.TarFile, name: str, path: Path) -> str:
    """Add a file as long as it is now; its SHA-256."""
    with path.open("rb") as file:
        hashing = _Hashing(file)
        archive.addfile(_info(name, os.fstat(file.fileno()).st_size), hashing)  # type: ignore[arg-type]
    return hashing.digest


def _info(name: str, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = size, PRIVATE_FILE, int(datetime.now(UTC).timestamp())
    return info


class _Hashing:
    """A file whose bytes are hashed as they are read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int) -> bytes:
        """The next bytes."""
        data = self._file.read(size)
        self._hash.update(data)
        return data

    @property
    def digest(self) -> str:
        """Of what was read."""
        return self._hash.hexdigest()


def check_backup(file: Path, known: Collection[str]) -> Manifest:
    """Read a backup to its end and compare every checksum. Raises BackupError.

    ``known`` are the migrations of this program: a newer one's backup is refused.
    """
    found: dict[str, str] = {}
    manifest: Manifest | None = None
    try:
        with tarfile.open(file, mode="r|") as archive:
            for info in archive:
                content = archive.extractfile(info) if info.isfile() and _is_safe(info.name) else None
                if content is None:
                    raise BackupError(f"{file} is no backup of Summit: it has a member {info.name[:80]!r}.")
                if info.name == MANIFEST:
                    manifest = Manifest(**json.load(content))
                else:
                    found[info.name] = _digest(content)
    except (OSError, tarfile.TarError, ValueError, TypeError) as error:
        raise BackupError(f"{file} cannot be read as a backup: {error}.") from error
    if manifest is None or manifest.format != FORMAT or found != manifest.members or DUMP not in found:
        raise BackupError(f"{file} is damaged or not whole: what is in it is not what its manifest says.")
    if newer := set(manifest.migrations) - set(known):
        raise BackupError(f"{file} was made by Summit {manifest.version}, which is newer: it has {min(newer)}.")
    return manifest


def _is_safe(name: str) -> bool:
    return bool(MEMBER.fullmatch(name)) and ".." not in name.split("/") and "\0" not in name


def _digest(content: IO[bytes]) -> str:
    hashed = hashlib.sha256()
    while piece := content.read(CHUNK_BYTES):
        hashed.update(piece)
    return hashed.hexdigest()


def put_back_files(file: Path, folder: Path) -> None:
    """Write the recordings, the files of runs and the key into a folder. Blocks."""
    _each(file, folder, lambda name: name not in (DUMP, MANIFEST))


def put_back_database(file: Path, url: str) -> None:
    """Fill an empty database, in one transaction. Blocks; raises BackupError."""
    with tempfile.TemporaryDirectory() as scratch:
        _each(file, Path(scratch), lambda name: name == DUMP)
        _run("pg_restore", url, "--exit-on-error", "--single-transaction", str(Path(scratch, DUMP)))


def _each(file: Path, folder: Path, wanted: Callable[[str], bool]) -> None:
    with tarfile.open(file, mode="r|") as archive:
        for info in archive:
            content = archive.extractfile(info) if wanted(info.name) else None
            if content is None:
                continue
            path = folder / info.name
            path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            with _private(path) as out:
                while piece := content.read(CHUNK_BYTES):
                    out.write(piece)


def _private(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE), "wb")


def _run(program: str, url: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs; the address is not in its arguments, which everybody on the machine can see."""
    given = {ENVIRONMENT.get(name, f"PG{name.upper()}"): str(value) for name, value in conninfo_to_dict(url).items()}
    into = ["--dbname", given["PGDATABASE"]] if program == "pg_restore" else []
    command = [str(programs() / "bin" / program), *into]
    done = subprocess.run(
        [*command, *arguments],
        env={"PATH": os.defpath, "LC_ALL": "C", **given},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[-800:]}")
