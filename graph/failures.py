"""What happens when an agent fails or takes too long: it is reported and takes nobody down with it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.runtime import Runtime
from langgraph.types import Command

from agents.context import Context, clock_of, user_of, zone_of
from agents.contract import AgentReport, Worker
from agents.ports import Batch, Ledger, LedgerUnavailable
from agents.specialists.agent import AgentInput, Reports
from graph.routing import SYNTHESIZER

log = logging.getLogger(__name__)

AREA: dict[Worker, str] = {
    "update_todos": "your tasks",
    "update_events": "your calendar",
    "update_notes": "your notes",
    "update_profile": "your profile",
    "update_instructions": "your instructions",
    "focus_coach": "a suggestion",
    "recall": "that question",
    "research": "that work",
}


def failure_handler(
    worker: Worker, ledger: Ledger
) -> Callable[[AgentInput, NodeError, Runtime[Context]], Awaitable[Command[str]]]:
    """An error handler for one agent. A timeout may cut a commit, so the report is read back from the ledger.

    It asks by a batch that wants nothing, which waits for what is being committed: a plain read could come before it.
    A handler does not take its node's edge: without ``goto`` a turn whose only agent failed would end unanswered. A
    ledger out of reach is no answer to a user: nothing is reported, so the synthesizer refuses and the turn runs again.
    """

    async def report_failure(state: AgentInput, error: NodeError, runtime: Runtime[Context]) -> Command[str]:
        log.warning("agent %s failed in turn %s: %s", worker, state["turn_id"], type(error.error).__name__)
        # To raise it again does not stop the run: LangGraph takes an error that it gave to a handler for settled.
        if isinstance(error.error, LedgerUnavailable):
            return Command(goto=SYNTHESIZER)
        changes = [
            change for change in await ledger.apply(_nothing(worker, state, runtime.context)) if not change.declines
        ]
        sentence = None if changes else _sentence(worker, error.error)
        report = AgentReport(worker=worker, changes=changes, error=sentence)
        return Command(update=Reports(reports=[report]), goto=SYNTHESIZER)

    return report_failure


def _nothing(worker: Worker, state: AgentInput, context: Context) -> Batch:
    """The agent's batch of this turn without proposals: returns the recorded outcome, if it was applied."""
    return Batch(
        user_id=user_of(context),
        origin=state["turn_id"],
        turn_id=state["turn_id"],
        agent=worker,
        proposals=[],
        at=clock_of(context),
        timezone=zone_of(context),
    )


def _sentence(worker: Worker, cause: BaseException) -> str:
    why = (
        "it took too long" if isinstance(cause, NodeTimeoutError | TimeoutError) else "something went wrong on my side"
    )
    return f"I could not deal with {AREA[worker]}: {why}. Nothing was changed there; please try again."
