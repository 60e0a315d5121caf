"""The focus coach."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context, clock_of, user_of
from agents.contract import Proposed
from agents.specialists.agent import Agent, AgentInput, Reports, store_of
from agents.store import note_outcomes
from agents.suggestion_feedback import TrackOutcome


class FocusCoach(Agent):
    """Picks the one next action that fits the user's mood, energy and time, and learns from what becomes of it."""

    worker = "focus_coach"

    async def focus_coach(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Suggest what to do next."""
        proposed, context = await self.propose(task, runtime), runtime.context
        await note_outcomes(store_of(runtime), user_of(context), _outcomes(proposed), clock_of(context))
        return self.make_report(proposed)


def _outcomes(proposed: Proposed) -> list[tuple[str, TrackOutcome]]:
    found: list[tuple[str, TrackOutcome]] = []
    if proposed.feedback:
        found.append((proposed.feedback.task_id, proposed.feedback.outcome))
    if proposed.suggestion and proposed.suggestion.task_id:
        found.append((proposed.suggestion.task_id, "suggested"))
    return found
