"""The rows of memos follow their records in the ledger: title, words in force, and whether they are deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from agents.records import Kind
from app.database.database import Connection
from app.records.store.derived import Touched

HIDE = "update memos set deleted_at = now(), updated_at = now() where user_id = %s and id = %s"
# A record that names no version has the engine's words. Those that were edited before the engine had any are gone with
# the edit: the clip waits to be tried again.
SHOW = """
update memos m set
    deleted_at = null,
    external_id = %(external_id)s,
    captured_at = %(captured_at)s,
    timezone = coalesce(%(timezone)s, m.timezone),
    transcript = case when v.id is not null then v.text when m.transcript_id is null then m.transcript end,
    segments = case when v.id is not null then v.segments when m.transcript_id is null then m.segments else '[]' end,
    title = coalesce(nullif(%(title)s, ''),
                     first_words(case when v.id is not null then v.text
                                      when m.transcript_id is null then m.transcript end)),
    state = case when v.id is not null then 'transcribed'
                 when m.transcript_id is not null or (m.deleted_at is not null and m.transcript is null) then 'failed'
                 else m.state end,
    reason = case when v.id is not null then null
                  when m.transcript_id is not null or (m.deleted_at is not null and m.transcript is null) then %(again)s
                  else m.reason end,
    retryable = case when v.id is not null then false
                     when m.transcript_id is not null or (m.deleted_at is not null and m.transcript is null) then true
                     else m.retryable end,
    transcript_id = case when not v.heard then v.id end,
    updated_at = now()
from (select 1) one left join memo_transcripts v on v.user_id = %(user_id)s and v.memo_id = %(id)s
  and (v.id = %(transcript_id)s or (%(transcript_id)s::uuid is null and v.heard))
where m.user_id = %(user_id)s and m.id = %(id)s
"""
NO_WORDS_LEFT = "There are no words for this recording; have it transcribed again."


class MemoRows:
    """Keeps the rows of memos true to their records."""

    kinds: ClassVar[frozenset[Kind]] = frozenset({"memo"})

    async def derive(self, conn: Connection, user_id: UUID, touched: Sequence[Touched]) -> None:
        """Hide the memos whose records are gone, and show the others as their records say."""
        for one in touched:
            if one.record is None:
                await conn.execute(HIDE, (user_id, UUID(one.record_id)))
            else:
                await conn.execute(SHOW, {**_row_values(one.record), "user_id": user_id, "id": UUID(one.record_id)})


def _row_values(record: dict[str, Any]) -> dict[str, Any]:
    values = {name: record.get(name) for name in ("title", "external_id", "captured_at", "timezone")}
    transcript = record["transcript_id"]
    return {**values, "transcript_id": UUID(transcript) if transcript else None, "again": NO_WORDS_LEFT}
