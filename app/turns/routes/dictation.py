"""Speaking over the websocket: sound is stored as it comes, heard beside that, and becomes a turn when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from uuid import UUID

from app.errors import Conflict, OffsetConflict, Problem
from app.http.deps import Services
from app.turns.routes.frames import AudioStart
from app.turns.routes.uploads import create_upload
from app.turns.uploads import Uploading
from app.voice.model import Listening, LiveEvent

DURABLE_BYTES = {"pcm16": 16_000, "file": 2_000}
"""Half a second of samples, or of what a recorder makes of them: made durable and acknowledged together."""
BEGIN = "Begin one with audio.start."
FRAME_TYPES = {"started": "speech.started", "partial": "transcript.partial", "ended": "speech.ended"}

Tell = Callable[[str, dict[str, object]], Awaitable[None]]
"""Sends this client an answer of a type."""
Refuse = Callable[[Problem, dict[str, object]], Awaitable[None]]
"""Sends this client a problem, with what it is about."""


class Dictation:
    """At most one recording at a time, of one socket; everything about it carries its ``client_id``."""

    def __init__(self, services: Services, user_id: UUID, tell: Tell, refuse: Refuse) -> None:
        self._services, self._uploads = services, services.get(Uploading)
        self._user = user_id
        self._tell_client = tell
        self._refuse_client = refuse
        self._frame: AudioStart | None = None
        self._memo, self._began = user_id, False
        self._offset = 0
        self._waiting = bytearray()
        self._listening: Listening | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._ending, self._keeping = asyncio.Lock(), asyncio.Lock()

    @property
    def client_id(self) -> str | None:
        """The recording that is open."""
        return self._frame.client_id if self._frame else None

    async def start(self, frame: AudioStart) -> None:
        """Begin a recording, or go on with one where it broke off."""
        if self._frame:
            raise Conflict("A recording is open already.", hint="Send audio.end or audio.cancel first.")
        upload = await create_upload(self._services, self._uploads, self._user, frame)
        self._frame, self._memo, self._offset = frame, upload.id, upload.upload_offset
        self._began = True
        if upload.complete:
            await self.end()
            return
        await self._tell("audio.ready", upload_offset=self._offset)
        growing = self._uploads.path(self._user, self._memo) if frame.form == "file" else None
        self._listening = self._services.live.listen(frame.silence_ms, growing)
        self._hearing = asyncio.create_task(self._hear(self._listening, frame))

    async def take(self, sound: bytes) -> None:
        """More of the recording that is open; what is under way when it has ended is left out."""
        if self._frame is None:
            if not self._began:
                raise Conflict("No recording is open.", hint=BEGIN)
            return
        self._waiting += sound
        if self._listening:
            await self._listening.feed(sound)
        if len(self._waiting) >= DURABLE_BYTES[self._frame.form]:
            await self._keep()

    async def end(self) -> None:
        """It is whole: a turn is made of it, or a memo. Nothing where it has ended by itself."""
        if not self._began:
            raise Conflict("No recording is open.", hint=BEGIN)
        async with self._ending:
            if self._frame is None:
                return
            try:
                await self._keep()
                memo = await self._uploads.finish(self._user, self._memo)
                turn = str(memo.turn_id) if memo.turn_id else None
                await self._tell("audio.done", upload_offset=self._offset, turn_id=turn)
            finally:
                self._leave()

    async def cancel(self) -> None:
        """Nothing of it is kept."""
        if self._frame is None:
            raise Conflict("No recording is open.", hint=BEGIN)
        await self._uploads.cancel(self._user, self._memo)
        await self._tell("audio.cancelled")
        self._leave()

    async def close(self) -> None:
        """The socket is gone: what came is kept, and can be gone on with."""
        hearing = self._hearing
        try:
            if self._frame:
                await self._keep(tell=False)
        except Problem:
            pass  # it is finished or cancelled elsewhere
        finally:
            self._leave()
            if hearing:
                await asyncio.gather(hearing, return_exceptions=True)

    async def _keep(self, *, tell: bool = True) -> None:
        async with self._keeping:
            sound = bytes(self._waiting)
            if not sound:
                return
            self._waiting.clear()
            try:
                await self._append(sound)
            except BaseException:
                self._leave()  # nothing may come behind what is missing: its client begins again where it stopped
                raise
            self._offset += len(sound)
            if tell:
                await self._tell("audio.received", upload_offset=self._offset)

    async def _append(self, sound: bytes) -> None:
        """Keep what comes next on this line; what another line of its client brought already is passed over."""
        offset = self._offset
        while sound:
            try:
                await self._uploads.append(self._user, self._memo, offset, sound)
            except OffsetConflict as conflict:
                if conflict.upload_offset <= offset:
                    raise
                sound, offset = sound[conflict.upload_offset - offset :], conflict.upload_offset
            else:
                return

    async def _hear(self, listening: Listening, frame: AudioStart) -> None:
        async with aclosing(listening.events()) as events:
            async for event in events:
                await self._tell(FRAME_TYPES[event.kind], **_data(event))
                if event.kind == "ended" and frame.end_pointing:
                    await self._end_by_itself(frame)
                    return

    async def _end_by_itself(self, frame: AudioStart) -> None:
        try:
            await self.end()
        except Problem as problem:
            await self._refuse_client(problem, {"client_id": frame.client_id})

    def _leave(self) -> None:
        if self._hearing and self._hearing is not asyncio.current_task():
            self._hearing.cancel()
        self._frame = self._listening = self._hearing = None
        self._waiting.clear()

    async def _tell(self, kind: str, **data: object) -> None:
        await self._tell_client(kind, {"client_id": self.client_id, "memo_id": str(self._memo), **data})


def _data(event: LiveEvent) -> dict[str, object]:
    return {"ms": event.ms, **({"text": event.text, "stable": event.stable} if event.kind == "partial" else {})}
