"""A reminder for a moment that has passed is asked about, whichever mind proposes it; the answer sets it."""

from __future__ import annotations

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.contract import Outcome, Proposal
from agents.specialists.schedule import Scheduler
from agents.understanding import BuiltIn
from graph.builder import TurnGraph, build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import ScriptedUnderstanding, decide

PAST = {"task": "call mom", "kind": "reminder", "remind_at": "2026-11-18T08:00:00+00:00"}


def graph_of(mind: BuiltIn | ScriptedUnderstanding) -> TurnGraph:
    store = InMemoryStore()
    ledger = StoreLedger(lambda: store)
    return build_graph(mind, ledger, store=store, checkpointer=InMemorySaver(serde=serializer()))


async def said(graph: TurnGraph, words: str) -> Outcome:
    ran = await graph.ainvoke(
        {"messages": [HumanMessage(words)]},
        {"configurable": {"thread_id": "one"}},
        context={"timezone": LISBON, "at": NOW.isoformat()},
    )
    outcome: Outcome = ran["outcome"]
    return outcome


async def test_any_mind_is_asked_for_another_time_and_nothing_is_set() -> None:
    proposal = Proposal(op="create", kind="todo", fields=PAST)
    also = Proposal(op="create", kind="todo", fields={"task": "buy milk"})
    outcome = await said(graph_of(ScriptedUnderstanding({"now": decide(proposal, also)})), "now")
    assert "Added “buy milk” to your tasks." in outcome.reply
    assert "Set a reminder" not in outcome.reply
    assert outcome.question is not None
    assert outcome.question.text == ("That would have been today at 08:00. When shall I remind you of “call mom”?")


async def test_the_next_message_gives_the_time() -> None:
    graph = graph_of(BuiltIn())
    asked = await said(graph, "remind me to call mom today at 8am")
    assert asked.question is not None
    assert "Set a reminder: “call mom”, tomorrow at 08:00." in (await said(graph, "tomorrow at 8")).reply


async def test_a_birthday_comes_back_every_year_and_so_does_its_reminder() -> None:
    outcome = await said(graph_of(BuiltIn()), "Anna's birthday is on May 4th, remind me every year two days before")
    assert outcome.reply == (
        "Booked “Anna's birthday” for Tuesday 4 May 2027 (every year). "
        "Set a reminder: “Anna's birthday”, Sunday 2 May 2027 at 09:00 (every year)."
    )


async def test_a_reminder_that_has_passed_this_year_begins_next_year() -> None:
    outcome = await said(
        graph_of(BuiltIn()), "Anna's birthday is on November 19th, remind me every year two days before"
    )
    assert "Set a reminder: “Anna's birthday”, Wednesday 17 November 2027 at 09:00 (every year)." in outcome.reply


def test_only_a_birthday_as_a_day_comes_back() -> None:
    def rule(**fields: object) -> object:
        proposal = Proposal(op="create", kind="event", fields=fields)
        return Scheduler.prepare(None, proposal).fields.get("recurrence")  # type: ignore[arg-type]

    assert rule(title="Birthday of Ana", start="2027-05-04") == "FREQ=YEARLY"
    assert rule(title="our wedding anniversary", start="2027-06-09") == "FREQ=YEARLY"
    assert rule(title="Dad's 60th birthday", start="2027-06-05") is None
    assert rule(title="Anna's birthday party", start="2027-05-04") is None
    assert rule(title="Anna's birthday", start="2027-05-04T20:00:00+01:00") is None
    assert rule(title="birthday", start="2027-05-04", recurrence="FREQ=MONTHLY") == "FREQ=MONTHLY"
