"""What a turn heard is corrected afterwards: it is given the words, or taken back and said again with them."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

from agents.contract import Change
from app.errors import Conflict
from app.turns.model.turns import Accepted, NewTurn, Turn
from app.turns.store.inbox import Inbox
from app.voice.model import Memo

BUSY = "This memo is being acted on just now."
CHANGED_SINCE = "What this memo did has changed since, so it cannot be taken back: {reasons}"
Undo = Callable[[UUID, UUID, UUID], Awaitable[list[Change]]]
Submit = Callable[[NewTurn], Awaitable[Accepted]]


async def take_back(inbox: Inbox, undo: Undo, turn: Turn) -> None:
    """Undo what a turn did, so that its corrected words may act; nothing for one without words or effects.

    Raises:
        Conflict: it is running, or the yes to its words is, or something that it changed was changed again.

    """
    answer = await inbox.follow_up(turn) if turn.unsure else None
    if _at_work(turn) or (answer and _at_work(answer)):
        raise Conflict(BUSY, hint="Send the correction again in a moment.")
    if turn.text is None or turn.state == "cancelled":
        return
    try:
        undone = await undo(turn.user_id, turn.id, uuid4())
    except Conflict:  # there is nothing left to undo
        return
    refused = [change.error or "" for change in undone if change.status == "failed"]
    if refused:
        raise Conflict(CHANGED_SINCE.format(reasons="; ".join(refused)), hint="Undo the later changes first.")


async def say_again(inbox: Inbox, submit: Submit, turn: Turn, memo: Memo) -> Turn | None:
    """Have a memo's words acted on as its user put them, once a version; None where nothing is to be said again.

    A turn that only asked whether its words were heard rightly acted on none.
    """
    text = memo.transcript
    if not text:
        return None
    if turn.text is None and turn.state == "queued":
        return await inbox.deliver_transcript(turn.user_id, memo.id, text)
    acted = not turn.unsure and (turn.text == text or not memo.edited)
    if turn.state == "cancelled" or acted:
        return None
    again = NewTurn(
        user_id=turn.user_id,
        text=text,
        captured_at=memo.captured_at,
        timezone=memo.timezone,
        thread_id=turn.thread_id,
        idempotency_key=f"memo:{memo.transcript_id or memo.id}",
        body_hash=hashlib.sha256(text.encode()).digest(),
        of_memo=memo.id,
    )
    return (await submit(again)).turn


def _at_work(turn: Turn) -> bool:
    return turn.state == "running" or (turn.state == "queued" and turn.text is not None)
