"""Archives of strangers: what does not fit is refused whole and with a reason."""

from __future__ import annotations

import io
import json
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.http.accounts.model.users import main_thread
from app.http.accounts.store.archive_child import ArchiveWanted, report
from app.http.accounts.store.archive_rows import BATCH_BYTES, BATCH_ROWS, batches_of, rows_of
from app.http.accounts.store.archives import Member, lines
from tests.support.archives import LIMITS, MANIFEST, manifest, packed, table

OWNER = UUID(int=8)
MOMENT = "timestamp with time zone"
TABLES = {
    "changes": {"user_id": "uuid", "id": "uuid", "cursor": "bigint"},
    "threads": {"user_id": "uuid", "id": "uuid", "title": "text", "next_seq": "bigint", "created_at": MOMENT},
    "turns": {
        "user_id": "uuid", "id": "uuid", "thread_id": "uuid", "seq": "bigint", "body_hash": "bytea", "state": "text",
        "captured_at": MOMENT, "timezone": "text", "usage": "jsonb", "result": "jsonb", "attempt": "integer",
    },
    "store": {"prefix": "text", "key": "text", "value": "jsonb", "user_id": "uuid"},
    "occurrences": {"user_id": "uuid", "during": "tstzrange", "busy": "boolean"},
}  # fmt: skip


def chained(count: int) -> bytes:
    """Headers for the next member, one after the other, without a member."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 12
    return (info.tobuf(tarfile.USTAR_FORMAT) + b"12 path=ab\n\n".ljust(512, b"\0")) * count


def sparse() -> bytes:
    """A member of a few bytes that says it is two gibibytes, most of them holes."""
    info = tarfile.TarInfo("files/holes")
    info.size = 512
    info.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": "files/holes",
        "GNU.sparse.realsize": str(2**31),
    }
    body = b"1\n0\n0\n".ljust(512, b"\0")
    return packed([manifest()])[:1024] + info.tobuf(tarfile.PAX_FORMAT) + body + b"\0" * 1024


def sized(size: bytes) -> bytes:
    """A member whose header says another size than it has."""
    head = bytearray(tarfile.TarInfo("files/x").tobuf(tarfile.USTAR_FORMAT))
    head[124:136] = size.ljust(12, b"\0")
    head[148:156] = b"        "
    head[148:156] = b"%06o\0 " % sum(head)
    return packed([manifest()])[:1024] + bytes(head) + b"\0" * 1024


def deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def read(body: bytes, folder: Path, **limits: int) -> dict[str, Any]:
    archive = folder / "archive.tar"
    archive.write_bytes(body)
    return report(ArchiveWanted(archive, folder, OWNER, TABLES, replace(LIMITS, **limits)))


def laid_out(folder: Path, name: str) -> list[dict[str, Any]]:
    texts = (folder / "tables" / name).read_text().splitlines()
    return [row for text in texts[1::2] for row in json.loads(text)]


THREAD = {"id": str(UUID(int=1)), "title": "x"}
TURN = {"id": str(UUID(int=2)), "thread_id": str(UUID(int=1)), "seq": 1, "body_hash": "\\x00", "state": "done"}
TURN |= {"captured_at": "2026-11-20T09:30:00+00:00", "timezone": "Europe/Lisbon", "usage": {}}
TODO = {"prefix": f"todo.{UUID(int=7)}", "key": "a", "value": {"id": "a"}}
HOSTILE = {
    "nothing": b"",
    "no archive": b"not a tar at all" * 100,
    "no manifest": packed([table("changes")]),
    "a broken manifest": packed([("manifest.json", b"{")]),
    "a manifest that is a list": packed([("manifest.json", b"[]")]),
    "a deep manifest": packed([("manifest.json", b'{"account": ' + deep(90_000) + b"}")]),
    "a long manifest": packed([("manifest.json", b" " * 1_000_001)]),
    "another format": packed([("manifest.json", json.dumps({**MANIFEST, "format": 99}).encode())]),
    "a counter at its end": packed([manifest(change_cursor=2**63 - 1)]),
    "a counter below zero": packed([manifest(event_seq=-1)]),
    "a counter that is a word": packed([manifest(event_seq="12")]),
    "a zone that nobody knows": packed([manifest(settings={"timezone": "Mars/Olympus"})]),
    "settings without an end": packed([manifest(settings={"city": "x" * 70_000})]),
    "a way out": packed([manifest(), ("files/../../../etc/cron.d/x", b"x")]),
    "a whole path": packed([manifest(), ("/etc/cron.d/x", b"x")]),
    "a long name": packed([manifest(), ("files/" + "n" * 300, b"x")]),
    "a long path": packed([manifest(), ("files/" + "name/" * 300 + "x", b"x")]),
    "a deep path": packed([manifest(), ("files/" + "d/" * 80 + "x", b"x")]),
    "a recording of no memo": packed([manifest(), ("audio/song.mp3", b"x")]),
    "a link": packed([("files/x", b"")], kind=tarfile.SYMTYPE),
    "a hard link": packed([("files/x", b"")], kind=tarfile.LNKTYPE),
    "a device": packed([("files/x", b"")], kind=tarfile.CHRTYPE),
    "holes": sparse(),
    "an older kind of holes": packed([manifest(), ("files/x", b"")], kind=tarfile.GNUTYPE_SPARSE),
    "a size below zero": sized(b"\xff" * 12),
    "a size beyond the end": sized(b"77777777777"),
    "headers without an end": chained(5000),
    "a header without an end": packed([manifest(), ("files/x", b"x")], comment="x" * 200_000),
    "twice": packed([manifest(), manifest()]),
    "a file where a folder is": packed([manifest(), ("files/a", b"x"), ("files/a/b", b"x")]),
    "too many files": packed([manifest(), *((f"files/{number}", b"") for number in range(1000))]),
    "a damaged header": packed([manifest(), ("files/x", b"x"), ("files/y", b"y")])[:2048] + b"?" * 1024,
    "no end": packed([manifest()])[:1024],
    "no JSON": packed([manifest(), table("threads", b"{")]),
    "no row": packed([manifest(), table("threads", [1])]),
    "a deep row": packed([manifest(), table("threads", b'{"title": ' + deep(5000) + b"}")]),
    "a long row": packed([manifest(), table("threads", {**THREAD, "title": "x" * 5_000_000})]),
    "a row of another kind": packed([manifest(), table("threads", {"id": "no id"})]),
    "a number at its end": packed([manifest(), table("threads", {**THREAD, "next_seq": 2**63 - 1})]),
    "a number without an end": packed([manifest(), table("threads", b'{"id": 1' + b"0" * 6000 + b"}")]),
    "no number": packed([manifest(), table("threads", b'{"next_seq": NaN}')]),
    "a moment beyond the calendar": packed([manifest(), table("threads", {**THREAD, "created_at": "infinity"})]),
    "a far year": packed([manifest(), table("threads", {**THREAD, "created_at": "99999-01-01T00:00:00+00:00"})]),
    "a turn's zone": packed([manifest(), table("threads", THREAD), table("turns", {**TURN, "timezone": "Moon/Sea"})]),
    "a turn's result": packed([manifest(), table("threads", THREAD), table("turns", {**TURN, "result": {"reply": 3}})]),
    "a record that is none": packed([manifest(), table("store", TODO)]),
    "half a letter": packed([manifest(), table("threads", b'{"title": "\\ud800"}')]),
    "fewer rows than it says": packed(
        [("manifest.json", json.dumps({**MANIFEST, "tables": {"threads": 2}}).encode()), table("threads", THREAD)]
    ),
    "a cut archive": packed([manifest(), ("files/x", b"y" * 5000)])[:3000],
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_archive_is_refused_with_a_reason(tmp_path: Path, body: bytes) -> None:
    found = read(body, tmp_path)
    assert list(found) == ["refused"], found
    assert found["refused"].endswith(".")
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 2 * len(body) + 4096


@pytest.mark.parametrize(("row", "fits"), [
    ({"attempt": 2**31 - 1}, False),
    ({"attempt": 7}, True),
    ({"attempt": 7.5}, False),
    ({"attempt": True}, False),
    ({"attempt": None}, True),
    ({"captured_at": "0001-01-01T00:00:00+00:00"}, False),
    ({"captured_at": "2026-11-20 09:30:00+00:00"}, True),
    ({"captured_at": 1795166400}, False),
    ({"timezone": "../../etc/passwd"}, False),
    ({"usage": {"tokens": 1e400}}, False),
    ({"usage": {"tokens": 2**60}}, False),
    ({"state": 3}, False),
    ({"result": {"disposition": "reply", "reply": "yes"}}, True),
    ({"reading": [1], "unknown": "column"}, True),
])  # fmt: skip
def test_each_value_is_of_its_columns_kind(tmp_path: Path, row: dict[str, Any], fits: bool) -> None:  # noqa: FBT001
    found = read(packed([manifest(), table("turns", {**TURN, **row})]), tmp_path)
    assert ("refused" not in found) == fits, found
    if fits:
        [kept] = laid_out(tmp_path, "turns")
        assert kept == {**{name: value for name, value in {**TURN, **row}.items() if name in TABLES["turns"]},
                        "user_id": str(OWNER)}  # fmt: skip


@pytest.mark.parametrize(
    ("during", "fits"),
    [
        ('["2026-11-20 09:00:00+00","2026-11-20 10:00:00+00")', True),
        ('["2026-11-20 09:00:00+00",)', False),
        ('["2026-11-20 09:00:00+00",infinity)', False),
        ("empty", False),
    ],
)
def test_a_stretch_of_time_has_two_ends(tmp_path: Path, during: str, fits: bool) -> None:  # noqa: FBT001
    found = read(packed([manifest(), table("occurrences", {"during": during})]), tmp_path)
    assert ("refused" not in found) == fits, found


def test_what_fits_lies_where_it_is_taken_from(tmp_path: Path) -> None:
    memo, before = UUID(int=5), UUID(int=7)
    thread = {"id": str(main_thread(before)), "user_id": str(before), "title": f"of {before}"}
    body = packed(
        [
            manifest(settings={"timezone": "Asia/Kolkata"}),
            table("threads", THREAD, thread),
            table("users", {"name": "dropped"}),
            (f"audio/{memo}", b"sound"),
            (f"audio/.{memo}.upload", b"sou"),
            ("files/draft/a b.txt", b""),
        ]
    )
    found = read(body, tmp_path)["manifest"]
    assert found["account"]["settings"] == {"timezone": "Asia/Kolkata"}
    assert {path.name: path.read_bytes() for path in (tmp_path / "audio").iterdir()} == {str(memo): b"sound"}
    assert (tmp_path / "files" / "draft" / "a b.txt").read_bytes() == b""
    assert not (tmp_path / "tables" / "users").exists()
    kept = [{"user_id": str(OWNER), **THREAD}]
    kept += [{"user_id": str(OWNER), "id": str(main_thread(OWNER)), "title": f"of {OWNER}"}]
    assert laid_out(tmp_path, "threads") == kept


def test_a_full_disk_is_no_fault_of_the_archive(tmp_path: Path) -> None:
    assert read(packed([manifest()]), tmp_path, spare_bytes=2**62) == {"full": True}


@given(st.lists(st.binary(max_size=40).map(lambda text: text.replace(b"\n", b"")), max_size=30), st.binary(max_size=9))
def test_lines_are_read_as_they_were_written(texts: list[bytes], around: bytes) -> None:
    whole = b"".join(text + b"\n" for text in texts)
    member = Member(Path("tables/x.jsonl"), len(around), len(whole))  # type: ignore[arg-type]
    assert list(lines(io.BytesIO(around + whole + around), member, 40)) == texts


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 9)), max_size=1200))
def test_batches_are_small_whole_and_of_the_same_columns(cells: list[tuple[str, int]]) -> None:
    found = list(batches_of({name: value} for name, value in cells))
    assert [(*row.items(),)[0] for _, text, _ in found for row in json.loads(text)] == cells
    for names, text, count in found:
        rows = json.loads(text)
        assert len(rows) == count <= BATCH_ROWS
        assert all(list(row) == names for row in rows)


def test_a_batch_of_long_rows_ends_before_its_many_bytes() -> None:
    found = list(batches_of({"text": "x" * (BATCH_BYTES // 3)} for _ in range(7)))
    assert [count for _, _, count in found] == [2, 2, 2, 1]


def test_another_user_is_named_nowhere() -> None:
    before = UUID(int=7)
    names = [str(before), str(before).encode().hex(), before.hex, str(main_thread(before))]
    row = json.dumps({"key": " ".join(names), "prefix": "x", "value": {}}).encode()
    [kept] = rows_of([row], "store", TABLES["store"], before, OWNER)
    assert not any(name in str(kept) for name in names)
    assert str(OWNER) in kept["key"]
