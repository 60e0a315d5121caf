"""No reply while an agent has not reported: what it was given would be passed over in silence."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.contract import Outcome, Proposal, Worker
from agents.synthesizer import ReportMissing
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import EXAMPLES
from tests.support.scripted import FaultyLedger, ScriptedUnderstanding, decide

WRITERS: dict[Worker, Proposal] = {
    "update_todos": Proposal(op="create", kind="todo", fields=EXAMPLES["todo"]),
    "update_events": Proposal(op="create", kind="event", fields=EXAMPLES["event"]),
    "update_notes": Proposal(op="create", kind="note", fields=EXAMPLES["note"]),
    "update_profile": Proposal(op="create", kind="profile", fields=EXAMPLES["profile"]),
    "update_instructions": Proposal(op="create", kind="instruction", fields=EXAMPLES["instruction"]),
}


@pytest.mark.parametrize("worker", WRITERS)
@pytest.mark.parametrize("durability", ["exit", "async", "sync"])
async def test_a_run_whose_ledger_was_out_of_reach_leaves_no_outcome(worker: Worker, durability: str) -> None:
    store, saver = InMemoryStore(), InMemorySaver(serde=serializer())
    ledger: Any = FaultyLedger(StoreLedger(lambda: store), {worker: "cut before"})  # type: ignore[arg-type]
    mind = ScriptedUnderstanding({"all": decide(*WRITERS.values())})
    graph: Any = build_graph(mind, ledger, store=store, checkpointer=saver)
    config = {"configurable": {"thread_id": "one"}, "run_id": uuid4()}
    said = {"messages": [HumanMessage("all", id="said")]}
    context = {"timezone": "Europe/Lisbon"}

    with pytest.raises(ReportMissing, match=worker):
        await graph.ainvoke(said, config, context=context, durability=durability)
    assert (await graph.aget_state(config)).values.get("outcome") is None

    again = await graph.ainvoke({**said, "rerun": True}, config, context=context, durability=durability)
    assert again["outcome"].reported == [*WRITERS]
    assert again["outcome"].complete


def test_an_outcome_is_complete_when_it_covers_every_agent_that_was_given_a_part() -> None:
    outcome = Outcome(disposition="dispatch", targets=["update_todos", "update_notes"], reply="")
    assert not outcome.complete
    assert not outcome.model_copy(update={"reported": ["update_todos"]}).complete
    assert outcome.model_copy(update={"reported": ["update_notes", "update_todos"]}).complete
    assert Outcome(disposition="reply", reply="Hello.").complete
