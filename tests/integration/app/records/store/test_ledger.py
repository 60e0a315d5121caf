"""The ledger's conformance suite: every adapter keeps, refuses, repeats and undoes alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest

from agents.contract import Op, Proposal
from agents.records import RECORD_KINDS, Kind
from tests.support.ledgers import EXAMPLES, Adapter, Desk, open_desk, undoing


@pytest.fixture(params=["store", "postgres"])
def adapter(request: pytest.FixtureRequest) -> tuple[Adapter, str]:
    """The adapter's name, and the database it needs."""
    return request.param, request.getfixturevalue("database_url") if request.param == "postgres" else ""


@pytest.fixture
async def desk(adapter: tuple[Adapter, str]) -> AsyncIterator[Desk]:
    async with open_desk(*adapter) as opened:
        yield opened


def create(kind: Kind = "todo", **fields: Any) -> Proposal:
    return Proposal(op="create", kind=kind, fields=fields or EXAMPLES[kind])


@pytest.mark.parametrize("kind", RECORD_KINDS)
async def test_every_kind_is_created_with_its_source(desk: Desk, kind: Kind) -> None:
    change = await desk.add(kind)
    kept = await desk.record(change)
    assert kept == change.after
    assert kept is not None
    assert (kept["version"], kept["source"]["words"]) == (1, "as it was said")
    assert change.before is None
    assert EXAMPLES[kind].items() <= {**kept, "start": EXAMPLES[kind].get("start")}.items()


UPDATES: dict[Kind, dict[str, Any]] = {
    "todo": {"priority": "high"},
    "event": {"location": "Main Street"},
    "note": {"tags": ["keys"]},
    "profile": {"job": "engineer"},
    "instruction": {"text": "use American spelling"},
}


@pytest.mark.parametrize("kind", RECORD_KINDS)
async def test_every_kind_is_updated_and_keeps_the_rest(desk: Desk, kind: Kind) -> None:
    made = await desk.add(kind)
    changed = await desk.do("update", kind, made.record_id, **UPDATES[kind])
    assert (changed.status, changed.fields) == ("applied", UPDATES[kind])
    assert changed.before == made.after
    kept = await desk.record(made)
    assert kept == changed.after == {**(made.after or {}), **UPDATES[kind], "version": 2}


@pytest.mark.parametrize("kind", ["todo", "event", "note", "instruction"])
async def test_every_kind_but_the_profile_is_deleted(desk: Desk, kind: Kind) -> None:
    made = await desk.add(kind)
    gone = await desk.do("delete", kind, made.record_id)
    assert (gone.status, gone.before, gone.after, gone.title) == ("applied", made.after, None, made.title)
    assert await desk.record(made) is None
    assert "any more" in str((await desk.do("update", kind, made.record_id, **UPDATES[kind])).error)


@pytest.mark.parametrize(
    ("kind", "op", "status"),
    [
        ("todo", "complete", "done"),
        ("todo", "archive", "archived"),
        ("note", "complete", "completed"),
        ("note", "archive", "archived"),
    ],
)
async def test_closing_happens_once(desk: Desk, kind: Kind, op: Op, status: str) -> None:
    made = await desk.add(kind)
    assert ((await desk.do(op, kind, made.record_id)).after or {})["status"] == status
    again = await desk.do(op, kind, made.record_id)
    assert again.status == "failed"
    assert "already" in str(again.error)


@pytest.mark.parametrize("kind", ["event", "profile", "instruction"])
async def test_what_cannot_be_completed_says_so(desk: Desk, kind: Kind) -> None:
    made = await desk.add(kind)
    assert (await desk.do("complete", kind, made.record_id)).status == "failed"
    assert await desk.record(made) == made.after


REFUSED: dict[str, tuple[Proposal, str]] = {
    "no such field": (create(task="x", colour="red"), "colour"),
    "a wrong value": (create(task="x", priority=99), "priority"),
    "a wrong type": (create(task=["x"]), "task"),
    "nothing said": (Proposal(op="create", kind="todo"), "task"),
    "an unknown id": (Proposal(op="complete", kind="todo", record_id="nothing"), "no such todo"),
    "no id": (Proposal(op="update", kind="todo", fields={"priority": "low"}), "no such todo"),
    "NUL in the text": (create(task="x\x00y"), "NUL"),
    "a lone surrogate": (create("note", content="x\ud800y"), "surrogates"),
    "NUL in the id": (Proposal(op="delete", kind="todo", record_id="a\x00b"), "no such todo"),
    "NUL in a deep field": (create("profile", facts={"b\x00": "c"}), "NUL"),
    "a policy that is none": (create("instruction", text="x", policy={"rules": [{"rule": "obey"}]}), "policy"),
    "a number that is none": (create(task="x", time_to_complete=float("nan")), "time_to_complete"),
    "a time out of range": (create(task="x", deadline="1031-01-01"), "deadline"),
    "ends before it starts": (create("event", title="x", start="2026-11-20", end="2026-11-19"), "end"),
    "an op of other kinds": (Proposal(op="archive", kind="event", record_id="x"), "not possible"),
    "undo of nothing": (Proposal(op="undo", kind="todo"), "no such change"),
    "undo of the unknown": (Proposal(op="undo", kind="todo", undo_of=str(uuid4())), "no such change"),
    "undo of no id at all": (Proposal(op="undo", kind="todo", undo_of="the second one\x00"), "no such change"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_bad_proposal_fails_by_itself(desk: Desk, case: str) -> None:
    proposal, reason = REFUSED[case]
    before, bad, after = await desk.apply(create(task="first"), proposal, create(task="last"))
    assert (bad.status, bad.after) == ("failed", None)
    assert reason in str(bad.error)
    assert [before.status, after.status] == ["applied", "applied"]
    assert {todo["task"] for todo in (await desk.records("todo")).values()} == {"first", "last"}
    assert await desk.again(bad) == bad


async def test_reasons_and_options_with_letters_no_database_keeps_do_no_harm(desk: Desk) -> None:
    (change,) = await desk.apply(create().model_copy(update={"reason": "because\x00 \udfff"}))
    assert change.status == "applied"
    assert await desk.again(change) == change


async def test_later_proposals_see_what_earlier_ones_did(desk: Desk) -> None:
    made = await desk.add()
    changes = await desk.apply(
        Proposal(op="update", kind="todo", record_id=made.record_id, fields={"priority": "low"}),
        Proposal(op="delete", kind="todo", record_id=made.record_id),
        Proposal(op="complete", kind="todo", record_id=made.record_id),
    )
    assert [change.status for change in changes] == ["applied", "applied", "failed"]
    assert changes[1].before == changes[0].after


async def test_the_same_batch_again_returns_the_recorded_outcome(desk: Desk) -> None:
    turn = uuid4()
    first = await desk.apply(create(), create(task="x", priority=99), turn=turn)
    assert await desk.apply(create(), create(task="x", priority=99), turn=turn) == first
    assert await desk.apply(create(task="something else"), turn=turn) == first
    assert await desk.of_turn(turn) == first
    assert len(await desk.records("todo")) == 1
    assert len(await desk.apply(create("note"), turn=turn, agent="update_notes")) == 1


async def test_ten_at_once_apply_a_batch_once(desk: Desk) -> None:
    turn = uuid4()
    outcomes = await asyncio.gather(*[desk.apply(create(), create("note"), turn=turn) for _ in range(10)])
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert len(await desk.records("todo")) == len(await desk.records("note")) == 1


async def test_cursors_grow_strictly(desk: Desk) -> None:
    turns = [uuid4() for _ in range(8)]
    await asyncio.gather(*[desk.apply(create(), create(), turn=turn) for turn in turns])
    cursors = [change.cursor for change in await desk.of_turn(*turns)]
    assert len(cursors) == 16
    assert all(left < right for left, right in pairwise(cursors))


async def test_undo_by_id_leaves_the_other_changes(desk: Desk) -> None:
    first, second = await desk.apply(create(), create("event"))
    (undone,) = await desk.undo(first)
    assert (undone.status, undone.undo_of, undone.after) == ("applied", first.id, None)
    assert await desk.record(first) is None
    assert await desk.record(second) == second.after
    assert ((await desk.again(first)).status, (await desk.again(second)).status) == ("undone", "applied")


async def test_undoing_twice_says_why_not(desk: Desk) -> None:
    made = await desk.add()
    await desk.undo(made)
    (again,) = await desk.undo(made)
    assert (again.status, again.undo_of) == ("failed", made.id)
    assert "undone already" in str(again.error)
    one, other = await desk.apply(*[undoing(await desk.add())] * 2)
    assert (one.status, other.status) == ("applied", "failed")


async def test_what_failed_cannot_be_undone(desk: Desk) -> None:
    (refused,) = await desk.undo(await desk.do("complete", record_id="nothing"))
    assert "never happened" in str(refused.error)


async def test_undoing_the_undo_does_it_again(desk: Desk) -> None:
    made = await desk.add()
    (undone,) = await desk.undo(made)
    (redone,) = await desk.undo(undone)
    assert redone.status == "applied"
    assert _content(await desk.record(made)) == _content(made.after)
    assert [(await desk.again(change)).status for change in (made, undone, redone)] == ["applied", "undone", "applied"]
    assert (await desk.undo(made))[0].status == "applied"
    assert (await desk.again(made)).status == "undone"


async def test_undo_is_refused_when_the_record_was_edited_in_between(desk: Desk) -> None:
    made = await desk.add()
    raised = await desk.do("update", "todo", made.record_id, priority="high")
    edited = await desk.do("update", "todo", made.record_id, task="call dad")
    for change in (made, raised):
        (refused,) = await desk.undo(change)
        assert refused.status == "failed"
        assert "changed since" in str(refused.error)
    assert await desk.record(made) == edited.after


async def test_undo_is_refused_when_the_record_was_deleted_in_between(desk: Desk) -> None:
    made = await desk.add()
    raised = await desk.do("update", "todo", made.record_id, priority="high")
    await desk.do("delete", "todo", made.record_id)
    for change in (made, raised):
        (refused,) = await desk.undo(change)
        assert refused.status == "failed"
        assert "changed since" in str(refused.error)
    assert await desk.record(made) is None


async def test_undo_of_a_deletion_restores(desk: Desk) -> None:
    made = await desk.add(task="call mom", tags=["family"], notes="about Sunday")
    gone = await desk.do("delete", "todo", made.record_id)
    (restored,) = await desk.undo(gone)
    assert _content(restored.after) == _content(made.after)
    assert await desk.record(made) == restored.after


async def test_undo_of_a_deletion_is_refused_when_the_id_lives_again(desk: Desk) -> None:
    made = await desk.add()
    gone = await desk.do("delete", "todo", made.record_id)
    await desk.do("create", "todo", made.record_id, task="another")
    assert (await desk.undo(gone))[0].status == "failed"


async def test_a_turn_is_undone_newest_first(desk: Desk) -> None:
    made = await desk.add()
    one = Proposal(op="update", kind="todo", record_id=made.record_id, fields={"priority": "high"})
    other = Proposal(op="update", kind="todo", record_id=made.record_id, fields={"priority": "low", "task": "call dad"})
    changes = await desk.apply(one, other)
    undone = await desk.undo(*reversed(changes))
    assert [change.status for change in undone] == ["applied", "applied"]
    assert _content(await desk.record(made)) == _content(made.after)


async def test_an_old_version_is_refused(desk: Desk) -> None:
    made = await desk.add()
    stale = Proposal(op="update", kind="todo", record_id=made.record_id, fields={"priority": "low"}, expected_version=1)
    fits, late = await desk.apply(stale, stale.model_copy(update={"fields": {"priority": "high"}}))
    assert (fits.status, late.status) == ("applied", "failed")
    assert "in the meantime" in str(late.error)
    assert ((await desk.record(made)) or {})["priority"] == "low"


async def test_versions_never_run_backwards_over_undo(desk: Desk) -> None:
    made = await desk.add()
    raised = await desk.do("update", "todo", made.record_id, priority="high")
    (undone,) = await desk.undo(raised)
    assert [(c.after or {})["version"] for c in (made, raised, undone)] == [1, 2, 3]


async def test_completing_a_recurring_task_rolls_it_forward_in_one_change(desk: Desk) -> None:
    made = await desk.add(task="water the plants", deadline="2026-11-18", recurrence="FREQ=WEEKLY;BYDAY=WE")
    done = await desk.do("complete", "todo", made.record_id)
    assert (done.op, done.fields) == ("complete", {"deadline": "2026-11-25"})
    assert ((await desk.record(made)) or {})["status"] == "not started"
    (undone,) = await desk.undo(done)
    assert (undone.after or {})["deadline"] == "2026-11-18"


async def test_the_next_round_begins_with_no_step_done(desk: Desk) -> None:
    steps = ["fill the can", "water the fern"]
    made = await desk.add(
        task="water the plants", deadline="2026-11-18", recurrence="FREQ=DAILY", solutions=steps, done_steps=steps[:1]
    )
    await desk.do("complete", "todo", made.record_id)
    after = (await desk.record(made)) or {}
    assert (after["deadline"], after["solutions"], after["done_steps"]) == ("2026-11-19", steps, [])


async def test_an_update_that_says_what_is_so_changes_nothing_in_an_older_record(desk: Desk) -> None:
    made = await desk.add(task="water the plants")
    refused = await desk.do("update", "todo", made.record_id, done_steps=[])
    assert refused.status == "failed"


async def test_a_recurring_task_keeps_its_clock_time_over_daylight_saving(desk: Desk) -> None:
    made = await desk.add(
        task="call", deadline="2027-03-27T18:00:00+00:00", zone="Europe/Lisbon", recurrence="FREQ=DAILY"
    )
    done = await desk.do("complete", "todo", made.record_id)
    assert done.fields == {"deadline": "2027-03-28T18:00:00+01:00"}


async def test_a_series_that_is_over_is_done(desk: Desk) -> None:
    made = await desk.add(task="course", deadline="2026-11-18", recurrence="FREQ=DAILY;UNTIL=20261118")
    assert ((await desk.do("complete", "todo", made.record_id)).after or {})["status"] == "done"


async def test_a_counted_series_is_done_with_its_last_round(desk: Desk) -> None:
    made = await desk.add(task="course", deadline="2026-11-18", recurrence="FREQ=DAILY;COUNT=2")
    first = await desk.do("complete", "todo", made.record_id)
    assert first.fields == {"deadline": "2026-11-19", "recurrence": "FREQ=DAILY;COUNT=1"}
    assert (await desk.do("complete", "todo", made.record_id)).fields == {"status": "done"}


@pytest.mark.parametrize("status", ["done", "archived"])
async def test_an_update_to_a_closed_status_is_a_closing(desk: Desk, status: str) -> None:
    made = await desk.add(task="water the plants", deadline="2026-11-18", recurrence="FREQ=DAILY")
    closed = await desk.do("update", "todo", made.record_id, status=status, priority="low")
    expected = {"done": ("complete", {"deadline": "2026-11-19"}), "archived": ("archive", {"status": "archived"})}
    op, fields = expected[status]
    assert (closed.op, closed.fields) == (op, {**fields, "priority": "low"})


async def test_a_closed_task_is_still_changed_by_an_update_that_names_its_status(desk: Desk) -> None:
    made = await desk.add(task="course")
    await desk.do("complete", "todo", made.record_id)
    changed = await desk.do("update", "todo", made.record_id, status="done", priority="high")
    assert (changed.op, changed.fields) == ("update", {"priority": "high"})


async def test_other_users_changes_are_neither_seen_nor_undone(desk: Desk) -> None:
    made = await desk.add()
    other = Desk(desk.ledger, desk.store)
    assert await other.of_turn(uuid4()) == []
    if await _exists(other):
        assert (await other.undo(made))[0].error == "there is no such change to undo"
    assert await desk.record(made) == made.after


async def _exists(desk: Desk) -> bool:
    try:
        await desk.add()
    except LookupError:  # Postgres knows its users
        return False
    return True


def _content(record: dict[str, Any] | None) -> dict[str, Any]:
    assert record is not None
    return {name: value for name, value in record.items() if name not in ("version", "updated_at")}


SHOPPING = [{"text": "eggs", "done": False}, {"text": "tea", "done": False}, {"text": "ham", "done": True}]


@pytest.mark.parametrize(
    ("since", "wanted", "expected"),
    [
        (["eggs", "tea", "rice"], [*SHOPPING, "milk"], ["eggs", "tea", "rice", "milk"]),
        ([*SHOPPING, "milk"], [*SHOPPING, "milk"], ["eggs", "tea", "ham", "milk"]),
        ([*SHOPPING, "rice"], SHOPPING[1:], ["tea", "ham", "rice"]),
        ([*SHOPPING, "rice"], [], ["rice"]),
        (["eggs", "rice", "ham"], [SHOPPING[0], SHOPPING[2]], ["eggs", "ham", "rice"]),
        (["eggs", "rice", "ham"], [SHOPPING[0], "green tea", SHOPPING[2]], ["eggs", "ham", "green tea", "rice"]),
        (["rice", *SHOPPING[::-1]], [{"text": "green eggs"}, *SHOPPING[1:]], ["ham", "tea", "green eggs", "rice"]),
        ([], [*SHOPPING, "milk"], ["milk"]),
    ],
)
async def test_two_changes_of_one_list_at_once_both_count(
    desk: Desk, since: list[Any], wanted: list[Any], expected: list[str]
) -> None:
    made = await desk.add("note", category="list", summary="pantry", items=SHOPPING)
    await desk.do("update", "note", made.record_id, items=since)
    proposal = Proposal(op="update", kind="note", record_id=made.record_id, fields={"items": wanted}, seen=SHOPPING)
    await desk.apply(proposal)
    kept = await desk.record(made)
    assert kept is not None
    assert [line["text"] for line in kept["items"]] == expected


async def test_a_tick_and_a_new_line_at_once_both_count(desk: Desk) -> None:
    made = await desk.add("note", category="list", summary="pantry", items=SHOPPING)
    ticked = [{**SHOPPING[0], "done": True}, *SHOPPING[1:]]
    await desk.do("update", "note", made.record_id, items=ticked)
    proposal = Proposal(
        op="update", kind="note", record_id=made.record_id, fields={"items": [*SHOPPING, "milk"]}, seen=SHOPPING
    )
    await desk.apply(proposal)
    assert (await desk.record(made) or {})["items"] == [*ticked, {"text": "milk", "done": False}]


@pytest.mark.parametrize("wrong", [0, 1, 2])
async def test_what_belongs_together_is_done_together_or_not_at_all(desk: Desk, wrong: int) -> None:
    parts = [Proposal(op="create", kind="todo", fields={"task": f"part {number}"}, group="one") for number in range(3)]
    parts[wrong] = Proposal(op="update", kind="todo", record_id=str(uuid4()), fields={"task": "none"}, group="one")
    rows = await desk.apply(*parts, create("todo", task="by itself"))
    assert [row.status for row in rows] == ["failed"] * 3 + ["applied"]
    assert [record["task"] for record in (await desk.records("todo")).values()] == ["by itself"]


IMPOSSIBLE: list[tuple[Kind, Op]] = [
    ("event", "complete"),
    ("event", "archive"),
    ("profile", "delete"),
    ("profile", "complete"),
    ("instruction", "complete"),
    ("instruction", "archive"),
]


@pytest.mark.parametrize(("kind", "op"), IMPOSSIBLE)
async def test_what_a_kind_cannot_have_done_to_it_is_refused(desk: Desk, kind: Kind, op: Op) -> None:
    made = await desk.add(kind)
    refused = await desk.do(op, kind, made.record_id)
    assert (refused.status, await desk.record(made)) == ("failed", made.after)
    assert "is not possible for" in str(refused.error)
