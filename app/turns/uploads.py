"""A recording that comes in piece by piece: begun, extended, finished once, and lost only by its user's own wish."""

from __future__ import annotations

import logging
import struct
from dataclasses import replace
from functools import partial
from pathlib import Path
from uuid import UUID

from app.errors import Conflict, InvalidInput, NotFound, OffsetConflict, TooLarge
from app.principal import Principal, acting_as
from app.turns.model.turns import NewTurn
from app.turns.model.uploads import NewUpload, Upload, UploadFiles
from app.turns.service import TurnService
from app.turns.store.uploads import PostgresUploads
from app.voice.model import Memo, NewMemo, SpeechGate
from app.voice.store.memos import Memos

log = logging.getLogger(__name__)

NO_UPLOAD = "There is no such upload."
SAMPLE_RATE, SAMPLE_BYTES = 16_000, 2
ABANDONED_AT_ONCE = 100


class Uploading:
    """Recordings that come in, for the doors; each step raises a Problem that says what to do.

    ``most_bytes`` bounds one recording.
    """

    def __init__(
        self,
        uploads: PostgresUploads,
        files: UploadFiles,
        memos: Memos,
        gate: SpeechGate,
        turns: TurnService,
        *,
        most_bytes: int,
    ) -> None:
        self._uploads = uploads
        self._files = files
        self._memos = memos
        self._gate = gate
        self._turns = turns
        self._most = most_bytes

    async def begin(self, user_id: UUID, new: NewUpload) -> Upload | Memo:
        """Begin a recording; one of the same id that is there already goes on, or is done."""
        await self._uploads.begin(user_id, new)
        return await self.get(user_id, new.memo_id)

    async def get(self, user_id: UUID, memo_id: UUID) -> Upload | Memo:
        """As far as it came."""
        found = await self._uploads.get(user_id, memo_id) or await self._memos.get(user_id, memo_id)
        if found is None:
            raise NotFound(NO_UPLOAD)
        return found

    async def append(self, user_id: UUID, memo_id: UUID, offset: int, data: bytes) -> int:
        """Keep more bytes; how many there are then. Raises OffsetConflict, TooLarge, NotFound."""
        if offset + len(data) > self._most:
            raise TooLarge(f"A recording has at most {self._most} bytes.")
        write = partial(self._files.extend, user_id, memo_id, offset, data)
        extended = await self._uploads.extend(user_id, memo_id, offset, len(data), write)
        if extended is None:
            await self.get(user_id, memo_id)
            raise Conflict("This recording is finished, or is being finished.", hint="Begin another one.")
        received = extended.received
        if not extended.taken:
            raise OffsetConflict(received, offset)
        return received

    async def finish(self, user_id: UUID, memo_id: UUID) -> Memo:
        """It is whole; the memo, with its turn where it is acted upon. Finished again it is the same."""
        upload = await self.get(user_id, memo_id)
        if isinstance(upload, Upload):
            try:
                await self._finish(user_id, upload)
            except (FileNotFoundError, InvalidInput):
                if await self._uploads.get(user_id, memo_id):
                    raise
                # otherwise another request finished it in between, and dropped its bytes
        memo = await self._memos.get(user_id, memo_id)
        if memo is None:
            raise NotFound(NO_UPLOAD)
        return memo

    def path(self, user_id: UUID, memo_id: UUID) -> Path:
        """Where the bytes of one that is not whole lie."""
        return self._files.upload_path(user_id, memo_id)

    async def cancel(self, user_id: UUID, memo_id: UUID) -> None:
        """Its user does not want it: nothing is kept."""
        found = await self.get(user_id, memo_id)
        if not isinstance(found, Upload) or not await self._uploads.forget(user_id, memo_id, with_memo=True):
            raise Conflict("This recording is whole.", hint="DELETE /v1/memos/{memo_id} deletes its memo.")
        await self._files.drop(user_id, memo_id)

    async def _finish(self, user_id: UUID, upload: Upload) -> None:
        if not upload.received:
            raise Conflict("Nothing of this recording has come yet.", hint="Send its bytes, or cancel it.")
        if upload.form == "file":  # what is no recording is refused while its user can still cancel it
            head = await self._files.head(user_id, upload.memo_id)
            await self._gate.check_upload(head, upload.received, whole=True)
        closed = await self._uploads.close(user_id, upload.memo_id)
        if closed:
            await self._complete(user_id, closed)

    async def finish_abandoned(self, seconds: float) -> int:
        """Keep as memos what nothing came for in so long, without acting on it; how many these were."""
        idle = await self._uploads.idle(seconds, ABANDONED_AT_ONCE)
        for user_id, memo_id in idle:
            with acting_as(Principal(user_id)):
                try:
                    await self._keep(user_id, memo_id)
                except Exception:
                    log.exception("an abandoned upload could not be finished; it is tried again")
        if idle:
            log.info("finished %d abandoned uploads", len(idle))
        return len(idle)

    async def _keep(self, user_id: UUID, memo_id: UUID) -> None:
        upload = await self._uploads.close(user_id, memo_id)
        if upload is None:
            return
        if not upload.received:
            await self._uploads.forget(user_id, memo_id, with_memo=True)
            return
        try:
            await self._complete(user_id, replace(upload, act=False))
        except InvalidInput as problem:
            await self._files.complete(user_id, memo_id, upload.received)
            await self._uploads.fail(user_id, memo_id, problem.detail)
            await self._files.drop(user_id, memo_id)

    async def _complete(self, user_id: UUID, upload: Upload) -> None:
        """Make the clip, then the turn or the memo, then forget the upload: after a crash anywhere it is done again."""
        memo_id = upload.memo_id
        head = await self._files.head(user_id, memo_id)
        container = "wav" if upload.form == "pcm16" else await self._gate.check_upload(head, upload.received)
        header = wav_header(upload.received) if upload.form == "pcm16" else b""
        clip = await self._files.complete(user_id, memo_id, upload.received, header)
        memo = NewMemo(memo_id, container, clip.size, clip.sha256, upload.captured_at, upload.timezone)
        if upload.act:
            await self._turns.submit(_turn(user_id, upload, memo))
            await self._uploads.forget(user_id, memo_id)
        else:
            await self._uploads.finish(user_id, memo)
        await self._files.drop(user_id, memo_id)


def wav_header(size: int) -> bytes:
    """What turns that many bytes of samples into a wav file."""
    rate = SAMPLE_RATE * SAMPLE_BYTES
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, SAMPLE_RATE, rate, SAMPLE_BYTES, 8 * SAMPLE_BYTES)
    return struct.pack("<4sI4s", b"RIFF", 36 + size, b"WAVE") + form + struct.pack("<4sI", b"data", size)


def _turn(user_id: UUID, upload: Upload, memo: NewMemo) -> NewTurn:
    wanted = upload.wanted
    return NewTurn(
        user_id=user_id,
        text=None,
        captured_at=upload.captured_at,
        timezone=upload.timezone,
        thread_id=wanted.thread_id,
        strategy=wanted.strategy,
        idempotency_key=f"upload:{memo.id}",
        body_hash=memo.sha256,
        memo=memo,
        speak=wanted.speak,
    )
