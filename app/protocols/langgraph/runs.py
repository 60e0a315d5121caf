"""Runs of LangGraph's API: every run is a turn, and its id is the turn's."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID, uuid4, uuid5

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.responses import JSONResponse, StreamingResponse

from app.errors import Conflict, InvalidInput, NotFound
from app.http.bodies import read_json
from app.http.deps import Provided, Services, Tenant
from app.http.schemas import IdempotencyKey
from app.protocols.answered import turn_before
from app.protocols.langgraph.assistants import insist_on_run
from app.protocols.langgraph.forced import forced_answer, forced_frames, forced_values
from app.protocols.langgraph.rollback import roll_back, turns_after
from app.protocols.langgraph.shapes import (
    DEFAULT_MODES,
    Mode,
    RunRequest,
    last_human,
    messages_go_on,
    parse_document,
    parse_resume,
    run_of,
)
from app.protocols.langgraph.state import LATEST_MESSAGES, ThreadEnd, state_of, thread_of, values_after
from app.protocols.langgraph.streaming import failure, frames_of
from app.turns.model.turns import Turn
from app.turns.question import question_id
from app.turns.routes.envelopes import LARGEST_SEQ
from app.turns.routes.intake import TurnIntake
from app.turns.routes.schemas import Confirmation
from app.turns.routes.sse import ENDED_STATES, EVENT_STREAM, HEADERS, last_seen
from app.turns.routes.turns import answer_turn, view_of_turn

router = APIRouter(prefix="/lg", include_in_schema=False)
Flag = Annotated[bool, Query()]


@dataclass(frozen=True)
class Starting:
    """A run that is asked for, and by whom."""

    services: Services
    user_id: UUID
    key: str | None
    asked: RunRequest

    async def turn(self, thread_id: UUID | None) -> Turn:
        """The turn of the run: a message, or the answer to a question."""
        self._refuse()
        thread_id = await self._thread(thread_id)
        if self.asked.command is not None:
            return await self._resume(thread_id, self.asked.command)
        if self.asked.place is not None:
            state = await self._state(thread_id)
            if self.asked.place != state.head:
                return await self._say_instead(state, self.asked.place)
        text, named = last_human(self.asked.input or {})
        if messages_go_on(self.asked.input or {}) and (
            known := await turn_before(self.services, self.user_id, thread_id, text)
        ):
            return known
        return await self._say(thread_id, {"text": text}, _message_field(named), self._key(thread_id, named))

    def _refuse(self) -> None:
        command = self.asked.command
        if command is not None and (self.asked.input or set(command) != {"resume"}):
            raise InvalidInput("command: only resume is known, and without input.", hint="Send one of them.")

    async def _thread(self, thread_id: UUID | None) -> UUID:
        services, asked = self.services, self.asked
        if thread_id is None:
            made = uuid5(self.user_id, f"langgraph run {self.key}") if self.key else uuid4()
            return (await services.threads.create(self.user_id, "", made)).id
        if asked.if_not_exists == "create":
            await services.threads.create(self.user_id, "", thread_id)
        return (await thread_of(services, self.user_id, thread_id)).id

    async def _state(self, thread_id: UUID) -> ThreadEnd:
        return await state_of(self.services, self.user_id, await thread_of(self.services, self.user_id, thread_id))

    async def _say(self, thread_id: UUID, said: dict[str, Any], kept: dict[str, Any], key: str | None) -> Turn:
        """A message; one that its client has named is the same message whenever it comes again."""
        intake = TurnIntake(self.services, self.user_id, key)
        document = {**said, "thread_id": str(thread_id), "strategy": self.asked.multitask_strategy}
        return (await intake.accept_text(document, client={**kept, **self.asked.client_data} or None)).turn

    async def _say_instead(self, state: ThreadEnd, place: str) -> Turn:
        """Say something in the place of what followed a checkpoint; without words, what was said there again."""
        since = await turns_after(self.services, self.user_id, state, place)
        if self.asked.input:
            text, named = last_human(self.asked.input)
            said, key = {"text": text}, self._key(state.thread.id, f"{place} {named}" if named else None)
        else:
            said, key = _said_before(since[0]), self._key(state.thread.id, None)
            named = state.names.get(since[0].id)
        if not (key and await self.services.inbox.knows(self.user_id, key)):
            await roll_back(self.services, since)
        return await self._say(state.thread.id, said, {"after": place, **_message_field(named)}, key)

    def _key(self, thread_id: UUID, named: str | None) -> str | None:
        """The key of a message: its request's, else what its client calls it in its thread."""
        key = self.key or (str(uuid5(thread_id, named)) if named else None)
        return f"langgraph:{key}" if key else None

    async def _resume(self, thread_id: UUID, command: dict[str, Any]) -> Turn:
        state = await self._state(thread_id)
        turn = await self.services.inbox.get(self.user_id, state.view.id) if state.view else None
        if turn is None or not state.interrupts:
            raise Conflict("Nothing waits for an answer in this thread.", hint="Send a message as input.")
        said = parse_resume(command["resume"], turn.id)
        if isinstance(said, str):
            said_to = {"text": said, "answers": str(question_id(turn))}
            return await self._say(thread_id, said_to, {}, self._key(thread_id, None))
        origin = uuid5(turn.id, self.key) if self.key else uuid4()
        return await answer_turn(self.services, turn, origin, Confirmation(accept=said)) or turn


@router.post("/runs")
@router.post("/threads/{thread_id}/runs")
async def create_run(
    request: Request, services: Provided, user_id: Tenant, thread_id: UUID | None = None, key: IdempotencyKey = None
) -> Response:
    """Begin in the background."""
    asked = await _read_run_request(request, leaving=False)
    if forced_answer(asked) is not None:
        raise InvalidInput("tool_choice: a forced answer is given at once.", hint="Use runs/wait or runs/stream.")
    turn = await Starting(services, user_id, key, asked).turn(thread_id)
    return JSONResponse(await _run(services, turn, asked), headers=_place(turn))


@router.post("/runs/wait")
@router.post("/threads/{thread_id}/runs/wait")
async def wait_run(
    request: Request, services: Provided, user_id: Tenant, thread_id: UUID | None = None, key: IdempotencyKey = None
) -> Response:
    """Begin, and answer with the values at the end."""
    asked = await _read_run_request(request, leaving=False)
    if (answer := forced_answer(asked)) is not None:
        return JSONResponse(forced_values(asked, answer, uuid4()))
    return await _values_response(services, await Starting(services, user_id, key, asked).turn(thread_id))


@router.post("/runs/stream")
@router.post("/threads/{thread_id}/runs/stream")
async def stream_run(
    request: Request, services: Provided, user_id: Tenant, thread_id: UUID | None = None, key: IdempotencyKey = None
) -> Response:
    """Begin, and follow what happens."""
    asked = await _read_run_request(request, leaving=True)
    if (answer := forced_answer(asked)) is not None:
        return StreamingResponse(forced_frames(asked, answer, uuid4()), media_type=EVENT_STREAM, headers=HEADERS)
    turn = await Starting(services, user_id, key, asked).turn(thread_id)
    # What was answered by a yes or no has told its events before.
    after = LARGEST_SEQ if asked.command and turn.state == "waiting" else 0
    cancel = asked.on_disconnect == "cancel"
    return _stream_response(turn, frames_of(services, turn, asked.stream_mode, after, cancel=cancel))


@router.get("/threads/{thread_id}/runs")
async def list_runs(
    thread_id: UUID,
    services: Provided,
    user_id: Tenant,
    status: str | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    offset: Annotated[int, Query(ge=0, le=100)] = 0,
) -> list[dict[str, Any]]:
    """Those of a thread, the latest first."""
    await thread_of(services, user_id, thread_id)
    most = LATEST_MESSAGES if status else offset + limit
    runs = [await _run(services, turn) for turn in await services.inbox.of_thread(user_id, thread_id, most)]
    return [run for run in runs if status in (None, run["status"])][offset : offset + limit]


@router.get("/threads/{thread_id}/runs/{run_id}")
async def get_run(thread_id: UUID, run_id: UUID, services: Provided, user_id: Tenant) -> dict[str, Any]:
    """One run."""
    return await _run(services, await _turn(services, user_id, thread_id, run_id))


@router.get("/threads/{thread_id}/runs/{run_id}/join")
async def join_run(thread_id: UUID, run_id: UUID, services: Provided, user_id: Tenant) -> Response:
    """Wait for the values at its end."""
    return await _values_response(services, await _turn(services, user_id, thread_id, run_id))


@router.get("/threads/{thread_id}/runs/{run_id}/stream")
async def join_stream(
    thread_id: UUID,
    run_id: UUID,
    services: Provided,
    user_id: Tenant,
    stream_mode: Annotated[list[Mode] | None, Query()] = None,
    cancel_on_disconnect: Flag = False,  # noqa: FBT002 - a query parameter
    last_event_id: Annotated[str, Header()] = "",
) -> Response:
    """Follow it from its beginning, or after an event."""
    turn = await _turn(services, user_id, thread_id, run_id)
    after, modes = last_seen(last_event_id, 0) or 0, stream_mode or DEFAULT_MODES
    return _stream_response(turn, frames_of(services, turn, modes, after, cancel=cancel_on_disconnect))


@router.post("/threads/{thread_id}/runs/{run_id}/cancel")
async def cancel_run(
    thread_id: UUID,
    run_id: UUID,
    services: Provided,
    user_id: Tenant,
    wait: Flag = False,  # noqa: FBT002 - a query parameter
    action: Literal["interrupt"] = "interrupt",  # noqa: ARG001 - the only one that can be honoured
) -> Response:
    """Stop it as soon as it can; what it changed stays, and can be undone."""
    turn = await _turn(services, user_id, thread_id, run_id)
    await services.turns.cancel(user_id, run_id)
    if wait:
        await services.turns.wait(user_id, run_id, services.settings.turn_wait_seconds)
    return JSONResponse(await _run(services, await services.inbox.get(user_id, run_id) or turn), 202)


def _said_before(turn: Turn) -> dict[str, Any]:
    """What a turn said, when and where; raises InvalidInput for words that may not be the user's own."""
    if turn.borrowed:
        raise InvalidInput("checkpoint: what followed it was said by a workflow.", hint="Run the workflow again.")
    return {"text": turn.text or "", "captured_at": turn.captured_at.isoformat(), "timezone": turn.timezone}


def _message_field(name: str | None) -> dict[str, Any]:
    return {"message": name} if name else {}


async def _read_run_request(request: Request, *, leaving: bool) -> RunRequest:
    asked = parse_document(RunRequest, await read_json(request))
    insist_on_run(asked.assistant_id)
    if asked.on_disconnect == "cancel" and not leaving:
        raise InvalidInput("on_disconnect: only a stream stops its run.", hint="Leave it out.")
    return asked


async def _run(services: Services, turn: Turn, asked: RunRequest | None = None) -> dict[str, Any]:
    view = await view_of_turn(services, turn)
    return run_of(turn, view, asked.multitask_strategy if asked else "enqueue")


async def _turn(services: Services, user_id: UUID, thread_id: UUID, run_id: UUID) -> Turn:
    turn = await services.inbox.get(user_id, run_id)
    if turn is None or turn.thread_id != thread_id:
        raise NotFound("There is no such run.")
    return turn


async def _values_response(services: Services, turn: Turn) -> Response:
    """The values at the end of a run; blanks before them keep the connection open."""
    turn = await services.turns.wait(turn.user_id, turn.id, services.settings.heartbeat_seconds)
    headers = {**_place(turn), "Location": f"{_path(turn)}/join"}
    if turn.state in ENDED_STATES:
        return JSONResponse(await _values(services, turn), headers=headers)
    return StreamingResponse(_patiently(services, turn), media_type="application/json", headers=headers)


async def _patiently(services: Services, turn: Turn) -> AsyncIterator[bytes]:
    while turn.state not in ENDED_STATES:
        yield b"\n"
        turn = await services.turns.wait(turn.user_id, turn.id, services.settings.heartbeat_seconds)
    yield json.dumps(await _values(services, turn)).encode()


async def _values(services: Services, turn: Turn) -> dict[str, Any]:
    view = await view_of_turn(services, turn)
    if view.status == "failed":
        return {"__error__": failure(view)}
    return await values_after(services, turn, view)


def _stream_response(turn: Turn, frames: AsyncIterator[bytes]) -> Response:
    headers = {**HEADERS, **_place(turn), "Location": f"{_path(turn)}/stream"}
    return StreamingResponse(frames, media_type=EVENT_STREAM, headers=headers)


def _place(turn: Turn) -> dict[str, str]:
    return {"Content-Location": _path(turn)}


def _path(turn: Turn) -> str:
    return f"/threads/{turn.thread_id}/runs/{turn.id}"
