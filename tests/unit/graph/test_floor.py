"""A request that leaves something open waits for one yes, and makes what was asked about; a no makes nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.contract import Outcome
from agents.understanding import BuiltIn
from graph.builder import TurnGraph, build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW

SAID = "lunch with Carla tomorrow at noon or so"
CLOCK = {"timezone": LISBON, "at": NOW.isoformat()}


class Thread:
    """One thread over a store in memory."""

    def __init__(self) -> None:
        self.store = InMemoryStore()
        saver = InMemorySaver(serde=serializer())
        self.graph: TurnGraph = build_graph(
            BuiltIn(), StoreLedger(lambda: self.store), store=self.store, checkpointer=saver
        )

    async def say(self, text: str) -> Outcome:
        config: Any = {"configurable": {"thread_id": "one"}, "run_id": uuid4()}
        said = {"messages": [HumanMessage(text, id=str(uuid4()))]}
        state = await self.graph.ainvoke(said, config, context=CLOCK)  # type: ignore[call-overload]
        return state["outcome"]  # type: ignore[no-any-return]

    async def kept(self, kind: str) -> list[dict[str, Any]]:
        return [item.value for item in await self.store.asearch((kind, LOCAL_USER))]


@pytest.fixture
def thread() -> Thread:
    return Thread()


async def test_nothing_is_booked_before_the_yes_and_all_of_it_after(thread: Thread) -> None:
    asked = await thread.say(SAID)
    assert asked.disposition == "clarify"
    assert asked.reply.endswith("Book “lunch with Carla” for tomorrow, 12:00-13:00?")
    assert await thread.kept("event") == []
    booked = await thread.say("yes")
    assert booked.disposition == "dispatch"
    [event] = await thread.kept("event")
    assert (event["title"], event["start"]) == ("lunch with Carla", "2026-11-19T12:00:00Z")


async def test_a_no_books_nothing(thread: Thread) -> None:
    await thread.say(SAID)
    await thread.say("no")
    assert await thread.kept("event") == []


async def test_a_message_of_its_own_leaves_the_question(thread: Thread) -> None:
    await thread.say(SAID)
    await thread.say("remind me to call Bob at 5")
    assert await thread.kept("event") == []
    assert [task["task"] for task in await thread.kept("todo")] == ["call Bob"]


async def test_a_remark_beside_a_request_is_no_request(thread: Thread) -> None:
    await thread.say("meeting with Carla tomorrow at 3, she's in from Rome")
    assert [event["title"] for event in await thread.kept("event")] == ["meeting with Carla"]
    assert await thread.kept("todo") == await thread.kept("note") == []


@pytest.mark.parametrize("said", ["I am feeling rather flat today, I must admit.", "qwpe zxm vbrr", "???"])
async def test_what_asks_for_nothing_is_no_task(thread: Thread, said: str) -> None:
    answer = await thread.say(said)
    assert answer.disposition in ("reply", "clarify")
    assert answer.reply
    assert await thread.kept("todo") == await thread.kept("note") == []
