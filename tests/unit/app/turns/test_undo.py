"""A turn is taken back from its last change on: what came first is what the others were made upon."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID, uuid4

from agents.contract import Change
from agents.ports import Batch
from app.records.model.records import ChangeLog
from app.turns.model.turns import Turn
from app.turns.store.inbox import Inbox
from app.turns.undo import undo_change, undo_turn

AT = datetime(2026, 5, 6, 7, 8, tzinfo=UTC)
TURN = Turn(UUID(int=1), UUID(int=2), UUID(int=3), 1, "done", "nails", None, AT, "UTC", 1, 1, False, AT)  # noqa: FBT003 - as a row


def change(title: str, status: str = "applied") -> Change:
    made = {"id": str(uuid4()), "title": title, "status": status, "created_at": AT, "turn_id": str(TURN.id)}
    what: dict[str, Any] = {
        "op": "update",
        "kind": "todo",
        "record_id": "1",
        "fields": {},
        "before": None,
        "after": None,
    }
    return Change.model_validate({**made, **what, "cursor": 1, "agent": "update_todos", "seq": 0})


@dataclass
class Log:
    """A ledger that takes note of what it is asked to do."""

    made: list[Change]
    asked: list[Batch] = field(default_factory=list)

    async def changes_of_turn(self, user_id: str, *turn_ids: str) -> list[Change]:
        assert (user_id, turn_ids) == (str(TURN.user_id), (str(TURN.id),))
        return self.made

    async def change(self, user_id: str, change_id: str) -> Change | None:
        assert user_id == str(TURN.user_id)
        return next((one for one in self.made if one.id == change_id), None)

    async def made_together(self, user_id: str, together: str) -> list[Change]:
        assert user_id == str(TURN.user_id)
        return [one for one in self.made if one.together == together]

    async def apply(self, batch: Batch) -> list[Change]:
        self.asked.append(batch)
        return self.made


async def test_the_changes_that_stand_are_undone_the_newest_first() -> None:
    log = Log(
        [first := change("first"), change("refused", "failed"), change("undone", "undone"), last := change("last")]
    )
    await undo_turn(cast("ChangeLog", log), cast("Inbox", None), TURN, UUID(int=4))
    [batch] = log.asked
    assert [(one.op, one.undo_of) for one in batch.proposals] == [("undo", last.id), ("undo", first.id)]
    assert batch.origin == str(UUID(int=4))


async def test_one_change_is_undone_with_all_that_was_made_as_one() -> None:
    log = Log([one.model_copy(update={"together": "shed"}) for one in (change("first"), change("last"))])
    first, last = log.made
    await undo_change(cast("ChangeLog", log), TURN.user_id, UUID(first.id), UUID(int=4), "UTC")
    [batch] = log.asked
    assert [(one.undo_of, one.group) for one in batch.proposals] == [(last.id, "shed"), (first.id, "shed")]
