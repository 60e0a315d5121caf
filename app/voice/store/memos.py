"""Voice memos: their states and transcripts; the bytes lie in the clip folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from psycopg import sql
from psycopg.types.json import Jsonb

from app.database.database import Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.voice.model import Memo, MemoState, MemoVersion, NewMemo, SpeechUse
from app.voice.store.recordings import LOCK, NullReception, Reception

# Where a memo stands after its words are known is said by what was committed elsewhere: its turn, and whether it still
# waits for the index, which keeps nothing of an order.
STATE = """
case when m.state <> 'transcribed' or coalesce(m.transcript, '') = '' then m.state
     when exists (select from turns t
                  where t.user_id = m.user_id and t.id = m.turn_id and t.state = 'done') then 'acted'
     when not exists (select from memory_queue q
                      where q.user_id = m.user_id and q.source = 'memo' and q.document = m.id::text) then 'indexed'
     else m.state end
"""
# The words that tell its sentences' topics apart, as topics show them.
TAGS = """
array(select distinct word from memory_units u join memory_topic_units t on t.user_id = u.user_id and t.unit = u.id
      cross join unnest(t.words) word
      where u.user_id = m.user_id and u.source = 'memo' and u.document = m.id::text and t.topic is not null
      order by word)
"""
COLUMNS = (
    f"id, title, transcript, language, segments, engine, confidence, captured_at, timezone, {STATE} as state, reason, "
    "retryable, outcome, tries, turn_id, container, size, duration_ms, created_at, updated_at, external_id, "
    f"transcript_id, {TAGS} as tags"
)
GET = f"select {COLUMNS} from memos m where user_id = %s and id = %s and deleted_at is null"  # noqa: S608
LATEST_MEMOS = f"""
select {COLUMNS} from memos m where user_id = %(user_id)s and deleted_at is null
  and (%(at)s::timestamptz is null or (captured_at, id) < (%(at)s::timestamptz, %(id)s::uuid))
  and (%(tag)s::text is null or %(tag)s = any ({TAGS}))
order by captured_at desc, id desc limit %(limit)s
"""  # noqa: S608

# The engine's words and their first correction are kept at the same moment, the former first.
VERSIONS = """
select id, transcript, segments, created_at, current from (
select v.id, v.text as transcript, v.segments, v.created_at,
       case when m.transcript_id is null then v.heard else v.id = m.transcript_id end as current, not v.heard as later
from memos m join memo_transcripts v on v.user_id = m.user_id and v.memo_id = m.id
where m.user_id = %(user_id)s and m.id = %(id)s and m.deleted_at is null
union all
select null, m.transcript, m.segments, m.updated_at, true, false
from memos m
where m.user_id = %(user_id)s and m.id = %(id)s and m.deleted_at is null and m.transcript is not null
  and m.transcript_id is null
  and not exists (select from memo_transcripts v where v.user_id = m.user_id and v.memo_id = m.id and v.heard)
) as versions
order by created_at, later, segments = '[]', id
"""
BEFORE_WORDS = ("transcribing", "failed")
"""What a worker says that was frozen, and has been overtaken, must not hide the words that are known by now."""
ADD = """
insert into memos (user_id, id, captured_at, timezone, state, container, size, sha256, title, external_id)
select %(user_id)s, %(id)s, %(captured_at)s, coalesce(%(timezone)s, u.settings->>'timezone', %(usual_timezone)s),
       'received', %(container)s, %(size)s, %(sha256)s, %(title)s, %(external_id)s
from users u where u.user_id = %(user_id)s
on conflict do nothing returning id
"""
RETRY = """
update memos set state = 'received', reason = null, outcome = null, retryable = false, tries = 0, updated_at = now()
where user_id = %s and id = %s and state = 'failed' and deleted_at is null returning id
"""
SHA256 = "select sha256 from memos where user_id = %s and id = %s"
AWAITED = "select 1 from turns where user_id = %s and memo_id = %s and state in ('queued', 'running')"
RECENT_SPEECH_USE = """
select (coalesce(sum(duration_ms), 0) + (
           select coalesce(sum(h.duration_ms), 0) from heard_clips h
           where h.user_id = %(user_id)s and h.heard_at > now() - interval '24 hours'))::float8 / 60000 as minutes,
       count(*) filter (where state in ('receiving', 'received', 'transcribing')) as waiting
from memos where user_id = %(user_id)s and container <> 'text' and created_at > now() - interval '24 hours'
"""
INSERT_HEARD_CLIP = "insert into heard_clips (user_id, id, duration_ms) values (%s, %s, %s)"


class Memos:
    """Memos over Postgres; ``reception`` is for those who make them."""

    def __init__(self, database: Database, reception: Reception | None = None, usual_timezone: str = "UTC") -> None:
        self._database = database
        self._reception = reception or NullReception()
        self._usual_timezone = usual_timezone

    async def get(self, user_id: UUID, memo_id: UUID) -> Memo | None:
        """One memo."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, memo_id))).fetchone()
        return Memo(**row) if row else None

    async def lately(self, user_id: UUID) -> SpeechUse:
        """What of the last 24 hours counts against the limits of speech; what was deleted counts as well."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(RECENT_SPEECH_USE, {"user_id": user_id})).fetchone()
        return SpeechUse(**row or {"minutes": 0.0, "waiting": 0})

    async def count_transcription(self, user_id: UUID, duration_ms: int) -> None:
        """Count a recording that was heard and is not kept."""
        async with self._database.one_statement(user_id) as conn:
            await conn.execute(INSERT_HEARD_CLIP, (user_id, uuid4(), duration_ms))

    async def list(self, user_id: UUID, limit: int, cursor: str | None, tag: str | None = None) -> Page:
        """Memos, the latest first; with a ``tag``, those that have it."""
        at, last = decode_latest(cursor)
        values = {"user_id": user_id, "at": at, "id": last, "limit": limit + 1, "tag": tag}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LATEST_MEMOS, values)).fetchall()
        return page([Memo(**row) for row in rows], limit, lambda memo: (memo.captured_at.isoformat(), memo.id))

    async def versions(self, user_id: UUID, memo_id: UUID) -> Sequence[MemoVersion]:
        """Every wording that a memo had, the first one first; none before it has words."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(VERSIONS, {"user_id": user_id, "id": memo_id})).fetchall()
        return [MemoVersion(**row) for row in rows]

    async def set_state(self, user_id: UUID, memo_id: UUID, state: MemoState, **values: Any) -> None:
        """Move a memo on; ``values`` are columns such as transcript, segments, reason, retryable.

        One that has its words is neither being transcribed nor failed any more: nothing happens then.
        """
        columns = {"state": state, **values}
        if "segments" in columns:
            columns["segments"] = Jsonb(columns["segments"])
        pairs = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(name)) for name in columns)
        query = sql.SQL("update memos set {}, updated_at = now() where user_id = %s and id = %s").format(pairs)
        if state in BEFORE_WORDS:
            query += sql.SQL(" and coalesce(transcript, '') = ''")
        async with self._database.tenant(user_id) as conn:
            await conn.execute(query, (*columns.values(), user_id, memo_id))

    async def add(self, user_id: UUID, new: NewMemo) -> bool:
        """Keep a memo that no turn waits for and have it transcribed; False where one with this id is there already."""
        values = {**vars(new), "user_id": user_id, "usual_timezone": self._usual_timezone}
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            added = await (await conn.execute(ADD, values)).fetchone()
            if added:
                await self._reception.add_to_ledger(conn, user_id, new.id)
                await self._reception.defer_transcription(conn, user_id, new.id)
        self._reception.wake(user_id)
        return added is not None

    async def retry(self, user_id: UUID, memo_id: UUID) -> bool:
        """Have a failed memo transcribed again; False for one in another state, or none."""
        async with self._database.tenant(user_id) as conn:
            found = await (await conn.execute(RETRY, (user_id, memo_id))).fetchone()
            if found:
                await self._reception.defer_transcription(conn, user_id, memo_id)
        return found is not None

    async def first_sha256(self, user_id: UUID, memo_id: UUID) -> bytes | None:
        """The digest of what a memo was made of at first."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(SHA256, (user_id, memo_id))).fetchone()
        return bytes(row["sha256"]) if row else None

    async def is_awaited(self, user_id: UUID, memo_id: UUID) -> bool:
        """Whether a turn still waits for the words of this memo, or is acting on them."""
        async with self._database.one_statement(user_id) as conn:
            return await (await conn.execute(AWAITED, (user_id, memo_id))).fetchone() is not None
