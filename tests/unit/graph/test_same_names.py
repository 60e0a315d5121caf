"""Where a reply names two items of one name and time, it tells their short ids, and these are taken as names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.contract import Proposal
from agents.ports import Batch
from agents.store import read_records
from agents.understanding import BuiltIn
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import ScriptedUnderstanding, decide

CODE = re.compile(r"\b[0-9a-f]{6,8}\b")


@dataclass
class Talk:
    """One user's thread."""

    store: InMemoryStore = field(default_factory=InMemoryStore)
    saver: InMemorySaver = field(default_factory=lambda: InMemorySaver(serde=serializer()))
    minutes: int = 0

    async def say(self, words: str, mind: BuiltIn | ScriptedUnderstanding | None = None) -> str:
        self.minutes += 1
        graph = build_graph(
            mind or BuiltIn(), StoreLedger(lambda: self.store), store=self.store, checkpointer=self.saver
        )
        ran = await graph.ainvoke(
            {"messages": [HumanMessage(words, id=str(uuid4()))]},
            {"configurable": {"thread_id": "one"}},
            context={"timezone": LISBON, "at": (NOW + timedelta(minutes=self.minutes)).isoformat()},
        )
        return str(ran["outcome"].reply)

    async def keep(self, *proposals: Proposal) -> list[str]:
        """Records that are made at a door, where two may be alike; their short ids."""
        batch = Batch(
            user_id=LOCAL_USER, origin=str(uuid4()), agent="rest", proposals=list(proposals), at=NOW, timezone=LISBON
        )
        rows = await StoreLedger(lambda: self.store).apply(batch)
        return [str(row.record_id)[:6] for row in rows]

    async def open_tasks(self) -> list[str]:
        found = (await read_records(self.store, LOCAL_USER)).todos
        return [todo.id[:6] for todo in found if todo.status == "not started"]


def task(**fields: str) -> Proposal:
    return Proposal(op="create", kind="todo", fields={"task": "buy milk", **fields})


def event(start: str) -> Proposal:
    return Proposal(op="create", kind="event", fields={"title": "dentist", "start": start})


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.mark.parametrize("asked", ["what are my tasks?", "what about milk?"])
async def test_a_list_tells_them_apart(talk: Talk, asked: str) -> None:
    codes = await talk.keep(task(), task())
    reply = await talk.say(asked)
    assert sorted(CODE.findall(reply)) == sorted(codes)


async def test_a_list_tells_those_apart_by_their_days_that_have_different_ones(talk: Talk) -> None:
    await talk.keep(task(), task(deadline="2026-11-20"))
    reply = await talk.say("what are my tasks?")
    assert (CODE.findall(reply), reply.count("buy milk (due Friday 20 November)")) == ([], 1)


async def test_names_that_differ_stay_as_they_are(talk: Talk) -> None:
    await talk.keep(task(), task(task="buy bread"))
    assert CODE.findall(await talk.say("what are my tasks?")) == []


async def test_the_calendar_tells_them_apart_but_not_the_rounds_of_one_series(talk: Talk) -> None:
    codes = await talk.keep(event("2026-11-20T10:00:00Z"), event("2026-11-20T10:00:00Z"))
    assert sorted(CODE.findall(await talk.say("what's on friday?"))) == sorted(codes)
    await talk.say("yoga every day at 7am")
    assert len(CODE.findall(await talk.say("what's on this week?"))) == 2


async def test_the_calendar_tells_no_ids_where_the_hours_tell(talk: Talk) -> None:
    await talk.keep(event("2026-11-20T10:00:00Z"), event("2026-11-20T15:00:00Z"))
    assert CODE.findall(await talk.say("what's on friday?")) == []


async def test_the_question_which_one_offers_the_ids_and_takes_them(talk: Talk) -> None:
    first, second = await talk.keep(task(), task())
    reply = await talk.say("delete buy milk")
    assert sorted(CODE.findall(reply)) == sorted([first, second])
    assert "Deleted" in await talk.say(second)
    assert await talk.open_tasks() == [first]


async def test_an_item_is_named_by_its_short_id(talk: Talk) -> None:
    first, second = await talk.keep(task(), task())
    said = await talk.say(f"complete {first}")
    assert "done" in (await talk.say("yes") if said.endswith("?") else said)
    assert await talk.open_tasks() == [second]


async def test_claims_about_two_of_one_name_tell_them_apart(talk: Talk) -> None:
    reply = await talk.say("go", ScriptedUnderstanding({"go": decide(task(), task())}))
    first, second = CODE.findall(reply)
    assert reply == f"Added “buy milk ({first})” to your tasks. Added “buy milk ({second})” to your tasks."
    assert sorted(await talk.open_tasks()) == sorted([first, second])


async def test_claims_that_tell_different_days_need_no_ids(talk: Talk) -> None:
    reply = await talk.say("go", ScriptedUnderstanding({"go": decide(task(), task(deadline="2026-11-20"))}))
    assert reply == "Added “buy milk” to your tasks. Added “buy milk” to your tasks, due Friday 20 November."


async def test_a_clash_with_its_namesake_tells_them_apart(talk: Talk) -> None:
    (old,) = await talk.keep(event("2026-11-20T15:00:00Z"))
    reply = await talk.say("go", ScriptedUnderstanding({"go": decide(event("2026-11-20T15:00:00Z"))}))
    new, other = CODE.findall(reply)
    assert other == old != new


async def test_what_waits_for_a_yes_is_told_apart(talk: Talk) -> None:
    await talk.keep(Proposal(op="create", kind="instruction", fields={"text": "ask me before adding tasks"}))
    reply = await talk.say("go", ScriptedUnderstanding({"go": decide(task(), task())}))
    assert len(CODE.findall(reply)) == 2


async def test_an_occurrence_that_leaves_its_series_is_no_namesake(talk: Talk) -> None:
    await talk.say("standup every day at 9am")
    assert CODE.findall(await talk.say("move friday's standup to 11am")) == []
