"""Undoing by id, one change or all that a turn changed: asks the ledger, where ``agents/ledger/settle.py`` does it.

A spoken "undo that" does not come here: ``undo`` in ``agents/understanding/dialogue/undo.py`` chooses among the recent
changes, and an agent applies it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from agents.contract import Change, Proposal
from agents.ledger.atomic_groups import undo_of, undoing
from agents.ports import Batch
from app.errors import Conflict, NotFound
from app.records.model.records import ChangeLog
from app.turns.confirm import effective_changes
from app.turns.model.turns import Turn
from app.turns.question import answering_turn
from app.turns.store.inbox import Inbox

UNDO_REASON = "undo"


async def undo_turn(log: ChangeLog, inbox: Inbox, turn: Turn, origin: UUID) -> list[Change]:
    """Undo every applied change of a turn, and of the API's answer to its question, newest first.

    Each stands or fails alone. Raises Conflict.
    """
    answer = await answering_turn(inbox, turn)
    changes = await log.changes_of_turn(str(turn.user_id), str(turn.id), *([str(answer.id)] if answer else []))
    standing = [change for change in reversed(effective_changes(changes)) if change.status == "applied"]
    # Even when nothing stands any more: a request that is sent again gets what it did the first time.
    undone = await _undo(
        log, turn.user_id, origin, turn.timezone, [undo_of(change, UNDO_REASON) for change in standing]
    )
    if not undone:
        raise Conflict("This turn has no change left to undo.")
    return undone


async def undo_change(log: ChangeLog, user_id: UUID, change_id: UUID, origin: UUID, timezone: str) -> Change:
    """Undo one change; a refused undo comes back as a failed change with its reason. Raises NotFound.

    ``timezone`` is an IANA name: in it are told the conflicts of what comes back, and the free times beside them.
    """
    change = await log.change(str(user_id), str(change_id))
    if change is None:
        raise NotFound(f"There is no change {change_id}.")
    together = await log.made_together(str(user_id), change.together) if change.together else []
    undone = await _undo(log, user_id, origin, timezone, undoing(change, together, UNDO_REASON))
    return next(row for row in undone if row.record_id == change.record_id)


async def _undo(log: ChangeLog, user_id: UUID, origin: UUID, timezone: str, proposals: list[Proposal]) -> list[Change]:
    batch = Batch(
        user_id=str(user_id),
        origin=str(origin),
        agent="undo",
        proposals=proposals,
        at=datetime.now(UTC),
        timezone=timezone,
    )
    return await log.apply(batch)
