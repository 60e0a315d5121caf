"""Everything of one user, whatever the table: in the archive, in another account, or gone."""

from __future__ import annotations

import asyncio
import io
import json
import os
import tarfile
from collections.abc import AsyncIterator, Collection
from dataclasses import astuple
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from app.database.database import Database
from app.database.signals import Signals
from app.errors import TooLarge, TooManyRequests
from app.http.accounts.model.portability import NotImportable
from app.http.accounts.model.users import main_thread
from app.http.accounts.store import staging
from app.http.accounts.store.portability import Folders, Portability
from app.http.accounts.store.user_rows import KEPT_AT_ERASURE, NOT_EXPORTED
from app.http.accounts.store.users import Users
from tests.integration.app.database.test_tenancy import OURS, SECRET, Anna, anna, ben  # noqa: F401 - fixtures
from tests.support.archives import MANIFEST, manifest, packed, portability_at, table
from tests.support.servers.turn_server import inbox_at, new_turn

THROUGH_THREADS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "exports", tmp_path / "clips", tmp_path / "files")


@pytest.fixture
def portability(database: Database, folders: Folders) -> Portability:
    return portability_at(database, folders)


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
    portability: Portability,
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
    assert await portability.find_export(ben, made.id) is None
    assert await portability.find_export(anna.id, made.id) == made.path


async def test_what_is_taken_in_is_what_went_out(
    portability: Portability,
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
    known = await Users(database).get(ben)
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
    portability: Portability,
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
    portability: Portability,
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


HOSTILE = {
    "no archive": b"not a tar at all" * 100,
    "settings that are none": packed([manifest(settings={"quiet_hours": {"start": "26:00", "end": 3}})]),
    "conventions that are none": packed([manifest(settings={"conventions": {"week_start": "someday"}})]),
    "a row of no thread": packed([manifest(), table("messages", {"thread_id": str(UUID(int=9)), "seq": 1})]),
    "a key too long for its index": packed(
        [manifest(), table("store", {"prefix": "x", "key": "".join(map(chr, range(0x4E00, 0x9E00))), "value": {}})]
    ),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
async def test_what_is_no_archive_leaves_nothing(
    portability: Portability,
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
    portability: Portability,
    database_url: str,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    before, had = counts(database_url, anna.id), counts(database_url, ben)["threads"]
    row = {"user_id": str(anna.id), "id": str(uuid4()), "title": "mine", "last_active_at": "2026-11-18T09:30:00Z"}

    async def sent() -> AsyncIterator[bytes]:
        yield packed([manifest(), table("threads", row)])

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
        await portability_at(database, folders, bytes=10_000).import_(ben, sent())
    assert list(folders.exports.iterdir()) == []


class Killed(Exception):  # noqa: N818 - what happened to it
    """What a server that was killed did no more."""


class DeadFolders(Folders):
    """Of a server that is killed when its rows are committed, before it comes to the files."""

    def take_in(self, user_id: UUID, laid_out: Path) -> None:
        raise Killed

    def erase(self, user_id: UUID, memos: Collection[str], began: float) -> None:
        raise Killed


def with_files(folders: Folders, anna: Anna) -> None:  # noqa: F811
    for folder, name in ((folders.clips, str(anna.memo)), (folders.files, "draft/roof.txt")):
        path = folder / str(anna.id) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(b"\0sound")


async def test_an_erasure_that_was_cut_is_finished_by_whoever_comes_next(
    portability: Portability,
    database: Database,
    database_url: str,
    folders: Folders,
    anna: Anna,  # noqa: F811
) -> None:
    with_files(folders, anna)
    made = await portability.export(anna.id, uuid4())
    with pytest.raises(Killed):
        await portability_at(database, DeadFolders(*astuple(folders))).erase(anna.id)
    assert counts(database_url, anna.id)["memos"] == 0
    since = folders.clips / str(anna.id) / str(uuid4())  # a clip of which the memo is about to be made
    since.write_bytes(b"sound")
    await portability.finish_all()
    assert list((folders.clips / str(anna.id)).iterdir()) == [since]
    assert not (folders.files / str(anna.id)).exists()
    assert not made.path.exists()
    assert await portability.finish_all() == 0


async def test_an_import_that_was_cut_is_finished_and_its_retry_is_told_how_it_ended(
    portability: Portability,
    database: Database,
    folders: Folders,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    with_files(folders, anna)
    made = await portability.export(anna.id, uuid4())
    taken = await portability_at(database, DeadFolders(*astuple(folders))).import_(ben, bytes_of(made.path))
    assert (taken.rows, taken.recordings, taken.files) == (made.rows, 1, 1)
    assert not (folders.clips / str(ben)).exists()
    await portability.finish_all()
    assert (folders.clips / str(ben) / str(anna.memo)).read_bytes() == b"\0sound"
    assert (folders.files / str(ben) / "draft" / "roof.txt").is_file()
    assert {path.name for path in folders.exports.iterdir()} == {str(anna.id)}
    assert await portability.import_(ben, bytes_of(made.path)) == taken
    with pytest.raises(NotImportable, match="holds something"):
        await portability.import_(ben, bytes_of(made.path))


async def test_an_erasure_after_a_cut_import_leaves_none_of_its_files(
    portability: Portability,
    database: Database,
    folders: Folders,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    with_files(folders, anna)
    made = await portability.export(anna.id, uuid4())
    await portability_at(database, DeadFolders(*astuple(folders))).import_(ben, bytes_of(made.path))
    receipt = await portability.erase(ben)
    assert (receipt.left, receipt.erased.recordings, receipt.erased.files) == (0, 1, 1)
    assert not (folders.clips / str(ben)).exists()
    assert not (folders.files / str(ben)).exists()
    assert {path.name for path in folders.exports.iterdir()} == {str(anna.id)}


async def test_folders_of_servers_that_died_are_removed_and_those_in_use_stay(
    portability: Portability,
    folders: Folders,
    ben: UUID,  # noqa: F811
) -> None:
    abandoned, lock = staging.begin(folders.exports, "taking", ben)
    os.close(lock)  # as the system does for whoever died
    used, lock = staging.begin(folders.exports, "making", ben)
    (abandoned / "archive.tar").write_bytes(b"half of it")
    await portability.finish_all()
    assert list(folders.exports.iterdir()) == [used]
    os.close(lock)
    await portability.finish_all()
    assert list(folders.exports.iterdir()) == []


async def test_one_user_imports_one_archive_at_a_time(
    portability: Portability,
    ben: UUID,  # noqa: F811
) -> None:
    async def sent() -> AsyncIterator[bytes]:
        with pytest.raises(TooManyRequests):
            await portability.import_(ben, bytes_of(Path("/nowhere")))
        yield b"no archive"

    with pytest.raises(NotImportable):
        await portability.import_(ben, sent())


async def test_counters_of_a_manifest_do_not_fall_behind_its_rows(
    portability: Portability,
    database_url: str,
    anna: Anna,  # noqa: F811
    ben: UUID,  # noqa: F811
) -> None:
    made = await portability.export(anna.id, uuid4())
    rows = lines(made.path)["changes"]
    latest = max(row["cursor"] for row in rows)
    told = {"change_cursor": 0, "event_seq": 0, "settings": {}}
    small = json.dumps({**MANIFEST, "user_id": str(anna.id), "account": told}).encode()
    body = packed([("manifest.json", small), table("changes", *rows)])

    async def sent() -> AsyncIterator[bytes]:
        yield body

    await portability.import_(ben, sent())
    with psycopg.connect(database_url) as conn:
        [(cursor,)] = conn.execute("select change_cursor from summit.counters where user_id = %s", (ben,)).fetchall()
    assert cursor >= latest > 1


async def test_whoever_imports_or_erases_now_is_not_waited_for(
    portability: Portability,
    database_url: str,
    folders: Folders,
    anna: Anna,  # noqa: F811
) -> None:
    with_files(folders, anna)
    with pytest.raises(Killed):
        await Portability(
            portability._database, DeadFolders(*astuple(folders)), portability._reader, portability._checks
        ).erase(anna.id)
    async with await psycopg.AsyncConnection.connect(database_url) as conn:
        await conn.execute("select 1 from summit.counters where user_id = %s for update", (anna.id,))
        assert await portability.finish_all() == 1
        assert (folders.clips / str(anna.id) / str(anna.memo)).exists()
    await portability.finish_all()
    assert not (folders.clips / str(anna.id)).exists()


async def test_a_conversation_goes_on_whatever_an_archive_says_of_its_threads(
    portability: Portability,
    database: Database,
    ben: UUID,  # noqa: F811
) -> None:
    other = str(UUID(int=11))
    thread = {"title": "", "next_seq": 1, "message_count": 0, "created_at": "2026-11-20T09:30:00+00:00"}
    turn: dict[str, Any] = {
        "body_hash": "\\x00",
        "captured_at": "2026-11-20T09:30:00+00:00",
        "timezone": "UTC",
        "state": "done",
    }
    turn |= {"id": str(UUID(int=12)), "usage": {}, "attempt": 0, "cancel_requested": False, "unsure": False}
    main = str(main_thread(UUID(int=7)))
    rows = table("threads", {**thread, "id": main, "is_main": False}, {**thread, "id": other, "is_main": True})
    turns = table("turns", {**turn, "thread_id": main, "seq": 1, "lease_generation": 0, "speak": False})

    async def sent() -> AsyncIterator[bytes]:
        yield packed([manifest(), rows, turns])

    await portability.import_(ben, sent())
    inbox = inbox_at(database, Signals(database))
    accepted = await inbox.accept(new_turn(ben, "hi"))
    assert accepted.turn.seq == 2
    async with database.tenant(ben) as conn:
        found = await (await conn.execute("select id from threads where is_main")).fetchall()
    assert [row["id"] for row in found] == [main_thread(ben)]
