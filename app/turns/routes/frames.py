"""What a client says over the websocket: JSON objects with a ``type``, read as strictly as request bodies."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from app.errors import UnsupportedMedia
from app.http.bodies import parse_object
from app.http.problems import invalid
from app.http.schemas import KEY_FORM, LONGEST_KEY, Document
from app.turns.model.uploads import UploadForm
from app.turns.routes.envelopes import LARGEST_SEQ
from app.turns.routes.uploads import UploadStart

UNKNOWN_TYPE = "must be turn, cancel, resume, ack, ping, audio.start, audio.end or audio.cancel"
SHORTEST_SILENCE_MS, LONGEST_SILENCE_MS = 300, 10_000


class Say(BaseModel):
    """A message; its other fields are those of ``POST /v1/turns`` and are checked there."""

    type: Literal["turn"]
    idempotency_key: Annotated[str, Field(min_length=1, max_length=LONGEST_KEY, pattern=KEY_FORM)] | None = None


class Cancel(Document):
    """Stop a turn."""

    type: Literal["cancel"]
    turn_id: UUID


class Resume(Document):
    """Go on after an event."""

    type: Literal["resume"]
    last_seq: int = Field(ge=0, le=LARGEST_SEQ, strict=True)


class Acknowledge(Document):
    """Say that a notification was seen."""

    type: Literal["ack"]
    notification_id: UUID


class Ping(Document):
    """Ask for a sign of life and for the place reached."""

    type: Literal["ping"]


class AudioStart(UploadStart):
    """Begin to speak, or go on with what was begun; the sound follows as binary frames."""

    type: Literal["audio.start"]
    form: UploadForm = "pcm16"
    act: bool = Field(default=True, strict=True)
    end_pointing: bool = Field(default=True, strict=True)
    silence_ms: int = Field(800, ge=SHORTEST_SILENCE_MS, le=LONGEST_SILENCE_MS, strict=True)


class AudioEnd(Document):
    """Nothing more is said."""

    type: Literal["audio.end"]


class AudioCancel(Document):
    """Forget what was said."""

    type: Literal["audio.cancel"]


AnyFrame = Say | Cancel | Resume | Acknowledge | Ping | AudioStart | AudioEnd | AudioCancel
FRAMES: TypeAdapter[AnyFrame] = TypeAdapter(Annotated[AnyFrame, Field(discriminator="type")])


def read_document(message: dict[str, Any]) -> dict[str, Any]:
    """The JSON object of a text frame; raises UnsupportedMedia, Malformed or InvalidInput."""
    text = message.get("text")
    if text is None:
        raise UnsupportedMedia("This frame has no text.", hint="Send JSON as text, sound as binary.")
    return parse_object(text.encode())


def read_frame(document: dict[str, Any]) -> AnyFrame:
    """What the object asks for; raises InvalidInput."""
    try:
        return FRAMES.validate_python(document)
    except ValidationError as error:
        raise invalid([_as_body_error(item) for item in error.errors()]) from error


def turn_document(document: dict[str, Any]) -> dict[str, Any]:
    """The body that ``POST /v1/turns`` would have had: a message sent again there is the same message."""
    return {name: value for name, value in document.items() if name not in Say.model_fields}


def named_in(document: dict[str, Any]) -> dict[str, str]:
    """What an answer repeats, so that the client knows which of its frames is meant."""
    named = {name: document.get(name) for name in ("idempotency_key", "turn_id", "notification_id", "client_id")}
    return {name: value for name, value in named.items() if isinstance(value, str) and len(value) <= LONGEST_KEY}


def _as_body_error(item: Any) -> dict[str, Any]:
    """An error as a request body's would be: pydantic puts the chosen type before the field."""
    if item["type"].startswith("union_tag"):
        return {"loc": ("body", "type"), "msg": UNKNOWN_TYPE}
    return {**item, "loc": ("body", *item["loc"][1:])}
