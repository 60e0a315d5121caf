"""What was archived is still known by its name: it comes back by words, and nothing takes it for an open task."""

from __future__ import annotations

from agents.understanding import BuiltIn
from tests.unit.graph.test_told import graph_of, reply


async def test_an_archived_task_comes_back_by_its_name() -> None:
    graph = graph_of(BuiltIn())
    await reply(graph, "add paint the shed")
    await reply(graph, "archive the task paint the shed")
    assert "shed" not in await reply(graph, "what are my tasks?")
    await reply(graph, "add buy milk")
    assert "paint the shed" in await reply(graph, "reopen paint the shed")
    assert "shed" in await reply(graph, "what are my tasks?")


async def test_what_is_archived_is_neither_done_nor_found_again() -> None:
    graph = graph_of(BuiltIn())
    await reply(graph, "add paint the shed")
    await reply(graph, "archive the task paint the shed")
    assert "Added “paint the shed”" in await reply(graph, "add task paint the shed")
    assert await reply(graph, "mark paint the shed as done") == "Marked “paint the shed” as done."
    assert await reply(graph, "what are my tasks?") == "You have no open tasks."
