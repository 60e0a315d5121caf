"""A list that somebody else changes while a message is being understood keeps both changes."""

from __future__ import annotations

from typing import Any, Literal
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.contract import Proposal, Proposed, RouterDecision, Worker
from agents.ports import Ask, Batch
from agents.store import namespace
from agents.understanding import BuiltIn
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW

Waits = Literal["at the router", "at the agent"]


class Slow:
    """Understands as the built-in understanding does, and is so slow that another device adds rice meanwhile."""

    def __init__(self, ledger: StoreLedger, waits: Waits) -> None:
        self.ledger, self.waits, self.mind = ledger, waits, BuiltIn()

    async def route(self, ask: Ask) -> RouterDecision:
        decision = await self.mind.route(ask)
        if self.waits == "at the agent":
            targets = [target.model_copy(update={"proposed": None}) for target in decision.targets]
            return decision.model_copy(update={"targets": targets})
        await write(self.ledger, update(ask, "rice"))
        return decision

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        found = await self.mind.propose(worker, ask)
        await write(self.ledger, update(ask, "rice"))
        return found


def update(ask: Ask, line: str) -> Proposal:
    (note,) = ask.records.notes
    items = [*(item.model_dump() for item in note.items), line]
    return Proposal(op="update", kind="note", record_id=note.id, fields={"items": items})


async def write(ledger: StoreLedger, *proposals: Proposal) -> None:
    batch = Batch(
        user_id=LOCAL_USER, origin=str(uuid4()), agent="rest", proposals=list(proposals), at=NOW, timezone=LISBON
    )
    await ledger.apply(batch)


@pytest.mark.parametrize("waits", ["at the router", "at the agent"])
async def test_what_another_device_adds_meanwhile_stays(waits: Waits) -> None:
    store = InMemoryStore()
    ledger = StoreLedger(lambda: store)
    pantry = {"category": "list", "summary": "pantry", "items": ["eggs", "tea"]}
    await write(ledger, Proposal(op="create", kind="note", record_id="pantry", fields=pantry))
    graph = build_graph(Slow(ledger, waits), ledger, store=store, checkpointer=InMemorySaver(serde=serializer()))
    config: Any = {"configurable": {"thread_id": "one"}, "run_id": uuid4()}
    said: Any = {"messages": [HumanMessage("add milk to the pantry list", id=str(uuid4()))]}
    context: Any = {"timezone": LISBON, "at": NOW.isoformat()}
    outcome = (await graph.ainvoke(said, config, context=context))["outcome"]
    kept = await store.aget(namespace("note", LOCAL_USER), "pantry")
    assert kept is not None
    assert [line["text"] for line in kept.value["items"]] == ["eggs", "tea", "rice", "milk"]
    assert outcome.reply == "“pantry” now has eggs, tea, rice and milk."
