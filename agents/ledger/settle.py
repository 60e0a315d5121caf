"""How a batch of proposals settles into ledger rows: shared by every ledger, so that all of them decide alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from agents.contract import ALREADY, Change, Proposal
from agents.ledger.atomic_groups import Group, fail_group, group_proposals, link_group
from agents.ledger.batch import LoadedBatch, RecordKey, State, storable_json
from agents.ledger.conflicts import BusyCalendar, Pair
from agents.ledger.linked_colors import recolor_proposals, with_task_color
from agents.ledger.reminder_time import upcoming
from agents.ledger.transitions import (
    ProposalRefused,
    Stamp,
    as_closing,
    changed_fields,
    fresh_id,
    revert,
    same_content,
    transition,
)
from agents.ledger.validate import check_record
from agents.ports import Batch
from agents.records import Source, title_of

DECLINED = "you said no"
TOO_LATE = "nobody said yes in time"
CONFIRMED_REASON = "you said yes"


def preview_events(batch: Batch, loaded: LoadedBatch) -> list[Pair]:
    """Each event that the batch would change, before and after: what busy time has to be known before it settles."""
    if "event" not in {p.kind for p in batch.proposals} | {c.kind for c in loaded.targets.values()}:
        return []
    trial = replace(loaded, records=dict(loaded.records), targets=dict(loaded.targets), touched=set(), busy=None)
    wanted = [proposal.model_copy(update={"hold": ""}) for proposal in batch.proposals]
    rows = settle(batch.model_copy(update={"proposals": wanted}), trial)
    return [(row.before, row.after) for row in rows if row.kind == "event" and row.status == "applied"]


def settle(batch: Batch, loaded: LoadedBatch) -> list[Change]:
    """One row per proposal, in order; each succeeds or fails alone or with its group; later ones see earlier ones.

    Events that follow their task's colour have rows of their own behind it, undone together with it.
    """
    more = count(len(batch.proposals))
    stamp = Stamp(batch.at, batch.timezone, Source(turn_id=batch.turn_id, words=batch.words, memo_id=batch.memo_id))
    rows = [
        row
        for run in group_proposals(batch.proposals)
        for row in _recolor_linked(_run(run, batch, loaded, stamp), more, batch, loaded, stamp)
    ]
    moved = {row.record_id for row in rows if (row.op, row.status) == ("update", "applied")}
    return [_still_clashing(row, moved, loaded.busy) if loaded.busy and row.conflicts else row for row in rows]


def _still_clashing(row: Change, moved: set[str | None], busy: BusyCalendar) -> Change:
    """Return a row without clashes with what its batch moves away, as where two events swap their times."""
    if row.status != "applied":
        return row
    there = {slot.item for slot in busy.clashes(str(row.record_id), busy.new_busy_spans(row.before, row.after))}
    left = [one for one in row.conflicts if one.calendar or one.record_id not in moved - there]
    return row.model_copy(update={"conflicts": left, "alternatives": row.alternatives if left else []})


def _recolor_linked(
    rows: list[Change], more: Iterator[int], batch: Batch, loaded: LoadedBatch, stamp: Stamp
) -> list[Change]:
    followers = [
        (row, loaded.linked[row.record_id]) for row in rows if row.record_id and row.record_id in loaded.linked
    ]
    wanted = [
        item
        for row, events in followers
        for item in recolor_proposals(row, [loaded.records.get(("event", known)) for known in events])
    ]
    return link_group([*rows, *(_row(next(more), item, batch, loaded, stamp) for item in wanted)]) if wanted else rows


def _run(run: Group, batch: Batch, loaded: LoadedBatch, stamp: Stamp) -> list[Change]:
    if len(run) == 1:
        return [_row(*run[0], batch, loaded, stamp)]
    records, targets, touched = dict(loaded.records), dict(loaded.targets), set(loaded.touched)
    slots = loaded.busy.slots if loaded.busy else []
    if loaded.busy:
        loaded.busy.leave(proposal.record_id for _, proposal in run)
    rows = [_row(seq, proposal, batch, loaded, stamp) for seq, proposal in run]
    if any(row.status == "failed" for row in rows):
        loaded.records, loaded.targets, loaded.touched = records, targets, touched
        if loaded.busy:
            loaded.busy.slots = slots
        rows = fail_group(rows)
    return link_group(rows)


def _storable(proposal: Proposal) -> Proposal:
    """What no database can keep (NUL, lone surrogates, NaN) must not take the rest of the batch down with it."""
    return Proposal.model_construct(**storable_json(dict(proposal)))


def _row(seq: int, proposal: Proposal, batch: Batch, loaded: LoadedBatch, stamp: Stamp) -> Change:
    proposal = as_closing(proposal, loaded.records.get((proposal.kind, proposal.record_id or "")))
    try:
        values = _settle_proposal(proposal, loaded, stamp)
    except ProposalRefused as refusal:
        values = _refusal_values(_storable(proposal), loaded, str(refusal))
    loaded.cursor += 1
    row = {
        "id": str(loaded.new_id()),
        "cursor": loaded.cursor,
        "turn_id": batch.turn_id,
        "agent": batch.agent,
        "seq": seq,
        "place": proposal.place,
        "op": proposal.op,
        "reason": storable_json(proposal.reason),
        "confirms": proposal.confirms if proposal.confirms in loaded.targets else None,
        "created_at": batch.at,
    }
    return Change(**{**row, **values})


def _settle_proposal(proposal: Proposal, loaded: LoadedBatch, stamp: Stamp) -> dict[str, Any]:
    if proposal.confirms:
        return _settle_answer(proposal, loaded, stamp)
    if proposal.hold and proposal.op == "undo":
        raise ProposalRefused(f"{proposal.hold}; take it back yourself")
    if proposal.hold:
        return _hold(proposal, loaded, stamp)
    return _undo(proposal, loaded, stamp) if proposal.op == "undo" else _apply(proposal, loaded, stamp)


def _apply(proposal: Proposal, loaded: LoadedBatch, stamp: Stamp) -> dict[str, Any]:
    key, before, after = _outcome(proposal, loaded, stamp)
    if proposal.hold_on_conflict and _foreseen(loaded, key, before, after).get("conflicts"):
        return _hold(proposal.model_copy(update={"hold": proposal.hold_on_conflict}), loaded, stamp)
    return _record_change(loaded, key, before, after)


def _foreseen(loaded: LoadedBatch, key: RecordKey, before: State, after: State) -> dict[str, Any]:
    """What an event would run into; nothing for what is no event."""
    return loaded.busy.foresee(key[1], before, after) if loaded.busy and key[0] == "event" else {}


def _outcome(
    proposal: Proposal, loaded: LoadedBatch, stamp: Stamp
) -> tuple[RecordKey, dict[str, Any] | None, dict[str, Any] | None]:
    """The record's key, and the record before and after the proposal; raises Refused."""
    record_id = fresh_id(proposal, str(loaded.new_id()))
    before = loaded.records.get((proposal.kind, record_id))
    after = transition(proposal, record_id, before, stamp)
    after = upcoming(before, after, stamp.requested_at, stamp.timezone)
    check_record(before, after, loaded.limits, lambda task: loaded.records.get(("todo", task)) is not None)
    if proposal.kind == "event" and after and after.get("task_id"):
        after = with_task_color(proposal, before, after, loaded.records.get(("todo", after["task_id"])))
    if after != storable_json(after):
        raise ProposalRefused(f"a {proposal.kind} keeps no NUL characters, lone surrogates or numbers without a value")
    return (proposal.kind, record_id), before, after


def _hold(proposal: Proposal, loaded: LoadedBatch, stamp: Stamp) -> dict[str, Any]:
    """Hold a valid proposal until it is confirmed; refuse an invalid one at once."""
    key, before, after = _outcome(proposal, loaded, stamp)
    return {
        "kind": key[0],
        "record_id": key[1],
        "title": title_of(key[0], after or before or {}),
        "fields": storable_json(proposal.fields),
        "before": before,
        "after": before,
        "status": "needs_confirmation",
        "reason": storable_json(proposal.hold),
        "expires_at": loaded.now + loaded.patience,
        **_foreseen(loaded, key, before, after),
    }


def _settle_answer(proposal: Proposal, loaded: LoadedBatch, stamp: Stamp) -> dict[str, Any]:
    """Settle the answer to a held change; a second or late answer is refused."""
    held = loaded.targets.get(proposal.confirms or "")
    if held is None or not held.has_been_held:
        raise ProposalRefused("there is no such change that waits for a yes")
    if held.status != "needs_confirmation":
        raise ProposalRefused(held.error or f"“{held.title}” was confirmed {ALREADY}")
    return _decline(held, loaded) if proposal.declined else _confirm(held, loaded, stamp)


def _decline(held: Change, loaded: LoadedBatch) -> dict[str, Any]:
    loaded.targets[held.id] = held.model_copy(update={"status": "failed", "error": DECLINED})
    told = {name: getattr(held, name) for name in ("op", "kind", "record_id", "title", "fields", "before")}
    return {**told, "turn_id": None, "status": "failed", "error": DECLINED, "after": None}


def _confirm(held: Change, loaded: LoadedBatch, stamp: Stamp) -> dict[str, Any]:
    touched = (held.kind, held.record_id) in loaded.touched  # by another change of the same yes
    version = held.before["version"] if held.before and not touched else None
    wanted = Proposal(
        op=held.op, kind=held.kind, record_id=held.record_id, fields=held.fields, expected_version=version
    )
    agreed = replace(stamp, wanted_at=held.created_at)  # what lay ahead when it was asked for may have passed since
    try:
        values = {**_apply(wanted, loaded, agreed), "op": held.op, "reason": CONFIRMED_REASON}
    except ProposalRefused as refusal:
        loaded.targets[held.id] = held.model_copy(update={"status": "failed", "error": str(refusal)})
        raise
    loaded.targets[held.id] = held.model_copy(update={"status": "applied"})
    return values


def _undo(proposal: Proposal, loaded: LoadedBatch, stamp: Stamp) -> dict[str, Any]:
    target = loaded.target(proposal.undo_of)
    if target is None or target.record_id is None:
        raise ProposalRefused("there is no such change to undo")
    if target.status != "applied":
        raise ProposalRefused(_why_not(target))
    key = (target.kind, target.record_id)
    current = loaded.records.get(key)
    if not same_content(current, target.after):
        raise ProposalRefused(f"“{target.title}” has changed since; undo the later change first")
    loaded.targets[target.id] = target.model_copy(update={"status": "undone"})
    values = _record_change(loaded, key, current, revert(current, target.before, stamp))
    return {**values, "title": target.title, "undo_of": target.id}


def _why_not(target: Change) -> str:
    if target.status == "undone":
        return f"“{target.title}” is undone {ALREADY}"
    return f"“{target.title}” still waits for your yes" if target.has_been_held else "that change never happened"


def _record_change(
    loaded: LoadedBatch, key: RecordKey, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> dict[str, Any]:
    loaded.records[key] = after
    loaded.touched.add(key)
    clashes = loaded.busy.enter(key[1], before, after) if loaded.busy and key[0] == "event" else {}
    return {
        "kind": key[0],
        "record_id": key[1],
        "title": title_of(key[0], after or before or {}),
        "fields": changed_fields(before, after),
        "before": before,
        "after": after,
        "status": "applied",
        **clashes,
    }


def _refusal_values(proposal: Proposal, loaded: LoadedBatch, error: str) -> dict[str, Any]:
    target = loaded.target(proposal.undo_of) or loaded.targets.get(proposal.confirms or "")
    record_id = target.record_id if target else proposal.record_id
    record = loaded.records.get((proposal.kind, record_id or ""))
    return {
        "op": target.op if target and proposal.confirms else proposal.op,
        "kind": target.kind if target else proposal.kind,
        "record_id": record_id,
        "title": target.title if target else _title(proposal, record),
        "fields": proposal.fields,
        "before": record,
        "after": None,
        "status": "failed",
        "error": storable_json(error),
        "undo_of": target.id if target and proposal.op == "undo" else None,
    }


def _title(proposal: Proposal, record: dict[str, Any] | None) -> str:
    if record is not None:
        return title_of(proposal.kind, record)
    said = (proposal.fields.get(name) for name in ("task", "title", "summary", "content", "text"))
    return next((words[:500] for words in said if isinstance(words, str) and words), proposal.kind)
