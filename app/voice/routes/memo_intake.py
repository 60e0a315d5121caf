"""From a request to a memo: a recording or words, kept once, and acted on where that is wanted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4, uuid5

from fastapi import Request
from pydantic import ValidationError
from starlette.datastructures import UploadFile

from agents.contract import Change
from app.errors import Conflict, InvalidInput, Problem, StorageFull, UnsupportedMedia
from app.http.bodies import media_type, read_json
from app.http.deps import Services
from app.http.problems import invalid
from app.http.replay import REPLAYED
from app.turns.model.turns import NewTurn, Turn
from app.voice.model import Memo, MemoEdit, NewMemo, TextMemo
from app.voice.routes.allowance import insist_on_credits, insist_on_length, insist_on_room
from app.voice.routes.audio_form import FORM, chunks_of, clip_of, fields_of, head_of, read_form, sha256_of
from app.voice.routes.memo_corrections import acted_by, correct_memo, memo_of, said_again
from app.voice.routes.schemas import NamedMemo, WrittenMemo
from app.voice.store.memo_edits import MemoEdits

SAME_ID_HINT = "Delete that memo and use another external_id, or correct its words with PATCH /v1/memos/{memo_id}."


@dataclass(frozen=True)
class Kept:
    """A memo, and how its client is told what became of the request."""

    memo: Memo
    status: int
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MemoIntake:
    """What every posted memo shares, whatever it is made of."""

    services: Services
    user_id: UUID
    key: str | None

    async def accept(self, request: Request) -> Kept:
        """Keep what a request carries, or bring the memo with its ``external_id`` up to it."""
        kind = media_type(request)
        if kind == "application/json":
            return await self._write(_parse_memo(await read_json(request)))
        if kind == "multipart/form-data":
            return await self._record(request)
        raise UnsupportedMedia(
            "A memo is multipart/form-data with a clip named audio, or JSON with a transcript.", hint=FORM
        )

    async def _record(self, request: Request) -> Kept:
        async with read_form(request) as form:
            clip, wanted = clip_of(form), fields_of(form, NamedMemo)
            container = await self.services.speech.check_upload(await head_of(clip), clip.size or 0)
            memo_id, known = await self._place(wanted)
            if known is None:
                await self._keep(clip, container, memo_id, wanted)
                return Kept(await self._memo(memo_id), 202)
            if await sha256_of(clip) != known:
                raise _another(wanted)
        if wanted.external_id is None:
            return Kept(await self._memo(memo_id), 202, REPLAYED)
        return await self._recorded_again(memo_id, wanted, wanted.external_id)

    async def _place(self, wanted: NamedMemo) -> tuple[UUID, bytes | None]:
        """The memo that is meant, and the digest of what it was made of if it is known; one that is deleted is, too."""
        named = f"external:{wanted.external_id}" if wanted.external_id else self.key
        if named is None:
            return uuid4(), None
        memo_id = uuid5(self.user_id, named)
        return memo_id, await self.services.memos.first_sha256(self.user_id, memo_id)

    async def _keep(self, clip: UploadFile, container: str, memo_id: UUID, wanted: NamedMemo) -> None:
        await insist_on_room(self.services, self.user_id)
        if wanted.act:
            await insist_on_credits(self.services, self.user_id, _acting(memo_id))
        clips, most = self.services.clips, self.services.settings.max_audio_bytes
        saved = await clips.save(self.user_id, memo_id, chunks_of(clip), most)
        at, zone, name = wanted.captured_at or datetime.now(UTC), wanted.timezone, wanted.external_id
        memo = NewMemo(memo_id, container, saved.size, saved.sha256, at, zone, wanted.title, name)
        try:
            if wanted.act:
                await self.services.turns.submit(self._turn(wanted, memo_id, at, zone, memo=memo))
            else:
                await self.services.memos.add(self.user_id, memo)
        except (Problem, StorageFull):
            # Only a refusal is certain, and another request may have kept a memo under the same name meanwhile.
            if await self.services.memos.first_sha256(self.user_id, memo_id) is None:
                await clips.delete(self.user_id, memo_id)
            raise

    async def _recorded_again(self, memo_id: UUID, wanted: NamedMemo, external_id: str) -> Kept:
        known = await self.services.memos.get(self.user_id, memo_id)
        if wanted.act and not (known and known.turn_id):
            raise Conflict(
                "A recording that is posted again is not acted upon.", hint="Say its words with POST /v1/turns."
            )
        edit = MemoEdit(None, wanted.title or None, wanted.captured_at, wanted.timezone)
        change = await self.services.get(MemoEdits).post_again(self.user_id, memo_id, edit, external_id)
        if known is None:  # its words may have been on their way when it was deleted
            await self.services.memos.retry(self.user_id, memo_id)
        return Kept(await self._memo(memo_id), 200, _change_header(change))

    async def _write(self, written: WrittenMemo) -> Kept:
        memo_id, first = await self._place(written)
        if written.act:
            insist_on_length(self.services, written.transcript)
            await insist_on_credits(self.services, self.user_id, _acting(memo_id))
        if first is None or written.external_id:
            return await self._keep_words(memo_id, written)
        if first != hashlib.sha256(written.transcript.encode()).digest():
            raise _another(written)
        memo = await self._memo(memo_id)
        return Kept(await self._attach_turn(memo, await self._submit_turn(memo_id, memo, written)), 201, REPLAYED)

    async def _keep_words(self, memo_id: UUID, written: WrittenMemo) -> Kept:
        known = await self.services.memos.get(self.user_id, memo_id)
        turn = await self._submit_turn(memo_id, known, written)  # first, as a thread may refuse it
        text, title, at, zone = written.transcript, written.title, written.captured_at, written.timezone
        if known:
            edit = MemoEdit(text, title or None, at, zone)
            memo, change = await correct_memo(self.services, self.user_id, known, edit)
        else:
            new = TextMemo(memo_id, text, at, zone, title, written.external_id)
            change = await self.services.get(MemoEdits).write(self.user_id, new)
            memo = await self._memo(memo_id)
        return Kept(await self._attach_turn(memo, turn), 200 if known else 201, _change_header(change))

    async def _submit_turn(self, memo_id: UUID, known: Memo | None, written: WrittenMemo) -> Turn | None:
        """The turn that acts on a memo's words where that is wanted, once; None where one has acted on it already."""
        if not written.act or (known and known.turn_id):
            return None
        at = written.captured_at or (known.captured_at if known else datetime.now(UTC))
        zone = written.timezone or (known.timezone if known else None)
        new = self._turn(written, memo_id, at, zone, text=written.transcript, of_memo=memo_id)
        return (await self.services.turns.submit(new)).turn

    async def _attach_turn(self, memo: Memo, turn: Turn | None) -> Memo:
        """The memo with the turn that acts on it; one of before it was deleted may have acted on other words."""
        if turn is None:
            return memo
        return await said_again(self.services, turn, await acted_by(self.services, turn, memo))

    def _turn(self, wanted: NamedMemo, memo_id: UUID, at: datetime, timezone: str | None, **said: Any) -> NewTurn:
        return NewTurn(
            user_id=self.user_id,
            captured_at=at,
            timezone=timezone,
            thread_id=wanted.thread_id,
            strategy=wanted.strategy,
            speak=wanted.speak,
            idempotency_key=_acting(memo_id),
            body_hash=memo_id.bytes,
            **{"text": None, **said},
        )

    async def _memo(self, memo_id: UUID) -> Memo:
        return await memo_of(self.services, self.user_id, memo_id)


def _acting(memo_id: UUID) -> str:
    """The key of the turn that acts on a memo when it is posted; no client can send it, as it has a space."""
    return f"act {memo_id}"


def _another(wanted: NamedMemo) -> Problem:
    if wanted.external_id is None:
        return InvalidInput("This Idempotency-Key was used for a different memo.", hint="Use a new key for each.")
    return Conflict("Another memo has this external_id, and a recording is kept as it was made.", hint=SAME_ID_HINT)


def _change_header(change: Change | None) -> dict[str, str]:
    return {"X-Change-Id": change.id} if change else {}


def _parse_memo(document: dict[str, Any]) -> WrittenMemo:
    try:
        return WrittenMemo.model_validate(document)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error
