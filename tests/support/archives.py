"""Archives of users for tests: made by hand, and taken in within small limits."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from app.database.database import Database
from app.http.accounts.build import check_settings
from app.http.accounts.model.portability import Checks
from app.http.accounts.store.archive_reader import ArchiveReader
from app.http.accounts.store.archives import ArchiveLimits
from app.http.accounts.store.portability import Folders, Portability

LIMITS = ArchiveLimits(
    bytes=50_000_000, files=1000, row_bytes=4_000_000, seconds=600, memory_bytes=2**30, spare_bytes=0
)
MANIFEST: dict[str, Any] = {
    "format": 1,
    "user_id": str(UUID(int=7)),
    "account": {"settings": {}, "change_cursor": 1, "event_seq": 1},
}


def portability_at(database: Database, folders: Folders, **limits: int) -> Portability:
    """Takes in what any workflow says, as those of tests are no more than names."""
    reader = ArchiveReader(replace(LIMITS, **limits))
    return Portability(database, folders, reader, Checks(check_settings, lambda _definition: None))


def manifest(**account: Any) -> tuple[str, bytes]:
    """The manifest of an account of which that is different."""
    return "manifest.json", json.dumps({**MANIFEST, "account": {**MANIFEST["account"], **account}}).encode()


def table(name: str, *rows: Any) -> tuple[str, bytes]:
    """Rows of a table, each as JSON or as what stands for it."""
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    return f"tables/{name}.jsonl", b"".join(line + b"\n" for line in lines)


def packed(entries: Iterable[tuple[str, bytes]], *, kind: bytes = tarfile.REGTYPE, **pax: str) -> bytes:
    """A tar of these files, all of one kind and with such PAX headers."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in entries:
            member = tarfile.TarInfo(name)
            member.size, member.type, member.linkname, member.pax_headers = len(content), kind, "/etc/passwd", pax
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()
