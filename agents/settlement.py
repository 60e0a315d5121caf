"""How a batch of proposals settles into ledger rows: shared by every ledger, so that all of them decide alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite
from typing import Any
from uuid import UUID, uuid4

from agents.changes import Refused, Stamp, changed_fields, fresh_id, reverted, same_content, transition
from agents.contract import Change, Proposal
from agents.ports import Batch
from agents.records import Kind, Source, title_of

RecordKey = tuple[Kind, str]
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass
class Book:
    """What a batch may touch, loaded before it settles; ``records`` holds each record's newest state while it does.

    ``targets`` are the changes that undo proposals name. ``cursor`` is the last cursor given out.
    """

    cursor: int
    records: dict[RecordKey, dict[str, Any] | None] = field(default_factory=dict)
    targets: dict[str, Change] = field(default_factory=dict)
    touched: set[RecordKey] = field(default_factory=set)
    new_id: Callable[[], UUID] = uuid4


def undone_ids(batch: Batch) -> list[str]:
    """The changes that must be loaded before the batch settles."""
    return [p.undo_of for p in batch.proposals if p.op == "undo" and p.undo_of and _is_uuid(p.undo_of)]


def record_keys(batch: Batch, targets: dict[str, Change]) -> set[RecordKey]:
    """The records that must be loaded before the batch settles."""
    named = {(p.kind, fresh_id(p, "")) for p in batch.proposals if p.op != "undo"}
    reverted_ones = {(c.kind, c.record_id) for c in targets.values() if c.record_id}
    return {key for key in named | reverted_ones if key[1] and key[1] == _cleaned(key[1])}


def settle(batch: Batch, book: Book) -> list[Change]:
    """One row per proposal, in order; each stands or fails alone, and later ones see what earlier ones did."""
    stamp = Stamp(batch.at, batch.timezone, Source(turn_id=batch.turn_id, words=batch.words, memo_id=batch.memo_id))
    return [_row(seq, proposal, batch, book, stamp) for seq, proposal in enumerate(batch.proposals)]


def _storable(proposal: Proposal) -> Proposal:
    """What no database can keep (NUL, lone surrogates, NaN) must not take the rest of the batch down with it."""
    return Proposal.model_construct(**_cleaned(dict(proposal)))


def _cleaned(value: Any) -> Any:
    """The value as JSON that every database keeps; what it cannot keep is made visible."""
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value)


def _is_uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def _row(seq: int, proposal: Proposal, batch: Batch, book: Book, stamp: Stamp) -> Change:
    undoing = proposal.op == "undo"
    try:
        values = _undo(proposal, book, stamp) if undoing else _apply(proposal, book, stamp)
    except Refused as refusal:
        values = _refused(_storable(proposal), book, str(refusal))
    book.cursor += 1
    return Change(
        id=str(book.new_id()),
        cursor=book.cursor,
        turn_id=batch.turn_id,
        agent=batch.agent,
        seq=seq,
        place=proposal.place,
        op=proposal.op,
        reason=_cleaned(proposal.reason),
        undo_of=proposal.undo_of if undoing and proposal.undo_of in book.targets else None,
        created_at=batch.at,
        **values,
    )


def _apply(proposal: Proposal, book: Book, stamp: Stamp) -> dict[str, Any]:
    record_id = fresh_id(proposal, str(book.new_id()))
    key = (proposal.kind, record_id)
    before = book.records.get(key)
    after = transition(proposal, record_id, before, stamp)
    if after != _cleaned(after):
        raise Refused(f"a {proposal.kind} keeps no NUL characters, lone surrogates or numbers without a value")
    return _applied(book, key, before, after)


def _undo(proposal: Proposal, book: Book, stamp: Stamp) -> dict[str, Any]:
    target = book.targets.get(proposal.undo_of or "")
    if target is None or target.record_id is None:
        raise Refused("there is no such change to undo")
    if target.status != "applied":
        raise Refused(
            f"“{target.title}” is undone already" if target.status == "undone" else "that change never happened"
        )
    key = (target.kind, target.record_id)
    current = book.records.get(key)
    if not same_content(current, target.after):
        raise Refused(f"“{target.title}” has changed since; undo the later change first")
    book.targets[target.id] = target.model_copy(update={"status": "undone"})
    return {**_applied(book, key, current, reverted(current, target.before, stamp)), "title": target.title}


def _applied(book: Book, key: RecordKey, before: dict[str, Any] | None, after: dict[str, Any] | None) -> dict[str, Any]:
    book.records[key] = after
    book.touched.add(key)
    return {
        "kind": key[0],
        "record_id": key[1],
        "title": title_of(key[0], after or before or {}),
        "fields": changed_fields(before, after),
        "before": before,
        "after": after,
        "status": "applied",
    }


def _refused(proposal: Proposal, book: Book, error: str) -> dict[str, Any]:
    target = book.targets.get(proposal.undo_of or "")
    record_id = target.record_id if target else proposal.record_id
    record = book.records.get((proposal.kind, record_id or ""))
    return {
        "kind": target.kind if target else proposal.kind,
        "record_id": record_id,
        "title": target.title if target else _title(proposal, record),
        "fields": proposal.fields,
        "before": record,
        "after": None,
        "status": "failed",
        "error": error,
    }


def _title(proposal: Proposal, record: dict[str, Any] | None) -> str:
    if record is not None:
        return title_of(proposal.kind, record)
    said = (proposal.fields.get(name) for name in ("task", "title", "summary", "content", "text"))
    return next((words[:500] for words in said if isinstance(words, str) and words), proposal.kind)
