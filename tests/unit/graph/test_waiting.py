"""A question in the graph: it stays until it is answered, refused or settled in other words, and the reply says so."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.contract import Option, Outcome, Pending, Proposal, Question, RouterDecision
from agents.open_questions import MAX_OPEN_QUESTIONS, besides
from agents.understanding import BuiltIn
from graph.builder import TurnGraph, build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import ScriptedUnderstanding, add, decide

WHEN = "“meeting with Carla”: which day, and what time?"
OTHERS = [
    "add buy milk",
    "what's on tomorrow?",
    "hello",
    "never schedule anything before 9",
    "my bike is blue",
    "thanks",
]


class Talk:
    """One thread of the graph in memory."""

    def __init__(self, mind: BuiltIn | ScriptedUnderstanding | None = None) -> None:
        store = InMemoryStore()
        saver = InMemorySaver(serde=serializer())
        self.graph: TurnGraph = build_graph(
            mind or BuiltIn(), StoreLedger(lambda: store), store=store, checkpointer=saver
        )

    async def say(self, words: str) -> Outcome:
        ran = await self.graph.ainvoke(
            {"messages": [HumanMessage(words, id=str(uuid4()))]},
            {"configurable": {"thread_id": "one"}, "run_id": uuid4()},
            context={"timezone": LISBON, "at": NOW.isoformat()},
        )
        outcome: Any = ran["outcome"]
        assert isinstance(outcome, Outcome)
        return outcome


def test_a_turn_of_a_recordings_words_settles_the_question_about_them_and_no_other() -> None:
    last = Pending(missing="when", text="meet Carla", at=NOW)
    heard = Pending(missing="transcript", text="call mom", at=NOW, memo_id="one", behind=last)
    first = Pending(missing="transcript", text="call Ana", at=NOW, memo_id="two", behind=heard)
    assert besides(first, "one") == first.model_copy(update={"behind": last})
    assert besides(heard, "one") == last
    assert besides(first, None) == first


def asked(outcome: Outcome) -> str:
    return outcome.question.text if outcome.question else ""


@pytest.mark.parametrize("other", OTHERS)
async def test_another_message_leaves_the_question_open(other: str) -> None:
    talk = Talk()
    assert asked(await talk.say("schedule a meeting with Carla")) == WHEN
    between = await talk.say(other)
    assert asked(between) == WHEN
    assert WHEN not in between.reply
    assert between.disposition in ("dispatch", "reply")
    assert "“meeting with Carla” for Friday 20 November, 15:00-16:00" in (await talk.say("friday at 3pm")).reply


async def test_it_stays_through_many_messages_and_ends_with_a_no() -> None:
    talk = Talk()
    await talk.say("schedule a meeting with Carla")
    for other in OTHERS:
        assert asked(await talk.say(other)) == WHEN
    assert (await talk.say("never mind")).reply == "Okay, leaving it as is."
    assert asked(await talk.say("hello")) == ""


async def test_a_newer_question_is_answered_first() -> None:
    talk = Talk()
    await talk.say("schedule a meeting with Carla")
    both = await talk.say("remind me to polish the silver")
    assert asked(both) == "When shall I remind you about “polish the silver”?"
    assert WHEN not in both.reply
    answered = await talk.say("at 6pm")
    assert (asked(answered), answered.reply.endswith(WHEN)) == (WHEN, True)  # it is in front now, and put once more
    assert asked(await talk.say("friday at 3pm")) == ""


async def test_what_was_asked_is_settled_in_other_words() -> None:
    talk = Talk()
    await talk.say("add dentist checkup monday at 10")
    await talk.say("add dentist whitening thursday at 10")
    which = asked(await talk.say("move the dentist to wednesday"))
    assert which.startswith("Which one")
    assert asked(await talk.say("no, tuesday")) == which
    moved = await talk.say("move the dentist whitening to friday at 2pm")
    assert ("Friday 20 November, 14:00" in moved.reply, asked(moved)) == (True, "")


async def test_a_question_that_stayed_is_put_again_as_a_whole() -> None:
    talk = Talk()
    for task in ("buy stamps", "call mom", "iron"):
        await talk.say(f"add task {task}")
    await talk.say("delete all my tasks")
    hello = await talk.say("good morning")
    assert ("Delete the tasks" in hello.reply, asked(hello).startswith("Delete the tasks")) == (False, True)
    again = await talk.say("which ones?")
    assert (again.disposition, again.reply.count("Delete the tasks “")) == ("clarify", 1)
    assert "Deleted" in (await talk.say("yes")).reply


async def test_a_greeting_agrees_to_no_deletion() -> None:
    talk = Talk()
    for task in ("buy stamps", "iron"):
        await talk.say(f"add task {task}")
    await talk.say("delete all my tasks")
    hello = await talk.say("hello")
    assert ("Deleted" in hello.reply, asked(hello).startswith("Delete the tasks")) == (False, True)


async def test_the_same_question_is_asked_once() -> None:
    talk = Talk()
    await talk.say("schedule a meeting with Carla")
    again = await talk.say("schedule a meeting with Carla")
    assert again.reply.count(WHEN) == 1
    assert asked(await talk.say("friday at 3pm")) == ""


async def test_only_so_many_wait_and_what_is_given_up_is_said() -> None:
    talk = Talk()
    names = ("Ana", "Ben", "Cleo", "Dora")
    replies = [await talk.say(f"schedule a meeting with {name}") for name in names]
    given_up = "I dropped the question: “meeting with Ana”: which day"
    assert [given_up in outcome.reply for outcome in replies] == [False] * MAX_OPEN_QUESTIONS + [True]


async def test_a_mind_that_settles_it_without_saying_so_is_believed_by_its_changes() -> None:
    options = [Option(label="oil", kind="todo", record_id="a"), Option(label="ink", kind="todo", record_id="b")]
    draft = Proposal(op="create", kind="todo", fields={"task": "buy ink"})
    pending = Pending(missing="proceed", text="ink?", at=NOW, proposals=[draft], options=options)
    question = Question(text="Shall I?", options=["yes", "no"], pending=pending)
    mind = ScriptedUnderstanding(
        {
            "ask": RouterDecision(disposition="clarify", questions=[question]),
            "other": decide(add("buy oil")),
            "that": decide(add("buy ink")),
        }
    )
    talk = Talk(mind)
    await talk.say("ask")
    assert asked(await talk.say("other")) == "Shall I?"
    assert asked(await talk.say("that")) == ""
