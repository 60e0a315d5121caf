"""The graph as Studio uses it: a strict checkpointer reads back our types, and the user is named by either form."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.store.memory import InMemoryStore

from agents.context import Context
from app.studio import InStudio, in_either_form
from graph.builder import make_graph

TIDY: Any = {"messages": [{"role": "user", "content": "add sweep the yard to my tasks"}]}
TELL: Any = {"messages": [{"role": "user", "content": "what are my tasks?"}]}


def opened() -> InStudio:
    strict = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=None))
    return InStudio(**vars(make_graph())).copy(update={"store": InMemoryStore(), "checkpointer": strict})


def within(**configurable: str) -> Any:
    return {"configurable": {"thread_id": configurable.get("user_id", "1"), **configurable}}


async def test_a_strict_checkpointer_reads_back_a_thread() -> None:
    graph: Any = opened()
    for asked in (TIDY, {"messages": [{"role": "user", "content": "undo that"}]}, TELL):
        outcome = (await graph.ainvoke(asked, within()))["outcome"]
    assert "sweep the yard" not in outcome.reply


async def test_the_user_of_configurable_is_whose_records_are_seen() -> None:
    graph: Any = opened()
    ana, ben = str(uuid4()), str(uuid4())
    await graph.ainvoke(TIDY, within(user_id=ana))
    assert "sweep the yard" in (await graph.ainvoke(TELL, within(user_id=ana)))["outcome"].reply
    assert "sweep the yard" in (await graph.ainvoke(TELL, within(), context={"user_id": ana}))["outcome"].reply
    assert "sweep the yard" not in (await graph.ainvoke(TELL, within(user_id=ben)))["outcome"].reply
    with pytest.raises(ValueError, match="give one of them"):
        await graph.ainvoke(TELL, within(user_id=ana), context={"user_id": ben})


@pytest.mark.parametrize(
    ("context", "configurable", "user"),
    [
        (None, {}, None),
        ({"timezone": "UTC"}, {"user_id": "a"}, "a"),
        ({"user_id": "a"}, {"user_id": "a"}, "a"),
        ({"user_id": "a"}, {"thread_id": "1"}, "a"),
    ],
)
def test_who_is_meant(context: Context | None, configurable: dict[str, str], user: str | None) -> None:
    found = in_either_form(context, {"configurable": configurable})
    assert (found or {}).get("user_id") == user
    assert set(context or {}) <= set(found or {})
