"""POST a message, read its turn, stop it, take it back, follow its events."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.responses import JSONResponse

from agents.contract import Pending, Question
from agents.open_questions import waiting_in
from app.errors import Conflict, NotFound
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.http.limits import take_larger_body
from app.http.replay import REPLAYED, KeptResponse, Once
from app.http.schemas import ChangeList, IdempotencyKey, Number, as_json, change_view
from app.turns.answers import answer_question
from app.turns.confirm import confirm_turn as confirming
from app.turns.model.turns import Turn, TurnState
from app.turns.question import open_question
from app.turns.routes.envelopes import LARGEST_SEQ
from app.turns.routes.intake import TurnIntake
from app.turns.routes.schemas import Confirmation, TextTurn, TurnContext, TurnView, turn_view, waits_for
from app.turns.routes.sse import EVENT_STREAM, event_stream, last_seen
from app.voice.model import ACCEPTED

ASYNC = "respond-async"
ANSWERED_STATES: frozenset[TurnState] = frozenset({"done", "failed", "cancelled", "waiting"})
PREFER = "`respond-async`: answer 202 as soon as the turn is durable, without waiting for the reply."

router = APIRouter(prefix="/v1/turns", tags=["turns"], route_class=StrictRoute)

Prefer = Annotated[str, Header(description=PREFER, examples=[ASYNC])]
After = Annotated[Number, Query(ge=0, le=LARGEST_SEQ, description="Only events with a larger `seq`.")]


def _body_documentation() -> dict[str, Any]:
    form = TurnContext.model_json_schema()
    audio = {
        "type": "string",
        "format": "binary",
        "description": f"One whole recording: {ACCEPTED}.",
    }
    form |= {"title": "VoiceTurn", "properties": {"audio": audio, **form["properties"]}, "required": ["audio"]}
    content = {"application/json": {"schema": TextTurn.model_json_schema()}, "multipart/form-data": {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


@router.post(
    "",
    operation_id="post_turn",
    summary="Say something",
    response_model=TurnView,
    responses={
        200: {
            "description": "The finished turn, or its events as a stream.",
            "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
        },
        202: {"model": TurnView, "description": "The turn is durable and goes on; read it at `Location`."},
    },
    openapi_extra=_body_documentation(),
)
@take_larger_body(lambda settings: settings.max_audio_bytes, form=True)
async def post_turn(
    request: Request,
    services: Provided,
    user_id: Tenant,
    key: IdempotencyKey = None,
    prefer: Prefer = "",
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """Send words as JSON or a recording as a form; wait for the reply, at most the server's `turn_wait_seconds`.

    `Accept: text/event-stream` streams the turn's events instead, those of `turn_events`.

    The message is durable before anything is answered. Every change it causes is in `changes` and can be undone.
    An Idempotency-Key of a turn never expires.
    """
    accepted = await TurnIntake(services, user_id, key).accept(request)
    turn = accepted.turn
    headers = {"Location": f"/v1/turns/{turn.id}", **(REPLAYED if accepted.replayed else {})}
    if EVENT_STREAM in accept.lower():
        return event_stream(services, user_id, turn.id, 0, headers)
    if ASYNC in prefer.lower():
        return await _answer(request, services, turn, 202, {**headers, "Preference-Applied": ASYNC})
    turn = await services.turns.wait(user_id, turn.id, services.settings.turn_wait_seconds)
    return await _answer(request, services, turn, 200 if turn.state in ANSWERED_STATES else 202, headers)


@router.get("/{turn_id}", operation_id="get_turn", summary="Read a turn")
async def get_turn(turn_id: UUID, services: Provided, user_id: Tenant) -> TurnView:
    """One turn as it is now."""
    return await view_of_turn(services, await turn_of(services, user_id, turn_id))


@router.post("/{turn_id}/cancel", operation_id="cancel_turn", summary="Stop a turn", response_model=TurnView)
async def cancel_turn(turn_id: UUID, services: Provided, user_id: Tenant, once: Once) -> Response:
    """A queued turn is cancelled at once, a running one as soon as it can stop; what waits for a yes is declined.

    Changes already made stay.
    """

    async def cancel() -> KeptResponse:
        turn = await services.turns.cancel(user_id, turn_id)
        if turn is None:
            raise NotFound("There is no such turn.")
        if turn.state == "waiting":
            with suppress(Conflict):  # it was answered meanwhile
                await answer_turn(services, turn, once.origin, Confirmation(accept=False))
        return KeptResponse(200, as_json(await view_of_turn(services, turn)))

    return await once.answer(cancel)


@router.post("/{turn_id}/undo", operation_id="undo_turn", summary="Take a turn back", response_model=ChangeList)
async def undo_turn(turn_id: UUID, services: Provided, user_id: Tenant, once: Once) -> Response:
    """Undo every change of the turn that still stands, newest first; each answers for itself."""

    async def undo() -> KeptResponse:
        await turn_of(services, user_id, turn_id)
        undone = ChangeList(changes=[change_view(c) for c in await services.turns.undo(user_id, turn_id, once.origin)])
        if not any(change.status == "applied" for change in undone.changes):
            reasons = "; ".join(change.error for change in undone.changes if change.error)
            raise Conflict(reasons or "This turn has no change that still stands.", **as_json(undone))
        return KeptResponse(200, as_json(undone))

    return await once.answer(undo)


@router.post("/{turn_id}/confirm", operation_id="confirm_turn", summary="Say yes or no", response_model=TurnView)
async def confirm_turn(
    turn_id: UUID, services: Provided, user_id: Tenant, once: Once, body: Confirmation | None = None
) -> Response:
    """Answer the question of the turn with yes or no; the turn comes back with what was done and the reply to it.

    Held changes are applied, by default all of them. Any other question that a yes answers is answered in its thread,
    as long as nothing else was said there: `Location` is the turn of that answer, 202 says that it still works on it.
    409 says why nothing could be done: it was answered before, nobody answered in time, or the item has changed since.
    """
    said = body or Confirmation()

    async def confirm() -> KeptResponse:
        turn = await turn_of(services, user_id, turn_id)
        answer = await answer_turn(services, turn, once.origin, said)
        view = as_json(await view_of_turn(services, turn))
        if answer is None:
            return KeptResponse(200, view)
        return KeptResponse(
            200 if answer.state in ANSWERED_STATES else 202, view, {"Location": f"/v1/turns/{answer.id}"}
        )

    return await once.answer(confirm)


async def answer_turn(services: Services, turn: Turn, origin: UUID, said: Confirmation) -> Turn | None:
    """Answer what waits in a turn; the turn of the answer, where it has one. Raises NotFound, Conflict."""
    if said.changes is None:
        wait, inbox, turns = services.settings.turn_wait_seconds, services.inbox, services.turns
        if answer := await answer_question(inbox, turns, turn, origin, accept=said.accept, seconds=wait):
            return answer
    rows = await confirming(services.changes, turn, origin, accept=said.accept, only=said.changes)
    if all(row.status == "failed" and not row.declines for row in rows):
        refused = [change_view(row) for row in rows]
        raise Conflict("; ".join(row.error or "" for row in rows), **as_json(ChangeList(changes=refused)))
    return None


@router.get(
    "/{turn_id}/events",
    operation_id="turn_events",
    summary="Follow a turn",
    response_class=Response,
    responses={200: {"description": "Server-sent events.", "content": {EVENT_STREAM: {"schema": {"type": "string"}}}}},
)
async def turn_events(
    turn_id: UUID,
    services: Provided,
    user_id: Tenant,
    after: After = 0,
    last_event_id: Annotated[str, Header(description="`seq` of the last event seen; resumes after it.")] = "",
) -> Response:
    """The turn's events from the beginning, then live, until `turn.done`; a comment every 5 seconds keeps it open."""
    await turn_of(services, user_id, turn_id)
    return event_stream(services, user_id, turn_id, last_seen(last_event_id, after) or 0, {})


async def turn_of(services: Services, user_id: UUID, turn_id: UUID) -> Turn:
    """One turn; raises NotFound."""
    turn = await services.inbox.get(user_id, turn_id)
    if turn is None:
        raise NotFound("There is no such turn.")
    return turn


async def view_of_turn(services: Services, turn: Turn) -> TurnView:
    """A turn as it is now, with its changes and what became of its question."""
    ahead = await services.inbox.ahead(turn) if turn.state == "queued" else None
    if ahead:
        return turn_view(turn, []).model_copy(update={"waits_for": waits_for(turn, ahead)})
    changes = await services.changes.changes_of_turn(str(turn.user_id), str(turn.id))
    later = await services.inbox.follow_up(turn) if open_question(turn) else None
    if later is None:
        return turn_view(await _with_what_waits(services, turn), changes)
    if later.answers_turn_id != turn.id:
        return turn_view(turn, changes, later)
    return turn_view(turn, changes, later, await services.changes.changes_of_turn(str(turn.user_id), str(later.id)))


async def _with_what_waits(services: Services, turn: Turn) -> Turn:
    """The turn with the first of its questions that was not answered at another interface."""
    result = turn.result
    if result is None or result.question is None or not result.question.pending.kept:
        return turn
    first: Question | None = None
    for pending in waiting_in(result.question.pending):
        if await _is_open(services, turn, pending):
            first = Question(text=pending.asked, options=pending.choices, pending=pending)
            break
    return replace(turn, result=result.model_copy(update={"question": first}))


async def _is_open(services: Services, turn: Turn, pending: Pending) -> bool:
    asked = [proposal.confirms for proposal in pending.proposals if proposal.confirms]
    held = [await services.changes.change(str(turn.user_id), change_id) for change_id in asked]
    return not asked or any(change and change.status == "needs_confirmation" for change in held)


async def _answer(request: Request, services: Services, turn: Turn, status: int, headers: dict[str, str]) -> Response:
    request.state.metrics.turn_answered(turn.state)
    return JSONResponse(as_json(await view_of_turn(services, turn)), status, headers=headers)
