"""From a request to a NewTurn: text or clip, checked, with its clock, zone and fingerprint."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from fastapi import Request
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile

from agents.contract import Proposal
from app.errors import Problem, StorageFull, UnsupportedMedia
from app.http.bodies import media_type, read_json
from app.http.deps import Services
from app.http.problems import invalid
from app.turns.model.turns import Accepted, NewTurn
from app.turns.routes.schemas import TextTurn, TurnContext
from app.voice.model import NewMemo
from app.voice.routes.allowance import insist_on_credits, insist_on_length, insist_on_room
from app.voice.routes.audio_form import FORM, chunks_of, clip_of, fields_of, head_of, read_form


@dataclass(frozen=True)
class TurnIntake:
    """What every posted turn shares, whatever it is made of."""

    services: Services
    user_id: UUID
    idempotency_key: str | None

    async def accept(self, request: Request) -> Accepted:
        """Validate and submit the turn that a request carries."""
        kind = media_type(request)
        if kind == "application/json":
            return await self.accept_text(await read_json(request))
        if kind == "multipart/form-data":
            return await self.accept_clip(request)
        raise UnsupportedMedia("A turn is application/json, or multipart/form-data with a clip named audio.", hint=FORM)

    async def accept_text(
        self, document: dict[str, Any], fingerprint: bytes | None = None, client: dict[str, Any] | None = None
    ) -> Accepted:
        """Submit a message in words; ``fingerprint`` is what its repetition has in common with it, by default all.

        ``client`` is what the client that sends it keeps with it.
        """
        turn = _text_turn(document)
        insist_on_length(self.services, turn.text)
        await insist_on_credits(self.services, self.user_id, self.idempotency_key)
        new = self._new_turn(turn, fingerprint or _fingerprint(document))
        return await self.services.turns.submit(replace(new, text=turn.text, reading=_reading(turn), client=client))

    async def accept_clip(self, request: Request) -> Accepted:
        """Keep the clip durably, then submit the turn that waits for its words."""
        async with read_form(request) as form:
            clip, context = clip_of(form), context_of(form)
            await insist_on_credits(self.services, self.user_id, self.idempotency_key)
            container = await self.services.speech.check_upload(await head_of(clip), clip.size or 0)
            if not (self.idempotency_key and await self.services.inbox.knows(self.user_id, self.idempotency_key)):
                await insist_on_room(self.services, self.user_id)
            return await self._submit_clip(clip, context, container)

    async def _submit_clip(self, clip: UploadFile, context: TurnContext, container: str) -> Accepted:
        clips, memo_id = self.services.clips, uuid4()
        saved = await clips.save(self.user_id, memo_id, chunks_of(clip), self.services.settings.max_audio_bytes)
        said = {**context.model_dump(mode="json", exclude_unset=True), "audio": saved.sha256.hex()}
        new = self._new_turn(context, _fingerprint(said))
        memo = NewMemo(memo_id, container, saved.size, saved.sha256, new.captured_at, new.timezone)
        try:
            accepted = await self.services.turns.submit(replace(new, memo=memo))
        except (Problem, StorageFull):
            # Only a refusal is certain; after any other error the turn may be committed and need its clip.
            await clips.delete(self.user_id, memo_id)
            raise
        if accepted.replayed:
            await clips.delete(self.user_id, memo_id)
        return accepted

    def _new_turn(self, context: TurnContext, body_hash: bytes) -> NewTurn:
        return NewTurn(
            user_id=self.user_id,
            text=None,
            captured_at=context.captured_at or datetime.now(UTC),
            timezone=context.timezone,
            thread_id=context.thread_id,
            strategy=context.strategy,
            speak=context.speak,
            answers_question_id=context.answers,
            idempotency_key=self.idempotency_key,
            body_hash=body_hash,
        )


def _reading(turn: TextTurn) -> list[Proposal] | None:
    if turn.reading is None:
        return None
    return [Proposal.model_validate(wanted.model_dump()) for wanted in turn.reading]


def _text_turn(document: dict[str, Any]) -> TextTurn:
    try:
        return TextTurn.model_validate(document)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error


def _fingerprint(document: dict[str, Any]) -> bytes:
    """Equal for equal JSON, however its members are ordered or spaced."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).digest()


def context_of(form: FormData) -> TurnContext:
    """The form's other fields, of a turn; raises InvalidInput."""
    return fields_of(form, TurnContext)
