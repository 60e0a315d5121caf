"""Retention: prune fired reminders, deliveries, settled notifications and old events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from uuid import UUID

from app.ports import EVERYBODY
from app.storage.database import Database

USERS = "select user_id from all_users()"
OLD = {
    "reminders": "state = 'fired' and due_at < now() - make_interval(days => %(outbox_days)s)",
    "webhook_deliveries": "state <> 'pending' and finished_at < now() - make_interval(days => %(outbox_days)s)",
    "notifications": "fired_at < now() - make_interval(days => %(notification_days)s)",
    "replays": "created_at <= now() - interval '24 hours'",
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


@dataclass(frozen=True)
class Keeping:
    """How long things are kept, and how many events."""

    outbox_days: int
    notification_days: int
    event_log_days: int
    event_log_size: int


class Pruner:
    """Forgets what is older, of every user, each in a transaction of its own."""

    def __init__(self, database: Database, keeping: Keeping) -> None:
        self._database = database
        self._keeping = keeping

    async def prune(self) -> Mapping[str, int]:
        """Returns how many rows of each table are gone."""
        async with self._database.system() as conn:
            rows = await (await conn.execute(USERS)).fetchall()
        gone = dict.fromkeys(DELETE, 0)
        for user_id in (*(row["user_id"] for row in rows), EVERYBODY):
            for table, count in (await self._prune(user_id)).items():
                gone[table] += count
        return gone

    async def _prune(self, user_id: UUID) -> Mapping[str, int]:
        values = {**asdict(self._keeping), "user_id": user_id}
        async with self._database.tenant(user_id) as conn:
            await conn.execute("set local synchronous_commit = off")
            done = {table: await conn.execute(statement, values) for table, statement in DELETE.items()}
        return {table: cursor.rowcount for table, cursor in done.items()}
