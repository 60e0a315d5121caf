"""Two threads of one user: what is stored is shared, what "it" and "he" mean is not."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.understanding import BuiltIn
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW

YESTERDAY = ["call with Priya friday at 15:00", "book dentist on tuesday at 9am", "buy stamps by friday"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("call the plumber tomorrow, he's only in until noon", []),
        ("call the plumber tomorrow", ["he's only in until noon", "move him to monday"]),
        ("buy glue", ["move it to monday", "mark it done", "undo that"]),
        ("hello", ["she's only free at 2", "he cancelled", "call her on monday instead", "undo that"]),
    ],
)
async def test_a_thread_leaves_what_another_one_made(first: str, then: list[str]) -> None:
    store = InMemoryStore()
    graph = build_graph(
        BuiltIn(), StoreLedger(lambda: store), store=store, checkpointer=InMemorySaver(serde=serializer())
    )

    async def say(words: str, thread: str) -> None:
        said = {"messages": [HumanMessage(words, id=str(uuid4()))]}
        config: Any = {"configurable": {"thread_id": thread}, "run_id": uuid4()}
        await graph.ainvoke(said, config, context={"timezone": LISBON, "at": NOW.isoformat()})  # type: ignore[call-overload]

    async def stored() -> dict[str, Any]:
        return {item.key: item.value for item in await store.asearch((), limit=100) if item.namespace[0] != "change"}

    for words in YESTERDAY:
        await say(words, "yesterday")
    before = await stored()
    for words in (first, *then):
        await say(words, "today")
    after = await stored()
    assert len(before) == len(YESTERDAY)
    assert {key: after.get(key) for key in before} == before
