"""Everything of one user, whatever the table: in the archive, in another account, or gone."""

from __future__ import annotations

import asyncio
import io
import json
import tarfile
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from app.errors import TooLarge
from app.ports import main_thread
from app.ports.portability import NotImportable
from app.storage.database import Database
from app.storage.portability import MANIFEST, Folders, PostgresPortability
from app.storage.user_rows import KEPT_AT_ERASURE, NOT_EXPORTED
from app.storage.users import PostgresUsers
from tests.integration.app.storage.test_tenancy import OURS, SECRET, Anna, anna, ben  # noqa: F401 - fixtures

THROUGH_THREADS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "exports", tmp_path / "clips", tmp_path / "files")


@pytest.fixture
def portability(database: Database, folders: Folders) -> PostgresPortability:
    return PostgresPortability(database, folders, most_bytes=50_000_000)


def counts(url: str, user: UUID) -> dict[str, int]:
    """Rows of a user in each table, seen by a superuser."""
    found = dict[str, int]()
    with psycopg.connect(url) as conn:
        for table in OURS:
            mine = "starts_with(thread_id, %s)" if table in THROUGH_THREADS else "user_id::text = %s"
            query = sql.SQL("select count(*) from summit.{} where {}").format(sql.Identifier(table), sql.SQL(mine))
            [row] = conn.execute(query, (str(user),)).fetchall()
            found[table] = row[0]
    return found


def lines(archive: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of an archive by table."""
    with tarfile.open(archive) as opened:
        names = [name for name in opened.getnames() if name.startswith("tables/")]
        texts = {name: (opened.extractfile(name) or io.BytesIO()).read().decode() for name in names}
    return {Path(name).stem: [json.loads(line) for line in text.splitlines()] for name, text in texts.items()}


async def bytes_of(path: Path) -> AsyncIterator[bytes]:
    yield await asyncio.to_thread(path.read_bytes)


def test_every_table_is_exported_or_has_a_reason() -> None:
    assert set(NOT_EXPORTED) <= set(OURS)
    assert set(KEPT_AT_ERASURE) <= set(NOT_EXPORTED)
    assert all(NOT_EXPORTED.values())


async def test_the_archive_has_every_row_of_every_table_but_those_with_a_reason(
    portability: PostgresPortability,
    database_url: str,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    made = await portability.export(anna.id, uuid4())
    there = counts(database_url, anna.id)
    assert min(there.values()) > 0, "Anna has something in each table"
    there["memos"] -= there["uploads"]  # what is still coming in is in no archive
    assert {name: len(rows) for name, rows in lines(made.path).items()} == {
        name: count for name, count in there.items() if name not in NOT_EXPORTED
    }
    assert dict(made.rows) == {name: count for name, count in there.items() if name not in NOT_EXPORTED}
    assert SECRET not in (await portability.export(ben, uuid4())).path.read_text(errors="replace")
    assert await portability.exported(ben, made.id) is None
    assert await portability.exported(anna.id, made.id) == made.path


async def test_what_is_taken_in_is_what_went_out(
    portability: PostgresPortability,
    database: Database,
    database_url: str,
    folders: Folders,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    for folder, name in ((folders.clips, str(anna.memo)), (folders.files, "draft/roof.txt")):
        path = folder / str(anna.id) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(b"\0sound")
    before = counts(database_url, anna.id)
    made = await portability.export(anna.id, uuid4())
    taken = await portability.import_(ben, bytes_of(made.path))
    assert (taken.rows, taken.recordings, taken.files) == (made.rows, 1, 1)
    assert (folders.clips / str(ben) / str(anna.memo)).read_bytes() == b"\0sound"
    assert (folders.files / str(ben) / "draft" / "roof.txt").is_file()
    again = await portability.export(ben, uuid4())
    assert sorted_rows(renamed(lines(made.path), anna.id, ben)) == sorted_rows(lines(again.path))
    known = await PostgresUsers(database).get(ben)
    assert known
    assert known.settings["city"] == SECRET
    assert counts(database_url, anna.id) == before


def sorted_rows(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    return {name: sorted(json.dumps(row, sort_keys=True) for row in rows) for name, rows in tables.items()}


def renamed(tables: dict[str, list[dict[str, Any]]], before: UUID, after: UUID) -> dict[str, list[dict[str, Any]]]:
    text = json.dumps(tables)
    for one, other in ((before, after), (main_thread(before), main_thread(after))):
        text = text.replace(str(one), str(other)).replace(one.hex, other.hex)
        text = text.replace(str(one).encode().hex(), str(other).encode().hex())
    found: dict[str, list[dict[str, Any]]] = json.loads(text)
    return found


async def test_nothing_is_left_but_what_has_a_reason_and_nobody_else_loses_a_row(
    portability: PostgresPortability,
    database_url: str,
    folders: Folders,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    made = await portability.export(anna.id, uuid4())
    await portability.import_(ben, bytes_of(made.path))
    clip = folders.clips / str(anna.id) / str(anna.memo)
    clip.parent.mkdir(parents=True)
    clip.write_bytes(b"sound")
    before, other = counts(database_url, anna.id), counts(database_url, ben)
    receipt = await portability.erase(anna.id)
    after = counts(database_url, anna.id)
    assert {name for name, count in after.items() if count} == {*KEPT_AT_ERASURE, "threads"}
    assert after["threads"] == 1, "an empty one, as every account has"
    assert receipt.left == 0
    gone = {name: count for name, count in receipt.erased.rows.items() if name != "memory_queue"}
    assert gone == {name: count for name, count in before.items() if name not in {*KEPT_AT_ERASURE, "memory_queue"}}
    assert receipt.erased.recordings == 1
    assert not clip.exists()
    assert not made.path.exists()
    assert counts(database_url, ben) == other
    with psycopg.connect(database_url) as conn:
        assert conn.execute("select settings from summit.users where user_id = %s", (anna.id,)).fetchone() == ({},)


async def test_an_archive_is_taken_into_an_empty_account_only_and_once(
    portability: PostgresPortability,
    database_url: str,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    made = await portability.export(anna.id, uuid4())
    with pytest.raises(NotImportable, match="holds something"):
        await portability.import_(anna.id, bytes_of(made.path))
    await portability.import_(ben, bytes_of(made.path))
    with pytest.raises(NotImportable, match="holds something"):
        await portability.import_(ben, bytes_of(made.path))
    copy = made.path.read_bytes()
    await portability.erase(anna.id)

    async def kept() -> AsyncIterator[bytes]:
        yield copy

    await portability.import_(anna.id, kept())
    assert counts(database_url, anna.id)["changes"] == made.rows["changes"]


GOOD = {
    "format": 1,
    "user_id": str(UUID(int=7)),
    "account": {"settings": {}, "change_cursor": 1, "event_seq": 1},
}


def packed(entries: Iterable[tuple[str, bytes]], *, kind: bytes = tarfile.REGTYPE) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in entries:
            member = tarfile.TarInfo(name)
            member.size, member.type, member.linkname = len(content), kind, "/etc/passwd"
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


MANIFESTO = (MANIFEST, json.dumps(GOOD).encode())
NEWER = (MANIFEST, json.dumps({**GOOD, "format": 99}).encode())
HOSTILE = {
    "nothing": b"",
    "no archive": b"not a tar at all" * 100,
    "no manifest": packed([("tables/changes.jsonl", b"")]),
    "a broken manifest": packed([(MANIFEST, b"{")]),
    "another format": packed([NEWER]),
    "a way out": packed([MANIFESTO, ("files/../../../etc/cron.d/x", b"x")]),
    "a whole path": packed([MANIFESTO, ("/etc/cron.d/x", b"x")]),
    "a link": packed([("files/x", b"")], kind=tarfile.SYMTYPE),
    "a hard link": packed([("files/x", b"")], kind=tarfile.LNKTYPE),
    "a device": packed([("files/x", b"")], kind=tarfile.CHRTYPE),
    "twice": packed([MANIFESTO, MANIFESTO]),
    "no JSON": packed([MANIFESTO, ("tables/threads.jsonl", b"{\n")]),
    "no row": packed([MANIFESTO, ("tables/threads.jsonl", b"[1]\n")]),
    "a row of another kind": packed([MANIFESTO, ("tables/threads.jsonl", b'{"id": "no id"}\n')]),
    "a cut archive": packed([MANIFESTO, ("files/x", b"y" * 5000)])[:3000],
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
async def test_what_is_no_archive_leaves_nothing(
    portability: PostgresPortability,
    database_url: str,
    folders: Folders,
    ben: UUID,  # noqa: F811
    body: bytes,
) -> None:
    async def sent() -> AsyncIterator[bytes]:
        yield body

    before = counts(database_url, ben)
    with pytest.raises(NotImportable):
        await portability.import_(ben, sent())
    assert counts(database_url, ben) == before
    assert list(folders.exports.iterdir()) == []
    assert not (folders.files / str(ben)).exists()


async def test_rows_that_say_they_are_anothers_are_ones_own(
    portability: PostgresPortability,
    database_url: str,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    before, had = counts(database_url, anna.id), counts(database_url, ben)["threads"]
    row = {"user_id": str(anna.id), "id": str(uuid4()), "title": "mine", "last_active_at": "2026-11-18T09:30:00Z"}

    async def sent() -> AsyncIterator[bytes]:
        yield packed([MANIFESTO, ("tables/threads.jsonl", json.dumps(row).encode())])

    await portability.import_(ben, sent())
    assert counts(database_url, anna.id) == before
    assert counts(database_url, ben)["threads"] == had + 1


async def test_an_archive_that_is_too_large_is_refused(
    database: Database,
    folders: Folders,
    ben: UUID,  # noqa: F811
) -> None:
    async def sent() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b"x" * 1000

    with pytest.raises(TooLarge):
        await PostgresPortability(database, folders, most_bytes=10_000).import_(ben, sent())
