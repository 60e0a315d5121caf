"""Reading an archive of a stranger: every member is looked at before one byte of any is written anywhere.

A member's bytes are read from where they lie in the archive, so that nothing can unpack to more than was sent.
"""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO
from uuid import UUID

from app.errors import StorageFull
from app.http.accounts.model.portability import NotImportable

MANIFEST, TABLES, AUDIO, FILES = "manifest.json", "tables", "audio", "files"
PRIVATE = 0o700
LONGEST_MANIFEST = 1_000_000
LONGEST_HEAD = 65_536
LONGEST_NAME, LONGEST_PART, DEEPEST_NAME = 2048, 255, 64
MAX_NAME_CHARS = 100
CHUNK_BYTES = 1 << 20
NO_ARCHIVE = "This is no archive that `summit export` made, or it is cut."


@dataclass(frozen=True)
class ArchiveLimits:
    """What an archive may hold at most: bytes, members, bytes of one row; and what it may take to read it.

    ``spare_bytes`` of the disk stay free.
    """

    bytes: int
    files: int
    row_bytes: int
    seconds: int
    memory_bytes: int
    spare_bytes: int


@dataclass(frozen=True)
class Member:
    """A file in an archive: where its bytes lie."""

    name: PurePosixPath
    offset: int
    size: int


class Heads:
    """An archive's headers. Of each only so much is read as one needs, whatever it says that it has."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.left = LONGEST_HEAD

    def read(self, size: int) -> bytes:
        """Raises NotImportable where a header has no end."""
        self.left -= max(size, 1)
        if size < 0 or self.left < 0:
            raise NotImportable(f"A header of the archive has more than {LONGEST_HEAD} bytes.")
        return self._file.read(size)

    def seek(self, place: int) -> int:
        """To the next header."""
        return self._file.seek(place)

    def tell(self) -> int:
        """Where the file is read."""
        return self._file.tell()


def members(archive: Path, limits: ArchiveLimits) -> list[Member]:
    """All that an archive holds, checked; raises NotImportable."""
    try:
        found = list(_members(archive, limits))
    except (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError) as error:
        raise NotImportable(NO_ARCHIVE) from error
    if MANIFEST not in {str(one.name) for one in found}:
        raise NotImportable("This archive has no manifest that can be read.")
    return found


def _members(archive: Path, limits: ArchiveLimits) -> Iterator[Member]:
    size, seen, total = archive.stat().st_size, set[PurePosixPath](), 0
    with archive.open("rb") as file:
        heads = Heads(file)
        with tarfile.open(fileobj=heads, mode="r:") as opened:  # type: ignore[call-overload]  # what it needs of a file
            while info := opened.next():
                member = _check_member(info, size)
                if member.name in seen:
                    raise NotImportable(f"The archive holds {_quote_name(info.name)} twice.")
                seen.add(member.name)
                total += member.size
                if len(seen) > limits.files or total > limits.bytes:
                    raise NotImportable(
                        f"The archive holds more than {limits.files} files or {limits.bytes} bytes, the most that is "
                        "taken in."
                    )
                yield member
                opened.members.clear()  # it would keep all that it read
                heads.left = LONGEST_HEAD
            file.seek(opened.offset)
            if file.read(tarfile.BLOCKSIZE) != tarfile.NUL * tarfile.BLOCKSIZE:
                raise NotImportable(NO_ARCHIVE)


def _check_member(info: tarfile.TarInfo, size: int) -> Member:
    name = PurePosixPath(info.name)
    plain = info.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not info.issparse()
    if not plain or not _belongs(name):
        raise NotImportable(f"The archive holds {_quote_name(info.name)}, which is no part of an export.")
    if info.size < 0 or info.offset_data + info.size > size:
        raise NotImportable(NO_ARCHIVE)
    if name.parts == (MANIFEST,) and info.size > LONGEST_MANIFEST:
        raise NotImportable(f"The manifest has more than {LONGEST_MANIFEST} bytes.")
    return Member(name, info.offset_data, info.size)


def _quote_name(name: str) -> str:
    return f"\u201c{name[:MAX_NAME_CHARS].encode(errors='replace').decode()}\u201d"


def _belongs(name: PurePosixPath) -> bool:
    if not _writable(name):
        return False
    match name.parts:
        case (one,):
            return one == MANIFEST
        case (folder, file) if folder == TABLES:
            return file.removesuffix(".jsonl").isidentifier() and file.endswith(".jsonl")
        case (folder, file) if folder == AUDIO:
            return is_recording(name) or is_unfinished(name)
        case (folder, _, *_):
            return folder == FILES
    return False


def _writable(name: PurePosixPath) -> bool:
    """Whether every system takes such a name, and it leads nowhere else."""
    try:
        parts = [part.encode() for part in name.parts]
    except UnicodeEncodeError:
        return False
    short = len(str(name)) <= LONGEST_NAME and len(parts) <= DEEPEST_NAME and max(map(len, parts)) <= LONGEST_PART
    return short and not name.is_absolute() and b".." not in parts and "\0" not in str(name)


def is_recording(name: PurePosixPath) -> bool:
    """Whether it is the recording of a memo, whose id is its name."""
    return name.parts[0] == AUDIO and _is_id(name.name)


def is_unfinished(name: PurePosixPath) -> bool:
    """Whether it came in as the archive was made; older versions put it there, and there is no memo for it."""
    return name.parts[0] == AUDIO and name.suffix == ".upload" and _is_id(name.stem.removeprefix("."))


def _is_id(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False


def make_sure_of_space(folder: Path, found: list[Member], limits: ArchiveLimits) -> None:
    """Raises StorageFull where what an archive holds would not leave enough free."""
    if shutil.disk_usage(folder).free - sum(one.size for one in found) < limits.spare_bytes:
        raise StorageFull


def copy_out(file: IO[bytes], member: Member, folder: Path) -> None:
    """Write a member's bytes durably below a folder; raises NotImportable where a file stands in the way."""
    target = folder.joinpath(*member.name.parts)
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        written = target.open("xb")
    except (FileExistsError, NotADirectoryError) as error:
        raise NotImportable(f"The archive holds {_quote_name(str(member.name))} twice.") from error
    with written:
        for piece in pieces(file, member):
            written.write(piece)
        written.flush()
        os.fsync(written.fileno())


def pieces(file: IO[bytes], member: Member) -> Iterator[bytes]:
    """The bytes of a member; raises NotImportable where the archive ends before it."""
    file.seek(member.offset)
    left = member.size
    while left:
        piece = file.read(min(CHUNK_BYTES, left))
        if not piece:
            raise NotImportable(NO_ARCHIVE)
        left -= len(piece)
        yield piece


def lines(file: IO[bytes], member: Member, longest: int) -> Iterator[bytes]:
    """The lines of a member without their ends, none longer than ``longest``; raises NotImportable."""
    kept: list[bytes] = []
    size = 0
    for piece in pieces(file, member):
        *whole, rest = piece.split(b"\n")
        for part in whole:
            if size + len(part) > longest:
                raise _too_long(member, longest)
            yield b"".join((*kept, part))
            kept, size = [], 0
        kept.append(rest)
        size += len(rest)
        if size > longest:
            raise _too_long(member, longest)
    if size:
        yield b"".join(kept)


def _too_long(member: Member, longest: int) -> NotImportable:
    return NotImportable(f"A line of {member.name.name} has more than {longest} bytes, the most that is taken in.")
