"""What a turn heard is corrected afterwards: it is given the words, or taken back and said again with them."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

from agents.contract import Change
from app.errors import Conflict
from app.ports import Accepted, Inbox, NewTurn, Turn

BUSY = "This memo is being acted on just now."
CHANGED_SINCE = "What this memo did has changed since, so it cannot be taken back: {reasons}"
Undo = Callable[[UUID, UUID, UUID], Awaitable[list[Change]]]
Submit = Callable[[NewTurn], Awaitable[Accepted]]


async def take_back(undo: Undo, turn: Turn) -> None:
    """Undo what a turn did, so that its corrected words may act; nothing for one without words or effects.

    Raises:
        Conflict: it is running, or something that it changed was changed again.

    """
    if turn.state == "running" or (turn.state == "queued" and turn.text is not None):
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


async def say_again(inbox: Inbox, submit: Submit, turn: Turn, text: str, version: UUID) -> Turn | None:
    """Have the corrected words acted on, once a version; None where nobody waits for them and nothing was said."""
    if turn.text is None and turn.state == "queued" and turn.memo_id:
        return await inbox.transcribed(turn.user_id, turn.memo_id, text)
    if turn.state == "cancelled" or turn.text == text:
        return None
    again = NewTurn(
        user_id=turn.user_id,
        text=text,
        captured_at=turn.captured_at,
        timezone=turn.timezone,
        thread_id=turn.thread_id,
        idempotency_key=f"memo:{version}",
        body_hash=hashlib.sha256(text.encode()).digest(),
        of_memo=turn.memo_id,
    )
    return (await submit(again)).turn
