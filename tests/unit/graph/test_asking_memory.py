"""A question that no other reader answers is asked of memory; a request, an order and small talk are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from pydantic import AwareDatetime

from agents.contract import Citation, Outcome
from agents.conventions import Conventions
from agents.ports import Exchange, Recollection
from agents.understanding import BuiltIn
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW

TOLD = "On 2 March 2026: “It is behind the stove.”"
CITED = Citation(source="memo", id="m1", start_char=0, end_char=25, quote="The mill was in the attic.", captured_at=NOW)
OPENINGS = [
    "do I have",
    "do I still like",
    "do we own",
    "did I lend out",
    "did Otto get",
    "where did I put",
    "where do I keep",
    "where does Otto keep",
    "have I painted",
    "has Otto seen",
    "are we out of",
    "is Otto allergic to",
    "am I allergic to",
    "can Otto eat",
    "who has",
    "which colour has",
    "what's the combination for",
    "what is the opening of",
]
OTHERS = [
    "could you grind the pepper mill?",
    "can you please fetch the pepper mill?",
    "add pepper mill to my shopping list",
    "remind me to clean the pepper mill tomorrow at 9",
    "how are you?",
    "what is on tomorrow?",
    "thanks",
    "I gave the pepper mill away.",
]


class Knowing:
    """A memory that has an answer to everything, unless it has ``nothing``, or from then on what is ``closest``."""

    def __init__(self, *, nothing: bool = False) -> None:
        self.asked: list[str] = []
        self._nothing = nothing
        self.closest = ""

    async def recollect(
        self,
        _user_id: str,
        question: str,
        _at: AwareDatetime,
        _timezone: str,
        _conventions: Conventions,
        _recent: Sequence[Exchange] = (),
    ) -> Recollection:
        self.asked.append(question)
        if self.closest:
            return Recollection(answer=self.closest, found=False, citations=[CITED])
        return Recollection(answer="" if self._nothing else TOLD, found=not self._nothing)

    async def quote(
        self, user_id: str, question: str, at: AwareDatetime, timezone: str, conventions: Conventions
    ) -> Recollection:
        return await self.recollect(user_id, question, at, timezone, conventions)


class Talk:
    """One thread of the graph with a memory."""

    def __init__(self, memory: Knowing) -> None:
        store = InMemoryStore()
        saver = InMemorySaver(serde=serializer())
        self._graph = build_graph(BuiltIn(), StoreLedger(lambda: store), store=store, checkpointer=saver, memory=memory)

    async def say(self, words: str) -> Outcome:
        ran: Any = await self._graph.ainvoke(
            {"messages": [HumanMessage(words, id=str(uuid4()))]},
            {"configurable": {"thread_id": "one"}, "run_id": uuid4()},
            context={"timezone": LISBON, "at": NOW.isoformat()},
        )
        outcome: Outcome = ran["outcome"]
        return outcome


@pytest.mark.parametrize("mark", ["?", ""])
@pytest.mark.parametrize("opening", OPENINGS)
async def test_a_question_that_nobody_else_answers_reaches_memory(opening: str, mark: str) -> None:
    if not mark and opening == "can Otto eat":
        pytest.skip("without its mark it may be a request")
    said = await Talk(Knowing()).say(f"{opening} the pepper mill{mark}")
    assert (said.reply, said.disposition) == (TOLD, "reply")


@pytest.mark.parametrize(
    "words", ["And what was it named earlier?", "and who had it before?", "where did we keep it then?"]
)
async def test_a_question_that_goes_on_from_an_answer_of_memory_reaches_it_too(words: str) -> None:
    talk = Talk(Knowing())
    await talk.say("where do I keep the pepper mill?")
    assert (await talk.say(words)).reply == TOLD


async def test_behind_an_answer_of_memory_what_is_closest_is_told_where_records_have_nothing() -> None:
    memory = Knowing()
    talk = Talk(memory)
    await talk.say("where do I keep the pepper mill?")
    memory.closest = "The closest I have: on 1 March 2026: “The mill was in the attic.”"
    assert (await talk.say("And where did we want to put it up before?")).reply == memory.closest


async def test_a_question_that_goes_on_is_about_no_change_of_records() -> None:
    talk = Talk(Knowing())
    await talk.say("add a task to oil the hinges")
    await talk.say("where do I keep the pepper mill?")
    assert (await talk.say("and what was it called before?")).reply == TOLD


@pytest.mark.parametrize("words", ["what's next?", "what's on tomorrow?", "which tasks are open?"])
async def test_a_question_for_records_behind_an_answer_of_memory_does_not(words: str) -> None:
    talk = Talk(Knowing())
    await talk.say("where do I keep the pepper mill?")
    assert (await talk.say(words)).reply != TOLD


@pytest.mark.parametrize("words", OTHERS)
async def test_what_is_no_question_to_memory_does_not(words: str) -> None:
    memory = Knowing()
    await Talk(memory).say(words)
    assert memory.asked == []


@pytest.mark.parametrize("opening", OPENINGS)
async def test_where_memory_has_nothing_the_reply_is_what_it_would_be_without(opening: str) -> None:
    words = f"{opening} the pepper mill?"
    said = await Talk(Knowing(nothing=True)).say(words)
    assert TOLD not in said.reply
    assert any(part in said.reply for part in ("did not understand", "can't do that", "found nothing", "not told me"))


@pytest.mark.parametrize("opening", OPENINGS)
async def test_a_question_that_waits_stays_open_beside_the_answer(opening: str) -> None:
    talk = Talk(Knowing())
    first = await talk.say("remind me to oil the hinges")
    assert first.question
    said = await talk.say(f"{opening} the pepper mill?")
    assert TOLD in said.reply
    assert said.question
    assert said.question.text == first.question.text
