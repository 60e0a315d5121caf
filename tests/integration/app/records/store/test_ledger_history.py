"""Whatever is proposed and undone, in whatever order: the log alone rebuilds the records, and statuses are right."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.contract import Change, Proposal
from agents.records import RECORD_KINDS, Kind
from tests.support.ledgers import EXAMPLES, Adapter, Desk, open_desk

Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from("create update complete archive delete bad undo undo undo again hold hold yes yes no".split()),
        st.integers(0, 30),
        st.integers(0, 5),
    ),
    max_size=25,
)
CHANGED: dict[Kind, str] = dict(zip(RECORD_KINDS, ("notes", "notes", "content", "job", "text"), strict=True))


@pytest.fixture(params=["store", "postgres"])
def adapter(request: pytest.FixtureRequest) -> tuple[Adapter, str]:
    return request.param, request.getfixturevalue("database_url") if request.param == "postgres" else ""


@given(STEPS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_log_rebuilds_the_records(adapter: tuple[Adapter, str], steps: list[Step]) -> None:
    asyncio.run(_play(adapter, steps))


async def _play(adapter: tuple[Adapter, str], steps: list[Step]) -> None:
    async with open_desk(*adapter) as desk:
        log: list[Change] = []
        for step in steps:
            before = await _kept(desk)
            log += await _apply(desk, step, log)
            await _check(desk, log, before)


async def _apply(desk: Desk, step: Step, log: list[Change]) -> list[Change]:
    """One step; ``again`` repeats the batch of an earlier one, which must not do anything."""
    op, which, what = step
    target = log[which % len(log)] if log else None
    if op == "again":
        origin = uuid4()
        first = await desk.apply(Proposal(op="create", kind="todo", fields={"task": "twice"}), origin=origin)
        assert await desk.apply(Proposal(op="create", kind="note", fields={"content": "no"}), origin=origin) == first
        return first
    if op == "undo":
        return await desk.undo(target) if target else []
    if op in ("yes", "no"):
        return await desk.answer(target, yes=op == "yes") if target else []
    if op == "hold":
        wanted = _proposal(("create", "update", "complete", "delete")[which % 4], what, target)
        return await desk.apply(wanted.model_copy(update={"hold": "ask first"}))
    return await desk.apply(_proposal(op, what, target))


def _proposal(op: str, what: int, target: Change | None) -> Proposal:
    kind = RECORD_KINDS[what % len(RECORD_KINDS)]
    if op in ("create", "bad") or target is None:
        return Proposal(op="create", kind=kind, fields={**EXAMPLES[kind], **({"wrong": 1} if op == "bad" else {})})
    fields = {CHANGED[target.kind]: f"words {what}"} if op == "update" else {}
    return Proposal.model_validate({"op": op, "kind": target.kind, "record_id": target.record_id, "fields": fields})


async def _kept(desk: Desk) -> dict[tuple[str, str], dict[str, Any]]:
    return {(kind, key): value for kind in RECORD_KINDS for key, value in (await desk.records(kind)).items()}


async def _check(desk: Desk, log: list[Change], before: dict[tuple[str, str], dict[str, Any]]) -> None:
    kept = await _kept(desk)
    assert kept == _rebuilt(log)
    for key, record in kept.items():
        assert record["version"] >= before.get(key, record)["version"]
    cursors = [change.cursor for change in log]
    assert cursors == sorted(set(cursors))
    standing = _undone(log)
    for change in log:
        now = await desk.again(change)
        answer = (
            next((answer for answer in log if answer.confirms == change.id), change) if change.has_been_held else change
        )
        assert now.status == ("undone" if answer.id in standing else answer.status), change
        assert now.error == answer.error
        assert now.model_copy(update={"status": change.status, "error": change.error}) == change


def _rebuilt(log: list[Change]) -> dict[tuple[str, str], dict[str, Any]]:
    records: dict[tuple[str, str], dict[str, Any]] = {}
    for change in log:
        if change.status == "failed":
            continue
        key = (change.kind, str(change.record_id))
        assert records.get(key) == change.before
        records.pop(key, None)
        if change.after is not None:
            records[key] = change.after
    return records


def _undone(log: list[Change]) -> set[str]:
    """The changes that an undo reverts which was not itself undone, by the definition, from the first row on."""

    def stands(change: Change) -> bool:
        return change.status != "failed" and not any(u.undo_of == change.id and stands(u) for u in log)

    return {str(change.undo_of) for change in log if change.undo_of and stands(change)}
