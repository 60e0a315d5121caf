"""Retention: old reminders, deliveries, notifications, events and answers go, deleted memos and old recordings, too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from uuid import UUID

from app.database.database import Database
from app.principal import EVERYBODY

USERS = "select user_id from all_users()"
OLD = {
    "reminders": "state = 'fired' and due_at < now() - make_interval(days => %(outbox_days)s)",
    "webhook_deliveries": "state <> 'pending' and finished_at < now() - make_interval(days => %(outbox_days)s)",
    "notifications": "fired_at < now() - make_interval(days => %(notification_days)s)",
    "replays": "created_at <= now() - interval '24 hours'",
    "heard_clips": "heard_at <= now() - interval '24 hours'",
    # By number, so that what is kept has no gaps.
    "turn_events": """seq <= greatest(
        (select event_seq from counters where user_id = %(user_id)s) - %(event_log_size)s,
        (select max(seq) from turn_events
         where user_id = %(user_id)s and ts < now() - make_interval(days => %(event_log_days)s)))""",
}
DELETE = {
    table: f"delete from {table} where user_id = %(user_id)s and {condition}"  # noqa: S608 - tables of ours
    for table, condition in OLD.items()
}


DELETED_MEMOS = """
select id from memos where user_id = %(user_id)s
  and deleted_at < now() - make_interval(secs => %(memo_days)s * 86400)
"""
HEARD_LONG_AGO = """
select id from memos where user_id = %(user_id)s and container <> 'text' and state in ('transcribed', 'needs_you')
  and transcript is not null and created_at < now() - make_interval(secs => %(audio_days)s::float8 * 86400)
"""
IN_WORDS = "update memos set container = 'text', size = 0 where user_id = %s and id = %s"
PURGE_MEMO = "delete from memos where user_id = %s and id = %s and deleted_at is not null"
DropClip = Callable[[UUID, UUID], Awaitable[None]]


async def _no_clips(_user_id: UUID, _memo_id: UUID) -> None:
    """Where there is no folder of recordings."""


@dataclass(frozen=True)
class Keeping:
    """How long things are kept, and how many events; recordings for ever where ``audio_days`` is None."""

    outbox_days: int
    notification_days: int
    event_log_days: int
    event_log_size: int
    memo_days: float = 30.0
    audio_days: float | None = None


class Pruner:
    """Forgets what is older, of every user, each in a transaction of its own; ``drop_clip`` removes a recording."""

    def __init__(self, database: Database, keeping: Keeping, drop_clip: DropClip = _no_clips) -> None:
        self._database = database
        self._keeping = keeping
        self._drop_clip = drop_clip

    async def prune(self) -> Mapping[str, int]:
        """Returns how many rows of each table are gone."""
        async with self._database.system() as conn:
            rows = await (await conn.execute(USERS)).fetchall()
        gone = dict.fromkeys([*DELETE, "memos", "recordings"], 0)
        for user_id in (*(row["user_id"] for row in rows), EVERYBODY):
            for table, count in (await self._prune(user_id)).items():
                gone[table] += count
            gone["memos"] += await self._purge_memos(user_id)
            gone["recordings"] += await self._drop_recordings(user_id)
        return gone

    async def _purge_memos(self, user_id: UUID) -> int:
        """Remove memos that were deleted long ago: the recording first, so that none is left without its row."""
        return await self._without_clip(user_id, DELETED_MEMOS, PURGE_MEMO)

    async def _drop_recordings(self, user_id: UUID) -> int:
        """Remove recordings that were heard long ago; their memos are ones in words from then on."""
        if self._keeping.audio_days is None:
            return 0
        return await self._without_clip(user_id, HEARD_LONG_AGO, IN_WORDS)

    async def _without_clip(self, user_id: UUID, which: str, then: str) -> int:
        """Remove the recordings of some memos, each before its row: a crash in between is made up for."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(which, {**asdict(self._keeping), "user_id": user_id})).fetchall()
        for row in rows:
            await self._drop_clip(user_id, row["id"])
            async with self._database.tenant(user_id) as conn:
                await conn.execute(then, (user_id, row["id"]))
        return len(rows)

    async def _prune(self, user_id: UUID) -> Mapping[str, int]:
        values = {**asdict(self._keeping), "user_id": user_id}
        async with self._database.tenant(user_id) as conn:
            await conn.execute("set local synchronous_commit = off")
            done = {table: await conn.execute(statement, values) for table, statement in DELETE.items()}
        return {table: cursor.rowcount for table, cursor in done.items()}
