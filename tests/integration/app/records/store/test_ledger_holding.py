"""Changes that wait for a yes, at every ledger alike: nothing happens before it, and once after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import uuid4

import pytest

from agents.contract import Proposal
from agents.ledger.settle import DECLINED, TOO_LATE
from agents.records import RECORD_KINDS, Kind
from tests.support.ledgers import EXAMPLES, Adapter, Desk, answering, open_desk


@pytest.fixture(params=["store", "postgres"])
def adapter(request: pytest.FixtureRequest) -> tuple[Adapter, str]:
    return request.param, request.getfixturevalue("database_url") if request.param == "postgres" else ""


@pytest.fixture
async def desk(adapter: tuple[Adapter, str]) -> AsyncIterator[Desk]:
    async with open_desk(*adapter) as opened:
        yield opened


@pytest.mark.parametrize("kind", RECORD_KINDS)
async def test_what_is_held_is_not_there_until_the_yes(desk: Desk, kind: Kind) -> None:
    held = await desk.hold("create", kind, **EXAMPLES[kind])
    assert (held.status, held.fields, held.reason) == (
        "needs_confirmation",
        EXAMPLES[kind],
        "you want to be asked first",
    )
    assert (held.before, held.after, await desk.records(kind)) == (None, None, {})
    (made,) = await desk.answer(held)
    assert (made.status, made.confirms, made.record_id) == ("applied", held.id, held.record_id)
    assert await desk.record(made) == made.after
    assert EXAMPLES[kind].items() <= {**(made.after or {}), "start": EXAMPLES[kind].get("start")}.items()
    assert (await desk.again(held)).status == "applied"


async def test_a_held_update_and_a_held_deletion_change_nothing_before_the_yes(desk: Desk) -> None:
    milk, bread = await desk.add(task="milk"), await desk.add(task="bread")
    raised = await desk.hold("update", "todo", milk.record_id, priority="high")
    gone = await desk.hold("delete", "todo", bread.record_id)
    assert [raised.title, gone.title] == ["milk", "bread"]
    assert (raised.before, raised.after) == (milk.after, milk.after)
    assert [await desk.record(milk), await desk.record(bread)] == [milk.after, bread.after]
    await desk.answer(raised, gone)
    assert ((await desk.record(milk)) or {})["priority"] == "high"
    assert await desk.record(bread) is None


async def test_what_could_not_be_applied_is_not_held(desk: Desk) -> None:
    assert "priority" in str((await desk.hold("create", task="x", priority=99)).error)
    assert (await desk.hold("complete", "todo", "nothing")).status == "failed"


async def test_two_answers_at_once_apply_once(desk: Desk) -> None:
    for _ in range(10):
        held = await desk.hold("create", task="milk")
        first, second = await asyncio.gather(desk.answer(held), desk.answer(held))
        assert sorted(change.status for change in (*first, *second)) == ["applied", "failed"]
        assert "confirmed already" in "".join(change.error or "" for change in (*first, *second))
        assert (await desk.again(held)).status == "applied"
    assert len(await desk.records("todo")) == 10


async def test_two_answers_in_one_batch_apply_once(desk: Desk) -> None:
    held = await desk.hold("create", task="milk")
    assert [change.status for change in await desk.answer(held, held)] == ["applied", "failed"]


async def test_the_same_answer_again_returns_the_recorded_outcome(desk: Desk) -> None:
    held, turn = await desk.hold("create", task="milk"), uuid4()
    assert await desk.answer(held, origin=turn) == await desk.answer(held, origin=turn)
    assert len(await desk.records("todo")) == 1


async def test_a_no_ends_it_and_belongs_to_no_turn(desk: Desk) -> None:
    held, turn = await desk.hold("create", task="milk"), uuid4()
    (left,) = await desk.answer(held, yes=False, origin=turn)
    assert (left.status, left.error, left.declines) == ("failed", DECLINED, True)
    assert await desk.of_turn(turn) == []
    now = await desk.again(held)
    assert (now.status, now.error) == ("failed", DECLINED)
    (late,) = await desk.answer(held)
    assert (late.status, late.error) == ("failed", DECLINED)
    assert await desk.records("todo") == {}


async def test_an_item_that_changed_since_is_not_overwritten(desk: Desk) -> None:
    made = await desk.add(task="milk")
    held = await desk.hold("update", "todo", made.record_id, priority="high")
    changed = await desk.do("update", "todo", made.record_id, notes="oat")
    (refused,) = await desk.answer(held)
    assert (refused.status, refused.error) == ("failed", "“milk” has changed in the meantime")
    assert await desk.record(made) == changed.after
    now = await desk.again(held)
    assert (now.status, now.error) == ("failed", refused.error)


async def test_two_held_changes_of_one_item_are_both_confirmed(desk: Desk) -> None:
    made = await desk.add(task="milk")
    first = await desk.hold("update", "todo", made.record_id, priority="high")
    second = await desk.hold("update", "todo", made.record_id, notes="oat")
    assert [change.status for change in await desk.answer(first, second)] == ["applied", "applied"]
    kept = await desk.record(made) or {}
    assert (kept["priority"], kept["notes"]) == ("high", "oat")


async def test_what_nobody_confirms_in_time_is_over(adapter: tuple[Adapter, str]) -> None:
    async with open_desk(*adapter, patience=timedelta(0)) as desk:
        held = await desk.hold("create", task="milk")
        now = await desk.again(held)
        assert (now.status, now.error) == ("failed", TOO_LATE)
        (late,) = await desk.answer(held)
        assert (late.status, late.error) == ("failed", TOO_LATE)
        assert await desk.records("todo") == {}


async def test_undo_of_what_was_confirmed_takes_the_change_back_and_redo_brings_it(desk: Desk) -> None:
    held = await desk.hold("create", task="milk")
    (refused,) = await desk.undo(held)
    assert (refused.status, refused.error) == ("failed", "“milk” still waits for your yes")
    (made,) = await desk.answer(held)
    (undone,) = await desk.undo(held)
    assert (undone.status, undone.undo_of) == ("applied", made.id)
    assert [(await desk.again(change)).status for change in (held, made)] == ["undone", "undone"]
    await desk.undo(undone)
    assert [(await desk.again(change)).status for change in (held, made)] == ["applied", "applied"]
    assert len(await desk.records("todo")) == 1


async def test_only_what_was_held_can_be_confirmed(desk: Desk) -> None:
    made = await desk.add(task="milk")
    for nothing in (answering(made), Proposal(op="create", kind="todo", confirms=str(uuid4()))):
        (refused,) = await desk.apply(nothing)
        assert "no such change that waits" in str(refused.error)
    assert len(await desk.records("todo")) == 1


async def test_of_several_held_changes_only_the_named_ones_are_answered(desk: Desk) -> None:
    held = [await desk.hold("create", task=task) for task in ("milk", "bread", "eggs")]
    await desk.answer(held[0])
    await desk.answer(held[1], yes=False)
    assert [(await desk.again(change)).status for change in held] == ["applied", "failed", "needs_confirmation"]


async def test_a_held_event_tells_what_it_would_run_into(desk: Desk) -> None:
    lab = await desk.add("event", title="lab", start="2026-11-20T14:00:00Z", end="2026-11-20T16:00:00Z")
    held = await desk.hold("create", "event", title="call", start="2026-11-20T15:00:00Z")
    assert (held.status, [conflict.title for conflict in held.conflicts]) == ("needs_confirmation", ["lab"])
    assert len(held.alternatives) == 3
    assert [conflict.record_id for conflict in (await desk.again(held)).conflicts] == [lab.record_id]
    later = await desk.hold("create", "event", title="walk", start="2026-11-20T15:30:00Z")
    assert [conflict.title for conflict in later.conflicts] == ["lab"], "what is only wanted stands nowhere"
    moved = await desk.hold("update", "event", lab.record_id, location="room 3")
    assert moved.conflicts == []
