"""Answer a question without held changes through the API, such as whether five tasks shall be deleted.

It is said in the thread, as a turn of its own that is for this one question: the thread's order decides who comes
first, and what is said after it ("undo that") finds it.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from uuid import UUID

from agents.specialists.router import NOT_OPEN
from app.errors import Conflict, InvalidInput
from app.turns.model.turns import NewTurn, Turn
from app.turns.question import open_question, question_id, takes_yes
from app.turns.service import TurnService
from app.turns.store.inbox import Inbox

CLOSED = "This question is not open any more: another message came after it, and carries it on if it still waits."


async def answer_question(
    inbox: Inbox, turns: TurnService, turn: Turn, origin: UUID, *, accept: bool, seconds: float
) -> Turn | None:
    """Say yes or no to the open question of a turn and wait for the reply at most ``seconds``.

    None for a turn that asks nothing, or something about held changes. The same ``origin`` answers once.

    Raises:
        Conflict: it is not open any more, or a yes is no answer to it.

    """
    pending = open_question(turn)
    if pending is None:
        return None
    if accept and not takes_yes(turn):
        offered = " or ".join(f"“{option.label}”" for option in pending.options)
        hint = f"Send the answer as a message in its thread{f', such as {offered}' if offered else ''}."
        raise Conflict("A yes does not answer this question.", hint=hint)
    later = await inbox.follow_up(turn)
    if later and later.answers_turn_id != turn.id:
        raise Conflict(CLOSED)
    said = await _say(turns, turn, origin, "yes" if accept else "no")
    answered = await turns.wait(turn.user_id, said.id, seconds)
    if answered.result and answered.result.reply.startswith(NOT_OPEN):
        raise Conflict(CLOSED)
    return answered


async def _say(turns: TurnService, turn: Turn, origin: UUID, words: str) -> Turn:
    new = NewTurn(
        user_id=turn.user_id,
        text=words,
        captured_at=datetime.now(UTC),
        timezone=turn.timezone,
        thread_id=turn.thread_id,
        # One key for each question, which no client can send: whoever comes second has another fingerprint.
        idempotency_key=f"answer {turn.id}",
        body_hash=hashlib.sha256(f"{origin}:{words}".encode()).digest(),
        answers_turn_id=turn.id,
        answers_question_id=question_id(turn),
    )
    try:
        return (await turns.submit(new)).turn
    except InvalidInput as known:
        raise Conflict("This question was answered already.") from known
