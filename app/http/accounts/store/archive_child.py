"""The child that reads one archive: all of it is checked, then laid out in a folder for the server to take in.

One message of JSON comes in (see Wanted), one goes out: {"refused": reason}, {"full": true} or what the archive holds.
Each table becomes a file of pairs of lines: the columns, and some rows with these columns as one array.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Self
from uuid import UUID

from app.boundary.confinement import frames, sandbox
from app.errors import StorageFull
from app.http.accounts.model.portability import NotImportable
from app.http.accounts.store.archive_rows import MAX_SAFE_INTEGER, Columns, batches_of, check_zone, parse_json, rows_of
from app.http.accounts.store.archives import (
    MANIFEST,
    PRIVATE,
    TABLES,
    ArchiveLimits,
    Member,
    copy_out,
    is_unfinished,
    lines,
    make_sure_of_space,
    members,
    pieces,
)

FORMAT = 1
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
LONGEST_SETTINGS = 65_536
TOO_MUCH = "Reading this archive took more time or memory than one may take; it was stopped."
UNREADABLE = "This archive has no manifest that can be read"


@dataclass(frozen=True)
class ArchiveWanted:
    """What to read, for whom, and where to lay it out; ``tables`` are those that are taken in."""

    archive: Path
    folder: Path
    user_id: UUID
    tables: Mapping[str, Columns]
    limits: ArchiveLimits

    def to_json(self) -> bytes:
        """As it is sent."""
        return json.dumps(asdict(self), default=str).encode()

    @classmethod
    def from_json(cls, message: bytes) -> Self:
        """As it arrives."""
        given = json.loads(message)
        return cls(
            Path(given["archive"]),
            Path(given["folder"]),
            UUID(given["user_id"]),
            given["tables"],
            ArchiveLimits(**given["limits"]),
        )


def main() -> None:
    """Read one archive within the limits and report."""
    sandbox.follow_parent()
    sandbox.step_back()
    requests, replies = frames.take_pipes()
    message = frames.read(requests)
    if message is not None:
        wanted = ArchiveWanted.from_json(message)
        sandbox.limit_cpu_and_memory(cpu_seconds=wanted.limits.seconds, memory_bytes=wanted.limits.memory_bytes)
        frames.write(replies, json.dumps(report(wanted)).encode())


def report(wanted: ArchiveWanted) -> dict[str, Any]:
    """What is said of an archive."""
    try:
        return laid_out(wanted)
    except NotImportable as refusal:
        return {"refused": str(refusal)}
    except MemoryError:
        return {"refused": TOO_MUCH}
    except StorageFull:
        return {"full": True}
    except OSError as error:
        if error.errno in NO_SPACE:
            return {"full": True}
        raise


def laid_out(wanted: ArchiveWanted) -> dict[str, Any]:
    """Check everything, then write it below the folder; the manifest. Raises NotImportable, StorageFull."""
    found = members(wanted.archive, wanted.limits)
    make_sure_of_space(wanted.folder, found, wanted.limits)
    with wanted.archive.open("rb") as file:
        by_name = {str(one.name): one for one in found}
        manifest = read_manifest(b"".join(pieces(file, by_name[MANIFEST])))
        for member in found:
            if member.name.parts[0] == TABLES:
                count = _lay_out_rows(wanted, file, member, UUID(manifest["user_id"]))
                _check_count(manifest, member.name.stem, count)
            elif str(member.name) != MANIFEST and not is_unfinished(member.name):
                copy_out(file, member, wanted.folder)
    return {"manifest": manifest}


def read_manifest(text: bytes) -> dict[str, Any]:
    """The manifest, checked; raises NotImportable."""
    try:
        found = parse_json(text)
        account = found["account"]
        UUID(found["user_id"])
        counters = [account["change_cursor"], account["event_seq"]]
        settings = account["settings"]
        if settings.get("timezone") is not None:
            check_zone(settings["timezone"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        why = f": {error}." if type(error) is ValueError else "."
        raise NotImportable(f"{UNREADABLE}{why}") from error
    if found.get("format") != FORMAT:
        raise NotImportable(f"This archive has the format {found.get('format')}; this version reads {FORMAT}.")
    if not all(isinstance(one, int) and 0 <= one <= MAX_SAFE_INTEGER for one in counters):
        raise NotImportable(f"The counters in the manifest must lie between 0 and {MAX_SAFE_INTEGER}.")
    if not isinstance(settings, dict) or len(json.dumps(settings)) > LONGEST_SETTINGS:
        raise NotImportable(f"The settings in the manifest must be an object of at most {LONGEST_SETTINGS} bytes.")
    return dict(found)


def _check_count(manifest: dict[str, Any], table: str, count: int | None) -> None:
    """An archive that somebody changed, or that was damaged, may still be read to its end."""
    stated = manifest.get("tables")
    if count is not None and isinstance(stated, dict) and stated.get(table, 0) != count:
        raise NotImportable(f"The archive has {count} rows of {table}, its manifest says {stated.get(table, 0)}.")


def _lay_out_rows(wanted: ArchiveWanted, file: IO[bytes], member: Member, before: UUID) -> int | None:
    """How many rows there are; None for what is made again from the rest, or of a table that this version lacks."""
    table, count = member.name.stem, 0
    columns = wanted.tables.get(table)
    if columns is None:
        return None
    target = wanted.folder / TABLES / table
    target.parent.mkdir(exist_ok=True, mode=PRIVATE)
    rows = rows_of(lines(file, member, wanted.limits.row_bytes), table, columns, before, wanted.user_id)
    with target.open("x") as out:
        for names, batch, size in batches_of(rows):
            out.write(f"{json.dumps(names)}\n{batch}\n")
            count += size
    return count


if __name__ == "__main__":
    main()
