"""The focus coach learns: from what was skipped and taken, in any thread, for longer than a thread remembers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.store import read_records
from agents.suggestion_feedback import Track
from agents.understanding import BuiltIn
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW


@dataclass
class Talk:
    """One user's threads, on any day."""

    store: InMemoryStore = field(default_factory=InMemoryStore)
    saver: InMemorySaver = field(default_factory=lambda: InMemorySaver(serde=serializer()))

    async def say(self, words: str, *, thread: str = "one", days: float = 0) -> str:
        graph = build_graph(BuiltIn(), StoreLedger(lambda: self.store), store=self.store, checkpointer=self.saver)
        ran = await graph.ainvoke(
            {"messages": [HumanMessage(words, id=str(uuid4()))]},
            {"configurable": {"thread_id": thread}},
            context={"timezone": LISBON, "at": (NOW + timedelta(days=days)).isoformat()},
        )
        return str(ran["outcome"].reply)

    async def track(self, task: str) -> Track:
        records = await read_records(self.store, LOCAL_USER)
        (known,) = [item.id for item in records.todos if item.task == task]
        return records.tracks.get(known, Track())


@pytest.fixture
async def talk() -> Talk:
    found = Talk()
    await found.say("add task write the report, medium priority")
    await found.say("add task call mom")
    return found


async def test_what_was_skipped_is_not_the_first_thing_suggested_elsewhere(talk: Talk) -> None:
    assert (await talk.say("what should I do next?")).startswith("“write the report” (")
    assert (await talk.say("not that one")).startswith("“call mom” (")
    assert len((await talk.track("write the report")).skipped) == 1
    assert (await talk.say("what should I do next?", thread="two", days=1)).startswith("“call mom” (")
    assert (await talk.say("what should I do next?", thread="three", days=30)).startswith("“write the report” (")


async def test_a_yes_takes_it(talk: Talk) -> None:
    await talk.say("what should I do next?")
    assert await talk.say("ok, I'll do it") == "Good. Tell me when “write the report” is done."
    assert len((await talk.track("write the report")).accepted) == 1


async def test_doing_what_was_suggested_counts_as_taking_it(talk: Talk) -> None:
    await talk.say("add task water the plants every day, high priority")
    await talk.say("what should I do next?")
    await talk.say("I watered the plants", thread="two", days=0.1)
    await talk.say("complete water the plants", thread="two", days=0.1)
    assert len((await talk.track("water the plants")).accepted) == 1


async def test_doing_it_days_later_does_not(talk: Talk) -> None:
    await talk.say("what should I do next?")
    await talk.say("start write the report", days=3)
    assert (await talk.track("write the report")).accepted == []


async def test_a_yes_without_a_suggestion_takes_nothing(talk: Talk) -> None:
    assert "done" not in await talk.say("ok")
    assert (await talk.track("write the report")).accepted == []


async def test_skipping_the_suggestion_of_what_was_just_added_takes_nothing_back(talk: Talk) -> None:
    await talk.say("complete call mom")
    await talk.say("add task water the plants", thread="two")
    assert (await talk.say("what should I do next?", thread="two")).startswith("“write the report” (")
    assert (await talk.say("not that one", thread="two")).startswith("“water the plants” (")
    assert (await talk.say("not that one", thread="two")) == "You have skipped all your open tasks; that is fine, rest."
    assert [item.task for item in (await read_records(talk.store, LOCAL_USER)).todos if item.status == "not started"]
