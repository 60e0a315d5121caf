"""Recordings that come in piece by piece: whatever breaks in between, what was acknowledged is there, once."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from app.database.database import Database
from app.errors import Conflict, InvalidInput, NotFound, OffsetConflict, TooLarge
from app.principal import Principal, acting_as
from app.turns.model.uploads import NewUpload, Upload, UploadWanted
from app.turns.store.uploads import PostgresUploads
from app.turns.uploads import Uploading, wav_header
from app.voice.model import Memo
from app.voice.speech.clips import ClipFolder
from app.voice.speech.containers import check_whole, sniff
from app.voice.store.memos import Memos
from app.voice.store.recordings import Recordings
from tests.support.scripted import ScriptedUnderstanding
from tests.support.servers.turn_server import TurnServer, turn_server

SAMPLES = bytes(range(256)) * 40
WAV = wav_header(len(SAMPLES)) + SAMPLES
MOST = 100_000


class Gate:
    async def check_upload(self, head: bytes, size: int, *, whole: bool = False) -> str:
        if whole:
            check_whole(head, size)
        return sniff(head)


class CrashError(Exception):
    pass


@dataclass
class Room:
    server: TurnServer
    database: Database
    clips: ClipFolder
    jobs: list[UUID] = field(default_factory=list)

    def reception(self) -> Recordings:
        return Recordings(self.server.ledger, self._defer, lambda _user: None)

    def uploads(self) -> PostgresUploads:
        return PostgresUploads(self.database, self.reception())

    def at(self, *, turns: Any = None, uploads: Any = None) -> Uploading:
        known = uploads or self.uploads()
        service = turns or self.server.turns
        return Uploading(known, self.clips, Memos(self.database), Gate(), service, most_bytes=MOST)

    async def _defer(self, _conn: Any, _user: UUID, memo: UUID) -> None:
        self.jobs.append(memo)

    async def kept(self) -> list[UUID]:
        """The memos that the ledger knows, in the order of their rows."""
        found = await self.server.ledger.changes_after(str(self.server.user), 0, 50)
        assert {(one.kind, one.op, one.status, one.turn_id) for one in found} <= {("memo", "create", "applied", None)}
        return [UUID(one.record_id) for one in found]

    def new(self, *, act: bool = False, form: Any = "file", **wanted: Any) -> NewUpload:
        return NewUpload(uuid4(), form, datetime(2026, 11, 20, tzinfo=UTC), None, act, UploadWanted(**wanted))

    def stored(self, memo_id: UUID) -> bytes:
        return self.clips.path(self.server.user, memo_id).read_bytes()

    def files(self) -> list[str]:
        return sorted(path.name for path in self.clips.path(self.server.user, uuid4()).parent.iterdir())


@pytest_asyncio.fixture
async def room(database: Database, tmp_path: Path) -> AsyncIterator[Room]:
    async with turn_server(database, ScriptedUnderstanding()) as server:
        with acting_as(Principal(server.user)):
            yield Room(server, database, ClipFolder(tmp_path / "clips"))


async def received(uploading: Uploading, user: UUID, new: NewUpload, sound: bytes, step: int = 999) -> None:
    await uploading.begin(user, new)
    for at in range(0, len(sound), step):
        assert await uploading.append(user, new.memo_id, at, sound[at : at + step]) == min(at + step, len(sound))


async def test_pieces_become_one_memo(room: Room) -> None:
    uploading, new, user = room.at(), room.new(), room.server.user
    begun = await uploading.begin(user, new)
    assert isinstance(begun, Upload)
    assert begun.received == 0
    memo = await Memos(room.database).get(user, new.memo_id)
    assert memo
    assert memo.state == "receiving"
    await received(uploading, user, new, WAV)
    done = await uploading.finish(user, new.memo_id)
    assert (done.state, done.container, done.size, done.turn_id) == ("received", "wav", len(WAV), None)
    assert room.stored(new.memo_id) == WAV
    assert room.jobs == await room.kept() == [new.memo_id]
    assert room.files() == [str(new.memo_id)]


async def test_bare_samples_become_a_wav_file(room: Room) -> None:
    uploading, new, user = room.at(), room.new(form="pcm16"), room.server.user
    await received(uploading, user, new, SAMPLES)
    await uploading.finish(user, new.memo_id)
    assert room.stored(new.memo_id) == WAV


async def test_one_that_is_acted_upon_is_one_turn_however_often_it_is_finished(room: Room) -> None:
    uploading, new, user = room.at(), room.new(act=True, speak=True), room.server.user
    await received(uploading, user, new, WAV)
    memos = await asyncio.gather(*(uploading.finish(user, new.memo_id) for _ in range(5)))
    [turn_id] = {memo.turn_id for memo in memos}
    assert turn_id
    turn = await room.server.inbox.get(user, turn_id)
    assert turn
    assert (turn.memo_id, turn.speak, turn.text) == (new.memo_id, True, None)
    assert room.stored(new.memo_id) == WAV


@pytest.mark.parametrize("moment", ["get", "close"])
async def test_one_that_another_request_finishes_in_between_is_finished(room: Room, moment: str) -> None:
    new, user = room.new(), room.server.user
    await received(room.at(), user, new, WAV)

    class Overtaken(PostgresUploads):
        async def get(self, user_id: UUID, memo_id: UUID) -> Upload | None:
            return await self._and_another("get", await super().get(user_id, memo_id))

        async def close(self, user_id: UUID, memo_id: UUID) -> Upload | None:
            return await self._and_another("close", await super().close(user_id, memo_id))

        async def _and_another(self, at: str, found: Upload | None) -> Upload | None:
            if at == moment:
                await room.at().finish(user, new.memo_id)
            return found

    memo = await room.at(uploads=Overtaken(room.database, room.reception())).finish(user, new.memo_id)
    assert memo.state == "received"
    assert room.stored(new.memo_id) == WAV
    assert room.jobs == await room.kept() == [new.memo_id]
    assert room.files() == [str(new.memo_id)]


async def test_bytes_in_the_wrong_place_are_not_taken(room: Room) -> None:
    uploading, new, user = room.at(), room.new(), room.server.user
    await received(uploading, user, new, WAV[:500])
    for offset in (0, 499, 501):
        with pytest.raises(OffsetConflict) as refused:
            await uploading.append(user, new.memo_id, offset, b"x")
        assert refused.value.extra == {"upload_offset": 500}
    assert await uploading.append(user, new.memo_id, 500, WAV[500:]) == len(WAV)
    await uploading.finish(user, new.memo_id)
    assert room.stored(new.memo_id) == WAV


async def test_of_two_that_send_the_same_bytes_one_is_told_where_to_go_on(room: Room) -> None:
    uploading, new, user = room.at(), room.new(), room.server.user
    await uploading.begin(user, new)
    ended = await asyncio.gather(
        *(uploading.append(user, new.memo_id, 0, WAV) for _ in range(4)), return_exceptions=True
    )
    assert ended.count(len(WAV)) == 4 - sum(isinstance(one, OffsetConflict) for one in ended) >= 1
    await uploading.finish(user, new.memo_id)
    assert room.stored(new.memo_id) == WAV


async def test_begun_again_it_goes_on_and_finished_it_takes_nothing_more(room: Room) -> None:
    uploading, new, user = room.at(), room.new(), room.server.user
    await received(uploading, user, new, WAV[:300])
    again = await uploading.begin(user, replace(new, act=True))
    assert isinstance(again, Upload)
    assert (again.received, again.act) == (300, False)
    await uploading.append(user, new.memo_id, 300, WAV[300:])
    await uploading.finish(user, new.memo_id)
    assert isinstance(await uploading.begin(user, new), Memo)
    with pytest.raises(Conflict):
        await uploading.append(user, new.memo_id, len(WAV), b"more")
    with pytest.raises(Conflict):
        await uploading.cancel(user, new.memo_id)
    assert room.stored(new.memo_id) == WAV


async def test_cancelled_nothing_is_left(room: Room) -> None:
    uploading, new, user = room.at(), room.new(), room.server.user
    await received(uploading, user, new, WAV)
    await uploading.cancel(user, new.memo_id)
    assert room.files() == []
    with pytest.raises(NotFound):
        await uploading.get(user, new.memo_id)
    with pytest.raises(NotFound):
        await uploading.append(user, new.memo_id, 0, WAV)


async def test_a_recording_may_be_as_large_as_is_said_and_no_larger(room: Room) -> None:
    uploading, new, user = room.at(), room.new(), room.server.user
    await uploading.begin(user, new)
    assert await uploading.append(user, new.memo_id, 0, b"x" * (MOST - 1)) == MOST - 1
    with pytest.raises(TooLarge):
        await uploading.append(user, new.memo_id, MOST - 1, b"xx")
    assert await uploading.append(user, new.memo_id, MOST - 1, b"x") == MOST


async def test_what_is_too_large_empty_or_no_recording_is_refused_and_can_be_mended(room: Room) -> None:
    uploading, new, user = room.at(), room.new(), room.server.user
    await uploading.begin(user, new)
    with pytest.raises(Conflict, match="Nothing"):
        await uploading.finish(user, new.memo_id)
    with pytest.raises(TooLarge):
        await uploading.append(user, new.memo_id, MOST, b"x")
    await uploading.append(user, new.memo_id, 0, WAV[:-10])
    with pytest.raises(InvalidInput, match="cut short"):
        await uploading.finish(user, new.memo_id)
    await uploading.append(user, new.memo_id, len(WAV) - 10, WAV[-10:])
    assert (await uploading.finish(user, new.memo_id)).state == "received"


@pytest.mark.parametrize("where", ["close", "submit", "forget", "finish"])
@pytest.mark.parametrize("after", [False, True])
async def test_a_crash_while_it_is_finished_is_made_good_by_finishing_again(
    room: Room, where: str, *, after: bool
) -> None:
    class Breaking:
        """Passes everything on, and breaks before or after one of its steps."""

        def __init__(self, real: Any) -> None:
            self._real = real

        def __getattr__(self, name: str) -> Any:
            real = getattr(self._real, name)

            async def broken(*given: Any, **named: Any) -> Any:
                if after:
                    await real(*given, **named)
                raise CrashError

            return broken if name == where else real

    act, user = where in ("submit", "forget"), room.server.user
    new = room.new(act=act)
    broken = room.at(turns=Breaking(room.server.turns), uploads=Breaking(room.uploads()))
    await received(broken, user, new, WAV)
    with pytest.raises((CrashError, ExceptionGroup)):
        await broken.finish(user, new.memo_id)
    done = await room.at().finish(user, new.memo_id)
    assert done.state == "received"
    assert (done.turn_id is not None) == act
    assert room.stored(new.memo_id) == WAV
    assert hashlib.sha256(WAV).digest() == await Memos(room.database).first_sha256(user, new.memo_id)
    assert room.jobs == ([] if act else [new.memo_id])
    assert await room.kept() == room.jobs


async def test_what_nobody_goes_on_with_is_kept_and_not_acted_upon(room: Room) -> None:
    uploading, user = room.at(), room.server.user
    whole, text, empty, samples = room.new(act=True), room.new(), room.new(), room.new(act=True, form="pcm16")
    await received(uploading, user, whole, WAV)
    await received(uploading, user, text, b"not a recording at all")
    await uploading.begin(user, empty)
    await received(uploading, user, samples, SAMPLES)
    assert await uploading.finish_abandoned(3600) == 0
    assert await uploading.finish_abandoned(-1) == 4
    memos = Memos(room.database)
    kept = {one.memo_id: await memos.get(user, one.memo_id) for one in (whole, text, empty, samples)}
    assert {memo_id: memo and (memo.state, memo.turn_id) for memo_id, memo in kept.items()} == {
        whole.memo_id: ("received", None),
        text.memo_id: ("failed", None),
        empty.memo_id: None,
        samples.memo_id: ("received", None),
    }
    assert room.stored(text.memo_id) == b"not a recording at all"
    assert sorted(await room.kept()) == sorted(one.memo_id for one in (whole, text, samples))
    assert await uploading.finish_abandoned(-1) == 0
