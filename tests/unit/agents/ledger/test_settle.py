"""What a batch settles to, with no ledger around it: who falls with whom, and how long a held change waits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agents.contract import Change, Proposal
from agents.ledger.atomic_groups import undoing
from agents.ledger.batch import LoadedBatch, RecordKey
from agents.ledger.settle import settle
from agents.ports import Batch

SAID = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)


def settled(loaded: LoadedBatch, *proposals: Proposal) -> list[Change]:
    batch = Batch(user_id="u", origin="o", agent="a", proposals=list(proposals), at=SAID, timezone="UTC")
    return settle(batch, loaded)


def create(task: str, **how: str) -> Proposal:
    return Proposal(op="create", kind="todo", fields={"task": task}, **how)


def key_of(change: Change) -> RecordKey:
    return change.kind, change.record_id or ""


def test_what_was_made_as_one_is_taken_back_as_one_or_not_at_all() -> None:
    loaded = LoadedBatch(cursor=0)
    first, second = settled(loaded, create("nails", group="shed"), create("glue", group="shed"))
    changed = {**(second.after or {}), "priority": "high", "version": 2}
    now = {key_of(first): first.after, key_of(second): changed}
    later = LoadedBatch(cursor=2, records=dict(now), targets={row.id: row for row in (first, second)})
    assert [row.status for row in settled(later, *undoing(first, [first, second], "undo"))] == ["failed", "failed"]
    assert (later.records, later.touched) == (now, set())


def test_what_one_group_did_to_one_item_is_taken_back_from_the_end() -> None:
    loaded = LoadedBatch(cursor=0)
    named = create("nails", group="shed").model_copy(update={"record_id": "1"})
    told = Proposal(op="update", kind="todo", record_id="1", fields={"notes": "of steel"}, group="shed")
    made = settled(loaded, named, told)
    assert [row.status for row in made] == ["applied", "applied"]
    later = LoadedBatch(cursor=2, records=dict(loaded.records), targets={row.id: row for row in made})
    assert [row.status for row in settled(later, *undoing(made[0], made, "undo"))] == ["applied", "applied"]
    assert later.records == {key_of(made[0]): None}


def test_a_held_change_waits_from_when_it_is_held_on_however_old_its_message_is() -> None:
    [held] = settled(LoadedBatch(cursor=0, now=NOW, patience=timedelta(hours=5)), create("milk", hold="first a yes"))
    assert (held.status, held.expires_at) == ("needs_confirmation", datetime(2026, 11, 24, 14, tzinfo=UTC))
