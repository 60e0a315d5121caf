"""Reminders of held changes fire at their time all the same: an unanswered question must not swallow them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from agents.contract import Change
from agents.records import Kind
from agents.reminders import DAY_CHARS, Due
from app.database.database import Connection
from app.records.store.due_rows import HISTORY, REMINDING, expect

STILL_OPEN = "still open"
TIMES: dict[Kind, str] = {"todo": "remind_at", "note": "deadline"}
# Of a task that was made since, its own row tells; of one that was declined, nothing is told.
UNMADE = """
select record_id, title, held_status(user_id, id, expires_at) as status from changes
where user_id = %s and record_id = any(%s) and op = 'create' and kind in ('todo', 'note')
  and status = 'needs_confirmation'
  and not exists (select from changes answer where answer.user_id = changes.user_id and answer.confirms = changes.id)
"""


async def schedule_held(conn: Connection, user_id: UUID, rows: Sequence[Change]) -> None:
    """Schedule the reminders of held changes, and drop those of declined ones.

    They wait under the id that the task will have: made by a yes, it takes its row over, and what was told stays told.
    """
    for kind in REMINDING:
        waiting = {row.record_id: due for row in rows if row.kind == kind and row.record_id and (due := _due(row))}
        if waiting:
            await expect(conn, user_id, kind, list(waiting), waiting)
        declined = [row.record_id for row in rows if row.kind == kind and row.record_id and row.declines and _new(row)]
        if declined:
            await expect(conn, user_id, kind, declined, {})


async def held_rows(conn: Connection, user_id: UUID, records: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Held changes without an applied change, by id: title, and whether they can still be confirmed."""
    found = await (await conn.execute(UNMADE, (user_id, list(records)))).fetchall() if records else []
    return {
        row["record_id"]: {"title": row["title"], STILL_OPEN: row["status"] == "needs_confirmation"} for row in found
    }


def _due(row: Change) -> Due | None:
    """Its clock time, if it has one; a day alone needs no reminder while the change is held."""
    at = row.fields.get(TIMES[row.kind]) if row.status == "needs_confirmation" and _new(row) else None
    moment = datetime.fromisoformat(at) if isinstance(at, str) and len(at) > DAY_CHARS else None
    return Due(moment, stated=True) if moment and moment > row.created_at - HISTORY else None


def _new(row: Change) -> bool:
    return row.kind in TIMES and row.op == "create"
