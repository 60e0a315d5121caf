"""The graph: router, agents side by side, synthesizer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_store
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import BaseStore

from agents.context import Context
from agents.contract import Worker
from agents.ports import Ledger, LongWork, Recollections, Understanding
from agents.specialists.focus import FocusCoach
from agents.specialists.keepers import InstructionKeeper, NoteKeeper, ProfileKeeper
from agents.specialists.long_work import LongWorkAgent
from agents.specialists.recall import Recall
from agents.specialists.router import Router
from agents.specialists.schedule import Scheduler
from agents.specialists.tasks import TaskManager
from agents.synthesizer import Synthesizer
from agents.understanding import BuiltIn
from graph.failures import failure_handler
from graph.routing import PATHS, SYNTHESIZER, dispatch
from graph.state import State, TurnInput, TurnOutput
from graph.store_ledger import StoreLedger

AGENT_TIMEOUT_SECONDS = 20.0
ROUTER = "conversation_agent"

TurnGraph = CompiledStateGraph[State, Context, TurnInput, TurnOutput]
Around = Callable[[str], AbstractContextManager[object]]
"""What is around the work of each agent, by its name."""


def build_graph(
    understanding: Understanding,
    ledger: Ledger,
    *,
    store: BaseStore | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    agent_timeout: float = AGENT_TIMEOUT_SECONDS,
    memory: Recollections | None = None,
    long_work: LongWork | None = None,
    around: Around | None = None,
) -> TurnGraph:
    """Compile the graph around its services; ``agent_timeout`` is in seconds."""
    graph = StateGraph(State, context_schema=Context, input_schema=TurnInput, output_schema=TurnOutput)
    router = Router(understanding, ledger, long_work, memory)
    synthesizer = Synthesizer()
    graph.add_node(ROUTER, _within(around, ROUTER, router.conversation_agent))
    graph.add_node(SYNTHESIZER, _within(around, SYNTHESIZER, synthesizer.response_synthesizer))
    for worker, node in _workers(understanding, ledger, memory, long_work).items():
        within = _within(around, worker, node)
        handler: Any = failure_handler(worker, ledger)  # langgraph's type for it is not the same in all its builds
        graph.add_node(worker, within, timeout=agent_timeout, error_handler=handler)
        graph.add_edge(worker, SYNTHESIZER)
    graph.add_edge(START, ROUTER)
    graph.add_conditional_edges(ROUTER, dispatch, PATHS)
    graph.add_edge(SYNTHESIZER, END)
    return graph.compile(store=store, checkpointer=checkpointer, name="summit")


def make_graph() -> TurnGraph:
    """The graph of Studio and of tests, with nothing configured: built-in understanding, a ledger over any store.

    The graph of a server is made in ``app/lifespan.py``.
    """
    return build_graph(BuiltIn(), StoreLedger(get_store))


def _within(around: Around | None, name: str, node: Callable[..., Awaitable[Any]]) -> Any:
    """A node with what is around it; without, as it is."""
    if around is None:
        return node

    @wraps(node)
    async def run_within(*args: Any, **kwargs: Any) -> Any:
        with around(name):
            return await node(*args, **kwargs)

    return run_within


def _workers(
    understanding: Understanding, ledger: Ledger, memory: Recollections | None, long_work: LongWork | None
) -> dict[Worker, Any]:
    return {
        "update_todos": TaskManager(understanding, ledger).update_todos,
        "update_events": Scheduler(understanding, ledger).update_events,
        "update_notes": NoteKeeper(understanding, ledger).update_notes,
        "update_profile": ProfileKeeper(understanding, ledger).update_profile,
        "update_instructions": InstructionKeeper(understanding, ledger).update_instructions,
        "focus_coach": FocusCoach(understanding, ledger).focus_coach,
        "recall": Recall(understanding, ledger, memory).recall,
        "research": LongWorkAgent(understanding, ledger, long_work).research,
    }
