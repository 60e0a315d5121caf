"""POST /v1/chat/completions: a conversation of OpenAI's protocol, each message of the user one turn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

from fastapi import APIRouter, Request, Response
from pydantic import ValidationError
from starlette.responses import JSONResponse, StreamingResponse

from app.errors import ModelNotFound, Unavailable
from app.http.bodies import read_json
from app.http.deps import Provided, Services, Tenant
from app.http.problems import invalid
from app.http.replay import REPLAYED
from app.http.schemas import IdempotencyKey
from app.protocols.answered import turn_before
from app.protocols.openai.conversations import is_retry, names_chat, place_of
from app.protocols.openai.program_prompts import ProgramAnswer, program_answer
from app.protocols.openai.shapes import (
    MODELS,
    PLAIN,
    ChatRequest,
    Chunks,
    completion,
    completion_id,
    tools_in,
    turn_document,
    usage_of,
)
from app.records.model.events import Event
from app.turns.model.turns import Accepted, Turn
from app.turns.routes.event_cursor import events_of
from app.turns.routes.intake import TurnIntake
from app.turns.routes.schemas import TurnView
from app.turns.routes.sse import ENDED_STATES, EVENT_STREAM, HEADERS, HEARTBEAT
from app.turns.routes.turns import view_of_turn

router = APIRouter(prefix="/v1", include_in_schema=False)
CREATED = 1_767_225_600  # the protocol wants a moment for each model; these have none
PLAINLY = "This model answers the prompts of front ends, such as for titles; it never acts. Choose “summit” to talk."
STILL_WORKING = "The message is kept and still worked on; send it again to wait on."


@router.get("/models")
async def list_models(_user_id: Tenant) -> dict[str, Any]:
    """The assistant, and what answers a front end's own prompts."""
    return {"object": "list", "data": [_model(name) for name in MODELS]}


@router.get("/models/{name}")
async def get_model(name: str, _user_id: Tenant) -> dict[str, Any]:
    """One of them."""
    if name not in MODELS:
        raise ModelNotFound(name)
    return _model(name)


@router.post("/chat/completions")
async def complete_chat(request: Request, services: Provided, user_id: Tenant, key: IdempotencyKey = None) -> Response:
    """The last message of the user is the turn; what came before it is known from its thread."""
    asked = _parse_document(await read_json(request, ChatRequest.model_fields.keys() - {"tools"}))
    if asked.forces_tool:  # tools are looked at for nothing else, and never kept
        asked = asked.model_copy(update={"tools": tools_in(await request.body())})
    asked.refuse_what_cannot_be_honoured()
    said = asked.last_user_text
    answer = program_answer(asked) or (ProgramAnswer(PLAINLY) if asked.model == PLAIN else None)
    if answer is not None:
        return _without_turn(asked, answer)
    accepted = await _accept(request, services, user_id, key, asked, said)
    turn = accepted.turn
    headers = {"X-Summit-Turn": str(turn.id), "X-Summit-Thread": str(turn.thread_id)}
    headers |= REPLAYED if accepted.replayed else {}
    if asked.stream:
        return _stream_response(_frames(services, turn, asked), headers)
    turn = await services.turns.wait(user_id, turn.id, services.settings.turn_wait_seconds)
    if turn.state not in ENDED_STATES:
        raise Unavailable(STILL_WORKING, hint="A retry of the same request, or its Idempotency-Key, finds it again.")
    view = await view_of_turn(services, turn)
    reply = view.reply or ""
    usage = usage_of(asked.messages, reply, turn.usage)
    return JSONResponse(
        completion(completion_id(turn.id), asked.model, reply, usage, turn_document(view)), headers=headers
    )


async def _accept(
    request: Request, services: Services, user_id: UUID, key: str | None, asked: ChatRequest, said: str
) -> Accepted:
    name = f"openai:{key}" if key else None
    again = await services.inbox.knows(user_id, name) if name else is_retry(request)
    goes_on = asked.goes_on
    thread_id, hashed = await place_of(request, services, user_id, asked, again=again or goes_on)
    if goes_on and (known := await turn_before(services, user_id, thread_id, said)):
        return Accepted(known, replayed=True)
    if key is None and (again or names_chat(request, asked)):
        # A chat that is named and comes as it came before is asked for its last answer again: nothing is done twice.
        known = await services.inbox.sent_before(user_id, thread_id, hashed)
        if known is not None:
            return Accepted(known, replayed=True)
    intake = TurnIntake(services, user_id, name)
    return await intake.accept_text({"text": said, "thread_id": str(thread_id)}, hashed)


async def _frames(services: Services, turn: Turn, asked: ChatRequest) -> AsyncIterator[bytes]:
    """The reply as it comes, then what the stored turn says of it."""
    chunks = Chunks(completion_id(turn.id), asked.model)
    yield chunks.begin()
    async with events_of(services.events, turn.user_id, turn_id=turn.id, after=0) as events:
        async for event in events:
            if event is None:
                yield HEARTBEAT
                if await _has_ended(services, turn):
                    break
            elif event.type == "reply.delta":
                yield chunks.sentence(event.data["text"])
            elif _ends(event):
                break
    ended = await services.inbox.get(turn.user_id, turn.id)
    if ended is None:
        yield chunks.error("The turn is gone.")
        return
    view = await view_of_turn(services, ended)
    for frame in _last_frames(chunks, ended, view, asked):
        yield frame


def _last_frames(chunks: Chunks, turn: Turn, view: TurnView, asked: ChatRequest) -> list[bytes]:
    reply = view.reply or ""
    counted = usage_of(asked.messages, reply, turn.usage) if _wants_usage(asked) else None
    return [*chunks.rest(reply), *chunks.end(turn_document(view), counted)]


def _ends(event: Event) -> bool:
    return event.type == "turn.done"


async def _has_ended(services: Services, turn: Turn) -> bool:
    now = await services.inbox.get(turn.user_id, turn.id)
    return now is None or now.state in ENDED_STATES


def _without_turn(asked: ChatRequest, answer: ProgramAnswer) -> Response:
    name, usage = completion_id(uuid4()), usage_of(asked.messages, answer.text, {})
    if not asked.stream:
        return JSONResponse(completion(name, asked.model, answer.text, usage, None, answer.tool))
    chunks, counted = Chunks(name, asked.model), usage if _wants_usage(asked) else None
    told = [chunks.call(answer.tool, answer.text)] if answer.tool else chunks.rest(answer.text)

    async def frames() -> AsyncIterator[bytes]:
        for frame in (chunks.begin(), *told, *chunks.end(None, counted, "tool_calls" if answer.tool else "stop")):
            yield frame

    return _stream_response(frames(), {})


def _stream_response(frames: AsyncIterator[bytes], headers: dict[str, str]) -> Response:
    return StreamingResponse(frames, media_type=EVENT_STREAM, headers={**HEADERS, **headers})


def _wants_usage(asked: ChatRequest) -> bool:
    return asked.stream_options is not None and asked.stream_options.include_usage


def _parse_document(document: dict[str, Any]) -> ChatRequest:
    try:
        return ChatRequest.model_validate(document)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": CREATED, "owned_by": "summit"}
