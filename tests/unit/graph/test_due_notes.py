"""Notes, ideas, questions and lists are due, urgent and repeated by words that are set apart from the note."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.store import read_records
from agents.understanding import BuiltIn
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW

PACKING = "make a packing list: socks, shirt"


async def kept(*said: str) -> tuple[str, dict[str, Any]]:
    """The last reply, and the one note there is."""
    store = InMemoryStore()
    graph = build_graph(
        BuiltIn(), StoreLedger(lambda: store), store=store, checkpointer=InMemorySaver(serde=serializer())
    )
    reply = ""
    for minutes, words in enumerate(said):
        ran = await graph.ainvoke(
            {"messages": [HumanMessage(words, id=str(uuid4()))]},
            {"configurable": {"thread_id": "one"}},
            context={"timezone": LISBON, "at": (NOW + timedelta(minutes=minutes)).isoformat()},
        )
        reply = ran["outcome"].reply
        if reply.startswith("Change “"):  # a doubt of the reader, which is no part of what is tested here
            ran = await graph.ainvoke(
                {"messages": [HumanMessage("yes", id=str(uuid4()))]},
                {"configurable": {"thread_id": "one"}},
                context={"timezone": LISBON, "at": (NOW + timedelta(minutes=minutes)).isoformat()},
            )
            reply = ran["outcome"].reply
    (note,) = (await read_records(store, LOCAL_USER)).notes
    return reply, note.model_dump(mode="json")


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        (["note: buy paint, due friday, high priority"], {"deadline": "2026-11-20", "priority": "high"}),
        (["idea: paint the shed due friday"], {"deadline": "2026-11-20"}),
        (["question: who waters the garden? due tomorrow at 5pm"], {"deadline": "2026-11-19T17:00:00Z"}),
        (["note: water the plants, every monday, low priority"], {"recurrence": "FREQ=WEEKLY;BYDAY=MO"}),
        ([PACKING, "the packing list is due friday"], {"deadline": "2026-11-20", "zone": None}),
        ([PACKING, "make the packing list high priority"], {"priority": "high"}),
        ([PACKING, "make the packing list weekly"], {"recurrence": "FREQ=WEEKLY", "deadline": "2026-11-25"}),
        ([PACKING, "the packing list is for monday"], {"deadline": "2026-11-23"}),
        (["idea: paint the shed", "set the idea paint the shed to low priority"], {"priority": "low"}),
    ],
)
async def test_words_set_when_a_note_is_due(said: list[str], fields: dict[str, Any]) -> None:
    _, note = await kept(*said)
    assert {name: note[name] for name in fields} == fields


async def test_the_reply_says_what_was_understood() -> None:
    reply, note = await kept(PACKING, "the packing list is due friday")
    assert reply == "Changed “packing list”: due Friday 20 November."
    assert note["items"]


async def test_the_reply_says_when_a_note_is_due() -> None:
    reply, note = await kept("note: buy paint, due friday, high priority")
    assert reply == "Kept as a note: “buy paint”, due Friday 20 November, high priority."
    assert note["content"] == "buy paint"


@pytest.mark.parametrize(
    "said",
    [
        "note: the rent is due friday",
        "note: he said due friday is fine",
        "idea: it's important to call people",
        "idea: someday learn the violin",
        "note: dinner at Anna's was on friday",
    ],
)
async def test_what_a_note_only_tells_makes_it_neither_due_nor_urgent(said: str) -> None:
    _, note = await kept(said)
    assert [note[name] for name in ("deadline", "priority", "recurrence")] == [None, None, None]


@pytest.mark.xfail(strict=True, reason="the built-in understanding does not read this")
async def test_a_reminder_about_an_idea_is_of_that_idea() -> None:
    _, note = await kept("idea: paint the shed", "remind me about the idea paint the shed on friday at 9")
    assert note["deadline"] == "2026-11-20T09:00:00Z"


async def test_a_list_is_moved_to_another_day() -> None:
    _, note = await kept(PACKING, "the packing list is due friday", "move the packing list to sunday")
    assert note["deadline"] == "2026-11-22"
