"""What a batch may touch, loaded before it settles, and which records and changes that are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any
from uuid import UUID, uuid4

from agents.contract import Change
from agents.ledger.conflicts import BusyCalendar
from agents.ledger.limits import LedgerLimits
from agents.ledger.transitions import fresh_id
from agents.ports import Batch
from agents.records import UNSTORABLE, Kind

RecordKey = tuple[Kind, str]
State = dict[str, Any] | None


@dataclass
class LoadedBatch:
    """What a batch may touch, loaded before it settles; ``records`` holds each record's newest state while it does.

    ``targets`` are the changes that proposals name, to undo or to confirm them, and the answers to those that were
    held. ``cursor`` is the last cursor given out. What is held waits for ``patience`` from ``now``, the real clock: the
    turn's own may lie days back. ``busy`` is the busy time around the events of the batch, if it has any. ``linked``
    are the ids of the events that stand for a task, for tasks whose colour may change.
    """

    cursor: int
    records: dict[RecordKey, dict[str, Any] | None] = field(default_factory=dict)
    targets: dict[str, Change] = field(default_factory=dict)
    touched: set[RecordKey] = field(default_factory=set)
    limits: LedgerLimits = field(default_factory=LedgerLimits)
    new_id: Callable[[], UUID] = uuid4
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    patience: timedelta = timedelta(days=1)
    busy: BusyCalendar | None = None
    linked: dict[str, list[str]] = field(default_factory=dict)

    def target(self, change_id: str | None) -> Change | None:
        """The change with this id; for a confirmed held change, the change that its confirmation created."""
        named = self.targets.get(change_id or "")
        if named is None or not named.has_been_held:
            return named
        answers = (change for change in self.targets.values() if change.confirms == named.id)
        return next((change for change in answers if change.status in ("applied", "undone")), named)


def change_ids_to_load(batch: Batch) -> list[str]:
    """The changes that must be loaded before the batch settles, together with the answers to them."""
    undone = [p.undo_of for p in batch.proposals if p.op == "undo" and p.undo_of]
    return [named for named in [*undone, *_confirmed_ids(batch)] if _is_uuid(named)]


def _confirmed_ids(batch: Batch) -> list[str]:
    return [p.confirms for p in batch.proposals if p.confirms]


def record_keys_to_load(batch: Batch, targets: dict[str, Change]) -> set[RecordKey]:
    """The records that must be loaded before the batch settles."""
    named: set[RecordKey] = {(p.kind, fresh_id(p, "")) for p in batch.proposals if p.op != "undo" and not p.confirms}
    wanted = [*(p.fields for p in batch.proposals), *(c.fields for c in targets.values() if c.has_been_held)]
    linked: set[RecordKey] = {("todo", str(fields["task_id"])) for fields in wanted if fields.get("task_id")}
    reverted_ones = {(c.kind, c.record_id) for c in targets.values() if c.record_id}
    return {key for key in named | linked | reverted_ones if key[1] and key[1] == storable_json(key[1])}


def storable_json(value: Any) -> Any:
    """The value as JSON that every database keeps; what it cannot keep is made visible."""
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {storable_json(key): storable_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [storable_json(item) for item in value]
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value)


def _is_uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
