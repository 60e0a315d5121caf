"""Where a decision leads: to the chosen agents side by side, or straight to the reply."""

from __future__ import annotations

from langgraph.types import Send

from agents.contract import WORKERS
from agents.cycle import Task
from graph.state import State

SYNTHESIZER = "response_synthesizer"
PATHS: list[str] = [*WORKERS, SYNTHESIZER]
"""Every node a decision may lead to; LangGraph checks names only against a stated list."""


def dispatch(state: State) -> list[Send] | str:
    """One ``Send`` per chosen agent with only its own share of the message."""
    decision = state.get("decision")
    targets = decision.targets if decision else []
    if not targets:
        return SYNTHESIZER
    return [
        Send(
            assignment.worker,
            Task(assignment=assignment, words=state["words"], turn_id=state["turn_id"], memo_id=state.get("memo_id")),
        )
        for assignment in targets
    ]
