"""Confirm or decline held changes by id: all of a turn, or some."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from uuid import UUID

from agents.contract import Change
from agents.ledger.approvals import LEFT_AS_IS, confirmation_proposal
from agents.ledger.settle import DECLINED
from agents.ports import Batch
from agents.rendering.changes import claim_sentence, told_apart
from app.errors import Conflict, NotFound
from app.records.model.records import ChangeLog
from app.turns.model.turns import Turn

AGENT = "confirm"
STANDING = frozenset({"applied", "undone"})


async def confirm_turn(
    log: ChangeLog, turn: Turn, origin: UUID, *, accept: bool, only: Collection[UUID] | None = None
) -> list[Change]:
    """Apply or decline the held changes of a turn; each succeeds or fails alone. Raises NotFound, Conflict."""
    held = _select_held(await log.changes_of_turn(str(turn.user_id), str(turn.id)), only)
    waiting = [change for change in held if change.status == "needs_confirmation"]
    batch = Batch(
        user_id=str(turn.user_id),
        origin=str(origin),
        turn_id=str(turn.id),
        agent=AGENT,
        proposals=[confirmation_proposal(change, declined=not accept) for change in waiting],
        at=datetime.now(UTC),
        timezone=turn.timezone,
        words=turn.text or "",
        memo_id=str(turn.memo_id) if turn.memo_id else None,
    )
    # Even when nothing waits any more: a request that is sent again gets what it did the first time.
    rows = await log.apply(batch)
    if not rows:
        reasons = [change.error or f"“{change.title}” was confirmed already" for change in held]
        raise Conflict(f"Nothing waits for a yes in this turn{': ' * bool(held)}{'; '.join(reasons)}.")
    return rows


def _select_held(changes: Sequence[Change], only: Collection[UUID] | None) -> list[Change]:
    held = [change for change in changes if change.has_been_held]
    if only is None:
        return held
    unknown = {str(wanted) for wanted in only} - {change.id for change in held}
    if unknown:
        raise NotFound(f"No change with the id {min(unknown)} was held in this turn.")
    return [change for change in held if UUID(change.id) in only]


def confirmation_text(changes: Sequence[Change], now: datetime) -> str:
    """The outcome of answers by id to a turn's held changes, in words; empty if there were none."""
    done = [change for change in effective_changes(changes) if change.confirms and change.agent == AGENT]
    sentences = [
        claim_sentence(change, now) for change in told_apart(done, now) if change.status in STANDING | {"failed"}
    ]
    return " ".join([*sentences, *filter(None, [remarks_left(changes)])])


def remarks_left(changes: Sequence[Change]) -> str:
    """What is said of held changes that were declined, which no receipt tells."""
    left = any(change.has_been_held and change.error == DECLINED for change in effective_changes(changes))
    return LEFT_AS_IS if left else ""


def effective_changes(changes: Sequence[Change]) -> list[Change]:
    """The changes of a turn, each once: a held change answered in the same turn is represented by its answer."""
    done = {change.confirms for change in changes if change.confirms and change.status in STANDING}
    answered = done | {change.confirms for change in changes if change.confirms}
    return [
        change
        for change in changes
        if not (change.has_been_held and change.id in answered)
        and not (change.status == "failed" and change.confirms in done)
    ]


def still_waits(turn: Turn, changes: Sequence[Change]) -> bool:
    """Whether a waiting turn still waits: a question about held changes ends when they are answered or expire."""
    question = turn.result.question if turn.result else None
    asked = {proposal.confirms for proposal in question.pending.proposals} - {None} if question else set()
    held = asked & {change.id for change in changes}
    open_ones = {change.id for change in changes if change.status == "needs_confirmation"}
    return not held or bool(held & open_ones)
