"""Whatever understanding proposes, the cycle of its agent holds what a standing instruction wants asked."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.contract import Proposal, Proposed, RouterDecision, Worker
from agents.ports import Ask, Batch
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import ScriptedUnderstanding, decide

ASK = "ask me before you add or delete anything"
CREATED = st.sampled_from(
    [
        Proposal(op="create", kind="todo", fields={"task": "milk"}),
        Proposal(op="create", kind="event", fields={"title": "dentist", "start": "2026-11-20T15:00:00+00:00"}),
        Proposal(op="create", kind="note", fields={"content": "blue pot"}),
        Proposal(op="create", kind="profile", fields={"job": "baker"}),
        Proposal(op="delete", kind="todo", record_id="kept"),
    ]
)


class InTwoSteps(ScriptedUnderstanding):
    """Decides as a model does: the router names agents, and each proposes by itself."""

    async def route(self, ask: Ask) -> RouterDecision:
        decision = await super().route(ask)
        targets = [target.model_copy(update={"proposed": None}) for target in decision.targets]
        return decision.model_copy(update={"targets": targets})

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        decision = await super().route(ask.model_copy(update={"text": "go"}))
        return next(target.proposed or Proposed() for target in decision.targets if target.worker == worker)


def _mind(decision: RouterDecision, *, split: bool) -> ScriptedUnderstanding:
    return InTwoSteps({"go": decision}) if split else ScriptedUnderstanding({"go": decision})


async def _turn(decision: RouterDecision, *, split: bool) -> list[tuple[str, str]]:
    """What one turn of a user with a rule comes to: op and status of each change."""
    store = InMemoryStore()
    ledger = StoreLedger(lambda: store)
    rule = Proposal(op="create", kind="instruction", fields={"text": ASK})
    kept = Proposal(op="create", kind="todo", record_id="kept", fields={"task": "kept"})
    seeds = Batch(
        user_id=LOCAL_USER, origin=str(uuid4()), agent="rest", proposals=[rule, kept], at=NOW, timezone=LISBON
    )
    await ledger.apply(seeds)
    graph = build_graph(
        _mind(decision, split=split), ledger, store=store, checkpointer=InMemorySaver(serde=serializer())
    )
    turn = uuid4()
    config: Any = {"configurable": {"thread_id": "one"}, "run_id": turn}
    said: Any = {"messages": [HumanMessage("go", id=str(uuid4()))]}
    context: Any = {"timezone": LISBON, "at": NOW.isoformat()}
    outcome = (await graph.ainvoke(said, config, context=context))["outcome"]
    assert outcome.disposition == "clarify"
    return [(change.op, change.status) for change in await ledger.changes_of_turn(LOCAL_USER, str(turn))]


@given(st.lists(CREATED, min_size=1, max_size=4), st.booleans())
@settings(max_examples=20)
async def test_nothing_gets_past_a_rule_whoever_proposes_it(proposals: list[Proposal], split: bool) -> None:  # noqa: FBT001
    statuses = {status for _, status in await _turn(decide(*proposals), split=split)}
    assert statuses == {"needs_confirmation"}
