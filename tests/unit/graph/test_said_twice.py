"""What is there already is not kept twice, and nobody is told that it "could not" be done."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.contract import Outcome
from agents.ledger.duplicates import new_ones
from agents.ports import Ask, Records
from agents.records import Source, ToDo
from agents.store import by_kind, read_records
from agents.understanding import BuiltIn
from graph.builder import TurnGraph, build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import add

SAID = [
    "call mom tomorrow at 5",
    "add task buy milk",
    "add task write the report, high priority, due friday",
    "remind me to water the plants tomorrow at 9",
    "take my pills every day at 9",
    "dentist friday at 3pm",
    "yoga every tuesday at 18:00",
    "note: the gate code is 4471",
    "idea: paint the shed",
    "idea: a swing for the garden",
    "add eggs to the shopping list",
    "my name is Ana",
    "never schedule anything before 9",
]


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


@pytest.fixture
def graph(store: InMemoryStore) -> TurnGraph:
    saver = InMemorySaver(serde=serializer())
    return build_graph(BuiltIn(), StoreLedger(lambda: store), store=store, checkpointer=saver)


async def _say(graph: TurnGraph, words: str, *, minutes: int = 0, thread: str = "one") -> Outcome:
    ran = await graph.ainvoke(
        {"messages": [HumanMessage(words, id=str(uuid4()))]},
        {"configurable": {"thread_id": thread}},
        context={"timezone": LISBON, "at": (NOW + timedelta(minutes=minutes)).isoformat()},
    )
    found = ran["outcome"]
    assert isinstance(found, Outcome)
    return found


async def _stored(store: InMemoryStore) -> list[str]:
    known = by_kind(await read_records(store, LOCAL_USER))
    return sorted(record.model_dump_json() for records in known.values() for record in records)


@pytest.mark.parametrize("thread", ["one", "another"])
@pytest.mark.parametrize("words", SAID)
async def test_what_is_said_twice_is_there_once(
    graph: TurnGraph, store: InMemoryStore, words: str, thread: str
) -> None:
    first = await _say(graph, words)
    before = await _stored(store)
    again = await _say(graph, words, minutes=2, thread=thread)
    assert before == await _stored(store)
    assert len(before) == 1
    assert first.disposition == "dispatch"
    assert "already" in again.reply
    assert "could not" not in again.reply


@pytest.mark.parametrize("words", ["mark buy milk as high priority", "done with buy milk"])
async def test_a_change_that_is_made_already_is_no_failure(graph: TurnGraph, store: InMemoryStore, words: str) -> None:
    await _say(graph, "add task buy milk")
    await _say(graph, words)
    before = await _stored(store)
    reply = (await _say(graph, words, minutes=2)).reply
    assert "“buy milk” is " in reply
    assert reply.endswith(" already.")
    assert before == await _stored(store)


async def test_another_one_is_another_one(graph: TurnGraph, store: InMemoryStore) -> None:
    await _say(graph, "add task buy milk")
    assert "Added “buy milk”" in (await _say(graph, "add another task buy milk")).reply
    assert len(await _stored(store)) == 2


async def test_the_rest_of_a_message_is_done(graph: TurnGraph) -> None:
    await _say(graph, "dentist friday at 3pm")
    reply = (await _say(graph, "dentist friday at 3pm and buy bread", minutes=2)).reply
    assert "Added “buy bread”" in reply
    assert "“dentist” is on your calendar already, Friday 20 November, 15:00-16:00." in reply


async def test_what_differs_is_new(graph: TurnGraph, store: InMemoryStore) -> None:
    await _say(graph, "dentist friday at 3pm")
    assert "Booked “dentist”" in (await _say(graph, "dentist friday at 5pm", thread="two")).reply
    assert len(await _stored(store)) == 2


async def test_a_line_that_names_its_list_goes_there_by_itself(graph: TurnGraph) -> None:
    await _say(graph, "add eggs to the shopping list")
    assert (await _say(graph, "add milk to the shopping list")).reply == "“shopping list” now has eggs and milk."


def _known(turn_id: str | None = None) -> ToDo:
    return ToDo(id="a", task="Buy  milk", created_at=NOW, updated_at=NOW, source=Source(turn_id=turn_id))


def test_a_model_that_repeats_what_is_there_adds_nothing() -> None:
    ask = Ask(text="buy milk", at=NOW, timezone=LISBON, records=Records(todos=[_known()]))
    assert new_ones([add("buy milk")], ask) == ([], ["“Buy  milk” is on your tasks already."])


def test_what_a_turn_has_stored_itself_is_new_when_it_is_run_again() -> None:
    ask = Ask(text="buy milk", at=NOW, timezone=LISBON, records=Records(todos=[_known("t1")]), turn_id="t1")
    assert new_ones([add("buy milk")], ask) == ([add("buy milk")], [])
    assert new_ones([add("buy milk")], ask.model_copy(update={"turn_id": "t2"}))[0] == []
