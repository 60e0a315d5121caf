"""Where a decision leads: to the chosen agents side by side, or straight to the reply."""

from __future__ import annotations

from langgraph.types import Send

from agents.contract import WORKERS, Assignment
from agents.ports import Exchange
from agents.specialists.agent import RECENT_EXCHANGES, AgentInput, exchanges
from graph.state import State

SYNTHESIZER = "response_synthesizer"
PATHS: list[str] = [*WORKERS, SYNTHESIZER]
"""Every node a decision may lead to; LangGraph checks names only against a stated list."""


async def dispatch(state: State) -> list[Send] | str:  # a plain function would be called in a thread
    """One ``Send`` per chosen agent with only its own share of the message."""
    decision = state.get("decision")
    targets = decision.targets if decision else []
    if not targets:
        return SYNTHESIZER
    before = exchanges(state["messages"][:-1])[-RECENT_EXCHANGES:]
    return [Send(assignment.worker, _task(assignment, state, before)) for assignment in targets]


def _task(assignment: Assignment, state: State, before: list[Exchange]) -> AgentInput:
    task = AgentInput(
        assignment=assignment,
        words=state["words"],
        turn_id=state["turn_id"],
        standing=state.get("standing") or [],
        memo_id=state.get("memo_id"),
        rerun=state.get("rerun", False),
        borrowed=state.get("borrowed", False) or state.get("doubtful", False),
        passed_on=state.get("passed_on", ""),
    )
    if assignment.proposed and assignment.worker != "recall":  # memory is asked in the light of what was said before
        return task
    decision = state.get("decision")
    language = decision.language if decision else ""
    return AgentInput(**task, recent=before, recent_turns=state.get("recent_turns") or [], language=language)
