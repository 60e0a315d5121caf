"""What a reply says about how a time was read: behind the change that has it, once a turn, and never for a failure."""

from __future__ import annotations

from uuid import uuid4

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.contract import Proposal
from agents.understanding import BuiltIn
from graph.builder import TurnGraph, build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import Script, ScriptedUnderstanding, decide


def graph_of(mind: BuiltIn | ScriptedUnderstanding) -> TurnGraph:
    store = InMemoryStore()
    ledger = StoreLedger(lambda: store)
    return build_graph(mind, ledger, store=store, checkpointer=InMemorySaver(serde=serializer()))


async def reply(graph: TurnGraph, words: str) -> str:
    ran = await graph.ainvoke(
        {"messages": [HumanMessage(words, id=str(uuid4()))]},
        {"configurable": {"thread_id": "one"}},
        context={"timezone": LISBON, "at": NOW.isoformat()},
    )
    return str(ran["outcome"].reply)


async def test_it_stands_behind_its_change_and_only_once() -> None:
    graph = graph_of(BuiltIn())
    assert await reply(graph, "call mom tomorrow at 6") == (
        "Added “call mom” to your tasks, due tomorrow at 18:00. (I took 6 as 18:00.)"
    )
    assert (
        await reply(graph, "pay the rent tomorrow at 6") == "Added “pay the rent” to your tasks, due tomorrow at 18:00."
    )


async def test_what_nobody_would_doubt_is_not_told() -> None:
    assert await reply(graph_of(BuiltIn()), "call mom tomorrow at 5") == (
        "Added “call mom” to your tasks, due tomorrow at 17:00."
    )


async def test_what_failed_was_read_in_no_way() -> None:
    wrong = Proposal(op="update", kind="todo", record_id="gone", fields={"task": "x"}, assumed=["I took 5 as 17:00"])
    twice = [
        Proposal(op="create", kind="todo", fields={"task": task}, assumed=["I took 4 as 16:00"]) for task in ("a", "b")
    ]
    graph = graph_of(ScriptedUnderstanding({"now": decide(wrong, *twice)}))
    said = await reply(graph, "now")
    assert "17:00" not in said
    assert said.endswith("Added “a” to your tasks. (I took 4 as 16:00.) Added “b” to your tasks.")


async def test_who_wants_it_short_hears_only_the_facts() -> None:
    graph = graph_of(BuiltIn())
    assert "From now on I keep my replies short." in await reply(graph, "keep your answers short")
    assert await reply(graph, "call mom tomorrow at 5") == ("Added “call mom” to your tasks, due tomorrow at 17:00.")
    await reply(graph, "book lab on friday from 14:00 to 16:00")
    clash = await reply(graph, "book a talk on friday at 15:00")
    assert "That overlaps “lab”" in clash
    assert "would be free" not in clash
    suggested = await reply(graph, "what should I do next?")
    assert suggested.startswith("“call mom” (")
    assert "got this" not in suggested


async def test_who_wants_details_hears_the_steps() -> None:
    wish = Proposal(op="create", kind="instruction", fields={"text": "give me detailed answers"})
    steps = {"task": "write the report", "solutions": ["outline it", "write it down"]}
    report = Proposal(op="create", kind="todo", fields=steps)
    says: dict[str, Script] = {"detailed, please": decide(wish), "the report": decide(report)}
    graph = graph_of(ScriptedUnderstanding(says))
    await reply(graph, "detailed, please")
    said = await reply(graph, "the report")
    assert said == "Added “write the report” to your tasks. Steps: outline it; write it down."
    assert "Steps:" not in await reply(graph_of(ScriptedUnderstanding(says)), "the report")


async def test_an_estimate_that_was_asked_for_once_is_given_from_then_on() -> None:
    graph = graph_of(BuiltIn())
    assert "From now on new tasks get an estimate unless you give one." in (
        await reply(graph, "always add an estimated time automatically")
    )
    assert await reply(graph, "add task call Ana") == "Added “call Ana” to your tasks, about 10 minutes."
    assert await reply(graph, "add task ring Joe, 2 hours") == "Added “ring Joe” to your tasks, about 2 hours."
