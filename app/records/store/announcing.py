"""Notifications with their events and the jobs that tell them elsewhere, all in the caller's transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from app.database.database import Connection
from app.records.model.notices import Notification, NotificationKind, document_of
from app.records.store.event_log import insert_events

NOTIFY = """
insert into notifications (user_id, id, kind, record_kind, record_id, title, text, due_at, fired_at, late_seconds,
                           event_seq)
values (%(user_id)s, %(id)s, %(kind)s, %(record_kind)s, %(record_id)s, %(title)s, %(text)s, %(due_at)s, %(fired_at)s,
        %(late_seconds)s, %(event_seq)s)
"""

NUMBER = "select event_seq, now() as now from counters where user_id = %s"

Teller = Callable[[Connection, UUID, Sequence[Notification]], Awaitable[None]]
"""Adds, in the transaction of the notifications, the jobs that tell them elsewhere."""


async def announce(
    conn: Connection, user_id: UUID, notifications: Sequence[Notification], tellers: Sequence[Teller]
) -> None:
    """Keep notifications and tell them everywhere.

    The caller holds the user's row in ``counters``, and each ``event_seq`` is the number that its event will have.
    """
    for notification in notifications:
        await conn.execute(NOTIFY, {**asdict(notification), "user_id": user_id})
    await insert_events(conn, user_id, None, [("reminder.fired", document_of(one)) for one in notifications])
    for teller in tellers if notifications else ():
        await teller(conn, user_id, notifications)


@dataclass(frozen=True)
class News:
    """Something to tell a user at once; the same id is told once."""

    id: UUID
    kind: NotificationKind
    record_kind: str
    record_id: str
    title: str
    text: str


async def tell_now(conn: Connection, user_id: UUID, news: News, tellers: Sequence[Teller]) -> None:
    """Tell it as reminders are told; the caller holds the user's row in ``counters``."""
    [last] = await (await conn.execute(NUMBER, (user_id,))).fetchall()
    told = Notification(
        **asdict(news),
        due_at=last["now"],
        fired_at=last["now"],
        late_seconds=0,
        event_seq=last["event_seq"] + 1,
        outcome=None,
        acknowledged_at=None,
        snoozed_until=None,
    )
    await announce(conn, user_id, [told], tellers)
