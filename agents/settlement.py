"""How a batch of proposals settles into ledger rows: shared by every ledger, so that all of them decide alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any
from uuid import UUID, uuid4

from agents.admission import admit
from agents.changes import Refused, Stamp, changed_fields, fresh_id, reverted, same_content, transition
from agents.colors import color_of
from agents.contract import Change, Proposal
from agents.diary import Diary, Pair
from agents.limits import Limits
from agents.ports import Batch
from agents.records import UNSTORABLE, Kind, Source, title_of
from agents.unison import Run, bound, fallen, runs

RecordKey = tuple[Kind, str]
State = dict[str, Any] | None
DECLINED = "you said no"
TOO_LATE = "nobody said yes in time"
CONFIRMED_REASON = "you said yes"


@dataclass
class Book:
    """What a batch may touch, loaded before it settles; ``records`` holds each record's newest state while it does.

    ``targets`` are the changes that proposals name, to undo or to confirm them, and the answers to those that were
    held. ``cursor`` is the last cursor given out. What is held waits for ``patience`` from ``now``, the real clock: the
    turn's own may lie days back. ``diary`` is the busy time around the events of the batch, if it has any.
    """

    cursor: int
    records: dict[RecordKey, dict[str, Any] | None] = field(default_factory=dict)
    targets: dict[str, Change] = field(default_factory=dict)
    touched: set[RecordKey] = field(default_factory=set)
    limits: Limits = field(default_factory=Limits)
    new_id: Callable[[], UUID] = uuid4
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    patience: timedelta = timedelta(days=1)
    diary: Diary | None = None

    def target(self, change_id: str | None) -> Change | None:
        """The change of that id; for one that was held and confirmed, the change that its yes made."""
        named = self.targets.get(change_id or "")
        if named is None or not named.held:
            return named
        answers = (change for change in self.targets.values() if change.confirms == named.id)
        return next((change for change in answers if change.status in ("applied", "undone")), named)


def named_changes(batch: Batch) -> list[str]:
    """The changes that must be loaded before the batch settles, together with the answers to them."""
    undone = [p.undo_of for p in batch.proposals if p.op == "undo" and p.undo_of]
    return [named for named in [*undone, *_confirmed_ids(batch)] if _is_uuid(named)]


def _confirmed_ids(batch: Batch) -> list[str]:
    return [p.confirms for p in batch.proposals if p.confirms]


def record_keys(batch: Batch, targets: dict[str, Change]) -> set[RecordKey]:
    """The records that must be loaded before the batch settles."""
    named: set[RecordKey] = {(p.kind, fresh_id(p, "")) for p in batch.proposals if p.op != "undo" and not p.confirms}
    wanted = [*(p.fields for p in batch.proposals), *(c.fields for c in targets.values() if c.held)]
    linked: set[RecordKey] = {("todo", str(fields["task_id"])) for fields in wanted if fields.get("task_id")}
    reverted_ones = {(c.kind, c.record_id) for c in targets.values() if c.record_id}
    return {key for key in named | linked | reverted_ones if key[1] and key[1] == _cleaned(key[1])}


def rehearsed(batch: Batch, book: Book) -> list[Pair]:
    """Each event that the batch would change, before and after: what busy time has to be known before it settles."""
    if "event" not in {p.kind for p in batch.proposals} | {c.kind for c in book.targets.values()}:
        return []
    trial = replace(book, records=dict(book.records), targets=dict(book.targets), touched=set(), diary=None)
    rows = settle(batch, trial)
    return [(row.before, row.after) for row in rows if row.kind == "event" and row.status == "applied"]


def settle(batch: Batch, book: Book) -> list[Change]:
    """One row per proposal, in order; each stands or fails alone or with its group; later ones see earlier ones."""
    stamp = Stamp(batch.at, batch.timezone, Source(turn_id=batch.turn_id, words=batch.words, memo_id=batch.memo_id))
    return [row for run in runs(batch.proposals) for row in _run(run, batch, book, stamp)]


def _run(run: Run, batch: Batch, book: Book, stamp: Stamp) -> list[Change]:
    if len(run) == 1:
        return [_row(*run[0], batch, book, stamp)]
    records, targets, touched = dict(book.records), dict(book.targets), set(book.touched)
    rows = [_row(seq, proposal, batch, book, stamp) for seq, proposal in run]
    if any(row.status == "failed" for row in rows):
        book.records, book.targets, book.touched = records, targets, touched
        rows = fallen(rows)
    return bound(rows)


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
    try:
        values = _settled(proposal, book, stamp)
    except Refused as refusal:
        values = _refused(_storable(proposal), book, str(refusal))
    book.cursor += 1
    row = {
        "id": str(book.new_id()),
        "cursor": book.cursor,
        "turn_id": batch.turn_id,
        "agent": batch.agent,
        "seq": seq,
        "place": proposal.place,
        "op": proposal.op,
        "reason": _cleaned(proposal.reason),
        "confirms": proposal.confirms if proposal.confirms in book.targets else None,
        "created_at": batch.at,
    }
    return Change(**{**row, **values})


def _settled(proposal: Proposal, book: Book, stamp: Stamp) -> dict[str, Any]:
    if proposal.confirms:
        return _answered(proposal, book, stamp)
    if proposal.hold:
        return _held(proposal, book, stamp)
    return _undo(proposal, book, stamp) if proposal.op == "undo" else _apply(proposal, book, stamp)


def _apply(proposal: Proposal, book: Book, stamp: Stamp) -> dict[str, Any]:
    key, before, after = _outcome(proposal, book, stamp)
    if proposal.hold_on_conflict and book.diary and key[0] == "event":
        clashes = book.diary.foresee(key[1], before, after)
        if clashes["conflicts"]:
            return {**_held(proposal.model_copy(update={"hold": proposal.hold_on_conflict}), book, stamp), **clashes}
    return _applied(book, key, before, after)


def _outcome(
    proposal: Proposal, book: Book, stamp: Stamp
) -> tuple[RecordKey, dict[str, Any] | None, dict[str, Any] | None]:
    """The record's key, and the record before and after the proposal; raises Refused."""
    record_id = fresh_id(proposal, str(book.new_id()))
    before = book.records.get((proposal.kind, record_id))
    after = transition(proposal, record_id, before, stamp)
    admit(before, after, book.limits, lambda task: book.records.get(("todo", task)) is not None)
    after = _colored(proposal, before, after, book)
    if after != _cleaned(after):
        raise Refused(f"a {proposal.kind} keeps no NUL characters, lone surrogates or numbers without a value")
    return (proposal.kind, record_id), before, after


def _colored(proposal: Proposal, before: State, after: State, book: Book) -> State:
    """An event that is linked to a task takes its colour, unless one was said."""
    task = (after or {}).get("task_id")
    if after is None or not task or task == (before or {}).get("task_id") or "color" in proposal.fields:
        return after
    return {**after, "color": color_of(book.records["todo", task] or {})}


def _held(proposal: Proposal, book: Book, stamp: Stamp) -> dict[str, Any]:
    """What could be applied now waits for a yes instead; what could not is refused at once."""
    key, before, after = _outcome(proposal, book, stamp)
    return {
        "kind": key[0],
        "record_id": key[1],
        "title": title_of(key[0], after or before or {}),
        "fields": _cleaned(proposal.fields),
        "before": before,
        "after": before,
        "status": "needs_confirmation",
        "reason": _cleaned(proposal.hold),
        "expires_at": book.now + book.patience,
    }


def _answered(proposal: Proposal, book: Book, stamp: Stamp) -> dict[str, Any]:
    """The answer to a held change: whoever comes second, or too late, is refused."""
    held = book.targets.get(proposal.confirms or "")
    if held is None or not held.held:
        raise Refused("there is no such change that waits for a yes")
    if held.status != "needs_confirmation":
        raise Refused(held.error or f"“{held.title}” was confirmed already")
    return _left(held, book) if proposal.declined else _confirmed(held, book, stamp)


def _left(held: Change, book: Book) -> dict[str, Any]:
    book.targets[held.id] = held.model_copy(update={"status": "failed", "error": DECLINED})
    told = {name: getattr(held, name) for name in ("op", "kind", "record_id", "title", "fields", "before")}
    return {**told, "turn_id": None, "status": "failed", "error": DECLINED, "after": None}


def _confirmed(held: Change, book: Book, stamp: Stamp) -> dict[str, Any]:
    touched = (held.kind, held.record_id) in book.touched  # by another change of the same yes
    version = held.before["version"] if held.before and not touched else None
    wanted = Proposal(
        op=held.op, kind=held.kind, record_id=held.record_id, fields=held.fields, expected_version=version
    )
    try:
        values = {**_apply(wanted, book, stamp), "op": held.op, "reason": CONFIRMED_REASON}
    except Refused as refusal:
        book.targets[held.id] = held.model_copy(update={"status": "failed", "error": str(refusal)})
        raise
    book.targets[held.id] = held.model_copy(update={"status": "applied"})
    return values


def _undo(proposal: Proposal, book: Book, stamp: Stamp) -> dict[str, Any]:
    target = book.target(proposal.undo_of)
    if target is None or target.record_id is None:
        raise Refused("there is no such change to undo")
    if target.status != "applied":
        raise Refused(_why_not(target))
    key = (target.kind, target.record_id)
    current = book.records.get(key)
    if not same_content(current, target.after):
        raise Refused(f"“{target.title}” has changed since; undo the later change first")
    book.targets[target.id] = target.model_copy(update={"status": "undone"})
    values = _applied(book, key, current, reverted(current, target.before, stamp))
    return {**values, "title": target.title, "undo_of": target.id}


def _why_not(target: Change) -> str:
    if target.status == "undone":
        return f"“{target.title}” is undone already"
    return f"“{target.title}” still waits for your yes" if target.held else "that change never happened"


def _applied(book: Book, key: RecordKey, before: dict[str, Any] | None, after: dict[str, Any] | None) -> dict[str, Any]:
    book.records[key] = after
    book.touched.add(key)
    clashes = book.diary.enter(key[1], before, after) if book.diary and key[0] == "event" else {}
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


def _refused(proposal: Proposal, book: Book, error: str) -> dict[str, Any]:
    target = book.target(proposal.undo_of) or book.targets.get(proposal.confirms or "")
    record_id = target.record_id if target else proposal.record_id
    record = book.records.get((proposal.kind, record_id or ""))
    return {
        "op": target.op if target and proposal.confirms else proposal.op,
        "kind": target.kind if target else proposal.kind,
        "record_id": record_id,
        "title": target.title if target else _title(proposal, record),
        "fields": proposal.fields,
        "before": record,
        "after": None,
        "status": "failed",
        "error": _cleaned(error),
        "undo_of": target.id if target and proposal.op == "undo" else None,
    }


def _title(proposal: Proposal, record: dict[str, Any] | None) -> str:
    if record is not None:
        return title_of(proposal.kind, record)
    said = (proposal.fields.get(name) for name in ("task", "title", "summary", "content", "text"))
    return next((words[:500] for words in said if isinstance(words, str) and words), proposal.kind)
