"""A run that goes on from an earlier checkpoint: what was done since is taken back, as nothing is done twice here."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID, uuid4

from app.errors import Conflict, InvalidInput, NotFound
from app.http.deps import Services
from app.protocols.langgraph.state import LATEST_MESSAGES, ThreadEnd, up_to
from app.turns.model.turns import Turn, TurnState
from app.turns.routes.schemas import Confirmation
from app.turns.routes.turns import answer_turn

UNFINISHED: frozenset[TurnState] = frozenset({"queued", "running"})
NO_PLACE = "checkpoint: there is no such state among the latest of this thread."
BORROWED = "checkpoint: what followed it was said in the thread that this one was copied from."


async def turns_after(services: Services, user_id: UUID, state: ThreadEnd, checkpoint_id: str) -> list[Turn]:
    """The turns that followed a checkpoint, oldest first; raises InvalidInput where there is no such place."""
    at_beginning = checkpoint_id == str(state.thread.id) and state.thread.message_count <= LATEST_MESSAGES
    before = up_to(state.messages, checkpoint_id)
    if not before and not at_beginning:
        raise InvalidInput(NO_PLACE, hint="Leave the checkpoint out to go on from the end of the thread.")
    ids = dict.fromkeys(message.turn_id for message in state.messages[len(before) :])
    found = [turn for turn_id in ids if (turn := await services.inbox.get(user_id, turn_id))]
    if any(turn.thread_id != state.thread.id for turn in found):
        raise InvalidInput(BORROWED, hint="Say it in that thread, or leave the checkpoint out.")
    return found


async def roll_back(services: Services, turns: list[Turn]) -> None:
    """Stop what runs, decline what waits and undo what was changed, the latest first; raises Conflict with a reason.

    What was undone before a change that cannot be taken back stays so: each undo is a change of its own.
    """
    for turn in reversed([*turns, *await _unfinished_turns(services, turns)]):
        if turn.state in UNFINISHED:
            await services.turns.cancel(turn.user_id, turn.id)
        if turn.state == "waiting":
            with suppress(Conflict, NotFound):  # it was answered meanwhile
                await answer_turn(services, turn, uuid4(), Confirmation(accept=False))
        await _undo(services, turn.user_id, turn.id)


async def _unfinished_turns(services: Services, turns: list[Turn]) -> list[Turn]:
    """Those of the same thread that have no reply yet, oldest first."""
    latest = await services.inbox.of_thread(turns[0].user_id, turns[0].thread_id, LATEST_MESSAGES) if turns else []
    return [turn for turn in reversed(latest) if turn.state in UNFINISHED]


async def _undo(services: Services, user_id: UUID, turn_id: UUID) -> None:
    try:
        undone = await services.turns.undo(user_id, turn_id, uuid4())
    except Conflict:  # nothing of it stands
        return
    refused = [change.error or change.title for change in undone if change.status == "failed"]
    if refused:
        hint = "Undo by hand what shall go, then say it without a checkpoint."
        raise Conflict(f"What was done since cannot be taken back: {'; '.join(refused)}", hint=hint)
