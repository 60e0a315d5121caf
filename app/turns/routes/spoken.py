"""GET /v1/turns/{turn_id}/speech: the reply of a turn, spoken."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from app.errors import Conflict, Unavailable
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.turns.aloud import aloud
from app.turns.routes.turns import turn_of, view_of_turn
from app.voice.model import CannotSpeak, SpokenForm

router = APIRouter(prefix="/v1/turns", tags=["turns"], route_class=StrictRoute)

MEDIA: dict[SpokenForm, str] = {
    "mp3": "audio/mpeg",
    "opus": "audio/ogg",
    "aac": "audio/aac",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "pcm": "audio/pcm",
}
BINARY = {"schema": {"type": "string", "format": "binary"}}
Form = Annotated[SpokenForm, Query(description="`pcm` is 24 kHz, mono, 16 bits, little-endian, without a header.")]
SPEECH_HINT = "GET /readyz says what speaks here; PUT /v1/models/speech chooses a server."


@router.get(
    "/{turn_id}/speech",
    operation_id="turn_speech",
    summary="Hear the reply",
    response_class=Response,
    responses={200: {"description": "The sound.", "content": dict.fromkeys(MEDIA.values(), BINARY)}},
)
async def turn_speech(turn_id: UUID, services: Provided, user_id: Tenant, response_format: Form = "mp3") -> Response:
    """The reply of a finished turn, spoken; made when it is asked for, and not kept.

    409 for a turn without a reply so far; 503 where nothing speaks, with what adds a voice.
    """
    view = await view_of_turn(services, await turn_of(services, user_id, turn_id))
    if not view.reply:
        raise Conflict("This turn has no reply yet.", hint="Wait for `turn.done`, then ask again.")
    words = aloud(view.reply)[: services.settings.max_speech_chars]
    return await speech_response(services, words, response_format)


async def speech_response(
    services: Services, words: str, form: SpokenForm, *, speed: float = 1.0, voice: str = ""
) -> Response:
    """Words as a sound; raises Unavailable with the reason."""
    try:
        sound = await services.voice.speak(words, form, speed=speed, voice=voice)
    except CannotSpeak as error:
        raise Unavailable(f"This cannot be spoken: {error}.", hint=None if error.retryable else SPEECH_HINT) from error
    return Response(sound, media_type=MEDIA[form])
