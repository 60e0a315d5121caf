"""The audit log, which triggers write, as it is read."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from app.database.database import Database
from app.database.model import Page
from app.database.paging import decode, foreign, page
from app.http.accounts.model.audit import AuditEntry, Refusal

OWN = """
select user_id, id, at, actor, action, subject from audit_log
where user_id = %(user_id)s and (%(before)s::bigint is null or id < %(before)s::bigint)
order by id desc limit %(limit)s
"""
EVERYBODY = "select * from audit_of_everybody(%(before)s, %(limit)s)"
MAX_BIGINT = 2**63 - 1


class AuditLog:
    """The log is written by the database itself; here it is read, and told of what never got as far."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, user_id: UUID | None, limit: int, cursor: str | None) -> Page:
        """One page, the latest first; raises InvalidInput for a cursor of another list."""
        values: dict[str, Any] = {"user_id": user_id, "before": _before(cursor), "limit": limit + 1}
        around = self._database.one_statement(user_id) if user_id else self._database.system()
        async with around as conn:
            rows = await (await conn.execute(OWN if user_id else EVERYBODY, values)).fetchall()
        return page([AuditEntry(**row) for row in rows], limit, lambda entry: (str(entry.id),))

    async def record_refusal(self, actor: str, action: Refusal, subject: str) -> None:
        """Tell of somebody who proved to be nobody; it is the whole server's affair."""
        await self._database.rows("select note_refusal(%s, %s, %s)", (actor, action, subject))


def _before(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    [text] = decode(cursor, 1)
    if not (text.isascii() and text.isdigit() and int(text) <= MAX_BIGINT):
        raise foreign()
    return int(text)
