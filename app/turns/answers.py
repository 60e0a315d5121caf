"""Answer a question without held changes through the API, such as whether five tasks shall be deleted.

It is said in the thread, as a turn of its own that is for this one question: the thread's order decides who comes
first, and what is said after it ("undo that") finds it.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from uuid import UUID

from agents.contract import Pending
from agents.phrases import THE_FIRST
from agents.specialists.conversation import NOT_OPEN
from app.errors import Conflict, InvalidInput
from app.turns.model.turns import Inbox, NewTurn, Turn, Turns

CLOSED = "This question is not open any more: another message came after it, and carries it on if it still waits."
YES_OR_NO = frozenset({"proceed", "transcript"})


def open_question(turn: Turn) -> Pending | None:
    """What a turn's question waits with, unless it is about changes that it holds: the ledger answers those."""
    question = turn.result.question if turn.result else None
    if question is None or (not question.pending.kept and any(one.confirms for one in question.pending.proposals)):
        return None
    return question.pending


def question_id(turn: Turn) -> UUID:
    """What an answer to the question of a turn names."""
    pending = turn.result.question.pending if turn.result and turn.result.question else None
    return UUID(pending.id) if pending and pending.id else turn.id


def takes_yes(turn: Turn) -> bool:
    """Whether a yes answers what a turn asks: one thing is proposed, or one time of those on offer."""
    question = turn.result.question if turn.result else None
    if question is None or question.pending.missing in YES_OR_NO:
        return question is not None
    offered = question.pending.options if question.pending.missing == "when" else []
    return len(offered) == 1 or (bool(offered) and question.text.endswith(THE_FIRST))


async def answering_turn(inbox: Inbox, turn: Turn) -> Turn | None:
    """The turn that an answer through the API to this turn's question created, if there is one."""
    later = await inbox.follow_up(turn) if open_question(turn) else None
    return later if later and later.answers == turn.id else None


async def answer_question(
    inbox: Inbox, turns: Turns, turn: Turn, origin: UUID, *, accept: bool, seconds: float
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
    if later and later.answers != turn.id:
        raise Conflict(CLOSED)
    said = await _say(turns, turn, origin, "yes" if accept else "no")
    answered = await turns.wait(turn.user_id, said.id, seconds)
    if answered.result and answered.result.reply.startswith(NOT_OPEN):
        raise Conflict(CLOSED)
    return answered


async def _say(turns: Turns, turn: Turn, origin: UUID, words: str) -> Turn:
    new = NewTurn(
        user_id=turn.user_id,
        text=words,
        captured_at=datetime.now(UTC),
        timezone=turn.timezone,
        thread_id=turn.thread_id,
        # One key for each question, which no client can send: whoever comes second has another fingerprint.
        idempotency_key=f"answer {turn.id}",
        body_hash=hashlib.sha256(f"{origin}:{words}".encode()).digest(),
        answers=turn.id,
        question=question_id(turn),
    )
    try:
        return (await turns.submit(new)).turn
    except InvalidInput as known:
        raise Conflict("This question was answered already.") from known
