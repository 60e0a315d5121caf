"""The graph over the store in memory: routing, merging, windows, and what a thread's checkpoint keeps."""

from __future__ import annotations

from typing import Any, get_args
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.contract import WORKERS, AgentReport, RouterDecision, Worker
from graph.builder import TurnGraph, build_graph
from graph.reducers import WINDOW_TURNS, merge_reports, window
from graph.routing import PATHS
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.scripted import ScriptedUnderstanding, add, decide

REPORTS = st.lists(st.sampled_from(WORKERS).map(lambda worker: AgentReport(worker=worker)), max_size=10)


@pytest.fixture
def mind() -> ScriptedUnderstanding:
    return ScriptedUnderstanding()


@pytest.fixture
def graph(mind: ScriptedUnderstanding) -> TurnGraph:
    store = InMemoryStore()
    return build_graph(mind, StoreLedger(lambda: store), store=store, checkpointer=InMemorySaver(serde=serializer()))


async def _say(graph: TurnGraph, text: str, thread: str = "one") -> dict[str, Any]:
    config: Any = {"configurable": {"thread_id": thread}, "run_id": uuid4()}
    said = {"messages": [HumanMessage(text, id=str(uuid4()))]}
    return dict(await graph.ainvoke(said, config, context={"timezone": "Europe/Lisbon"}))  # type: ignore[call-overload]


def test_every_worker_is_a_node_that_a_decision_may_lead_to(graph: TurnGraph) -> None:
    assert set(get_args(Worker)) == set(WORKERS)
    assert set(PATHS) <= set(graph.nodes)


async def test_the_history_tells_the_real_outcome_of_each_change(graph: TurnGraph, mind: ScriptedUnderstanding) -> None:
    bad = add("x").model_copy(update={"fields": {"task": "x", "priority": 99}})
    mind.script["two"] = decide(add("milk"), bad)
    said, calls, first, second, reply = (await _say(graph, "two"))["messages"]
    assert isinstance(said, HumanMessage)
    assert isinstance(calls, AIMessage)
    assert [call["id"] for call in calls.tool_calls] == [first.tool_call_id, second.tool_call_id]
    assert '"status": "applied"' in first.content
    assert '"status": "failed"' in second.content
    assert "Added “milk”" in reply.content
    assert "could not add “x”" in reply.content


async def test_nothing_of_one_turn_leaks_into_the_next(graph: TurnGraph, mind: ScriptedUnderstanding) -> None:
    await _say(graph, "milk")
    mind.script["hello"] = RouterDecision(disposition="reply", acknowledgement="Hello.")
    outcome = (await _say(graph, "hello"))["outcome"]
    assert (outcome.reply, outcome.disposition, outcome.targets) == ("Hello.", "reply", [])


async def test_what_was_not_understood_is_asked_and_never_guessed(
    graph: TurnGraph, mind: ScriptedUnderstanding
) -> None:
    mind.script["mumble"] = RouterDecision(disposition="reply", unclear=["mumble"])
    outcome = (await _say(graph, "mumble"))["outcome"]
    assert outcome.disposition == "clarify"
    assert "I did not understand “mumble”." in outcome.reply


async def test_an_agent_understands_its_own_part_when_the_router_left_it_open(
    graph: TurnGraph, mind: ScriptedUnderstanding
) -> None:
    decided = decide(add("milk"))
    open_part = decided.targets[0].model_copy(update={"proposed": None, "text": "buy bread"})
    mind.script["later"] = decided.model_copy(update={"targets": [open_part]})
    assert (await _say(graph, "later"))["outcome"].reply == "Added “buy bread” to your tasks."


@given(REPORTS, REPORTS)
def test_the_order_of_reports_does_not_depend_on_who_came_first(
    left: list[AgentReport], right: list[AgentReport]
) -> None:
    merged = merge_reports(left, right)
    assert merged == merge_reports(right, left)
    assert [report.worker for report in merged] == sorted({r.worker for r in [*left, *right]}, key=WORKERS.index)


def test_the_window_keeps_the_last_turns_whole() -> None:
    messages: list[AnyMessage] = []
    for turn in range(WINDOW_TURNS + 5):
        call: Any = {"name": "create", "args": {}, "id": f"c{turn}"}
        messages = window(
            messages,
            [
                HumanMessage(f"said {turn}", id=f"h{turn}"),
                AIMessage("", id=f"a{turn}", tool_calls=[call]),
                ToolMessage("{}", tool_call_id=f"c{turn}", id=f"t{turn}"),
                AIMessage("done", id=f"r{turn}"),
            ],
        )
    assert len(messages) == WINDOW_TURNS * 4
    assert messages[0].content == "said 5"
