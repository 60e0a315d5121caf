"""What a turn gives the graph: where its thread is kept, and what was said."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from langchain_core.messages import HumanMessage

from agents.context import Context
from app.turns.model.turns import Turn
from graph.state import TurnInput


def config_of(turn: Turn) -> Any:
    """The thread's place among the checkpoints."""
    return {"configurable": {"thread_id": f"{turn.user_id}:{turn.thread_id}"}, "run_id": turn.id}


def user_message(turn: Turn) -> HumanMessage:
    """The message; its id says of which turn it is, so it is kept once however often it is given."""
    return HumanMessage(turn.text or "", id=f"{turn.id}:said")


def graph_input(turn: Turn) -> TurnInput:
    """The graph's input."""
    return {
        "messages": [user_message(turn)],
        "unsure": turn.unsure,
        "breaks_off": turn.breaks_off,
        "borrowed": turn.borrowed,
        "rerun": turn.tried_before,
        "memo_id": str(turn.memo_id) if turn.memo_id else None,
        # The first question of a turn has the turn's own id, so either id names it.
        "answers_question_id": str(named) if (named := turn.answers_question_id or turn.answers_turn_id) else None,
        "reading": turn.reading,
    }


def context_of(turn: Turn) -> Context:
    """The graph's context: whose turn it is, when and where it was said, and how they read time."""
    return {
        "user_id": str(turn.user_id),
        "timezone": turn.timezone,
        "at": turn.captured_at.astimezone(ZoneInfo(turn.timezone)).isoformat(),
        "conventions": turn.settings.get("conventions") or {},
        "language": turn.settings.get("language") or "",
    }
