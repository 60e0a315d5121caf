"""An event keeps the colour of the task it stands for: by every adapter alike, and undone together with the task."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest

from agents.contract import Change, Proposal
from agents.rendering.changes import claim_sentence
from tests.support.ledgers import NOW, Adapter, Desk, open_desk, undoing

RED, YELLOW, BLUE = "#d93025", "#f9ab00", "#1a73e8"


@pytest.fixture(params=["store", "postgres"])
def adapter(request: pytest.FixtureRequest) -> tuple[Adapter, str]:
    """The adapter's name, and the database it needs."""
    return request.param, request.getfixturevalue("database_url") if request.param == "postgres" else ""


@pytest.fixture
async def desk(adapter: tuple[Adapter, str]) -> AsyncIterator[Desk]:
    async with open_desk(*adapter) as opened:
        yield opened


async def report(desk: Desk, **fields: Any) -> tuple[Change, Change]:
    """A task, and the event that time is set aside for it in."""
    todo = await desk.add("todo", task="write the report", **fields)
    event = await desk.add("event", title="report", start="2026-11-20T14:00:00Z", task_id=todo.record_id)
    return todo, event


def urgent(todo: Change, priority: str = "high", **more: Any) -> Proposal:
    return Proposal(op="update", kind="todo", record_id=todo.record_id, fields={"priority": priority, **more})


async def color(desk: Desk, event: Change) -> str:
    return str((await desk.record(event) or {})["color"])


async def test_the_colour_follows_the_priority(desk: Desk) -> None:
    todo, event = await report(desk)
    changed, followed = await desk.apply(urgent(todo))
    assert (changed.kind, followed.kind, followed.record_id) == ("todo", "event", event.record_id)
    assert (followed.fields, followed.status, await color(desk, event)) == ({"color": RED}, "applied", RED)
    assert followed.cursor == changed.cursor + 1
    assert claim_sentence(followed, NOW) == "“report” is red on your calendar now."
    (later,) = await desk.apply(Proposal(op="create", kind="note", fields={"content": "x"}))
    assert later.cursor == followed.cursor + 1


async def test_the_difficulty_counts_where_there_is_no_priority(desk: Desk) -> None:
    todo, event = await report(desk, difficulty="medium")
    assert await color(desk, event) == YELLOW
    await desk.apply(Proposal(op="update", kind="todo", record_id=todo.record_id, fields={"difficulty": "hard"}))
    assert await color(desk, event) == RED
    await desk.apply(urgent(todo, "medium"))
    assert await color(desk, event) == YELLOW


async def test_a_colour_of_its_own_stays(desk: Desk) -> None:
    todo, event = await report(desk)
    await desk.do("update", "event", event.record_id, color="#000000")
    assert len(await desk.apply(urgent(todo))) == 1
    assert await color(desk, event) == "#000000"


async def test_only_linked_events_follow_and_only_a_new_colour(desk: Desk) -> None:
    todo, event = await report(desk, priority="high")
    other = await desk.add("event", title="lunch", start="2026-11-21T12:00:00Z")
    assert len(await desk.apply(urgent(todo, difficulty="hard"))) == 1
    assert len(await desk.apply(urgent(todo, "medium"))) == 2
    assert (await color(desk, event), await color(desk, other)) == (YELLOW, BLUE)


async def test_both_are_undone_and_redone_as_one(desk: Desk) -> None:
    todo, event = await report(desk)
    turn = uuid4()
    made = await desk.apply(urgent(todo), turn=turn)
    assert {change.together for change in made} == {made[0].id}
    whole = [undoing(change).model_copy(update={"group": "report"}) for change in reversed(made)]
    undone = await desk.apply(*whole, agent="undo")
    assert [change.status for change in undone] == ["applied", "applied"]
    assert await color(desk, event) == BLUE
    again = await desk.apply(
        *[undoing(c).model_copy(update={"group": "again"}) for c in reversed(undone)], agent="undo"
    )
    assert [change.status for change in again] == ["applied", "applied"]
    assert await color(desk, event) == RED


async def test_undoing_a_priority_that_is_older_than_the_link_counts_too(desk: Desk) -> None:
    todo = await desk.add("todo", task="write the report")
    (made,) = await desk.apply(urgent(todo))
    event = await desk.add("event", title="report", start="2026-11-20T14:00:00Z", task_id=todo.record_id)
    assert await color(desk, event) == RED
    assert len(await desk.undo(made)) == 2
    assert await color(desk, event) == BLUE


async def test_a_confirmed_priority_takes_the_event_along(desk: Desk) -> None:
    todo, event = await report(desk)
    held = await desk.hold("update", "todo", todo.record_id, priority="high")
    assert await color(desk, event) == BLUE
    answered = await desk.answer(held)
    assert [change.status for change in answered] == ["applied", "applied"]
    assert await color(desk, event) == RED


async def test_the_batch_is_settled_once(desk: Desk) -> None:
    todo, _ = await report(desk)
    origin = uuid4()
    first = await desk.apply(urgent(todo), origin=origin)
    assert [change.id for change in await desk.apply(urgent(todo), origin=origin)] == [change.id for change in first]
