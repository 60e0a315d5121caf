"""The question that a turn asked without holding changes, such as whether five tasks shall be deleted."""

from __future__ import annotations

from uuid import UUID

from agents.contract import Pending
from agents.phrases import THE_FIRST
from app.turns.model.turns import Turn
from app.turns.store.inbox import Inbox

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
    return later if later and later.answers_turn_id == turn.id else None
