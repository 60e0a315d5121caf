"""Mail that waits for a yes, in Postgres: a yes and its job are committed together, and it is sent at most once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID, uuid5

from app.database.database import Connection, Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.database.signals import Signals
from app.errors import Conflict
from app.records.store.announcing import News, Teller, tell_now
from app.work.mail.model import DECIDABLE, MailStatus, NewMail, OutgoingMail

COLUMNS = (
    "user_id, id, account_id, account, sender, recipients, subject, text, workflow, run_id, status, message, "
    "generation, decided_in, created_at, decided_at, sent_at"
)
LOCK = "select 1 from counters where user_id = %s for update"
WAITING = "select count(*) as waiting from outgoing_mail where user_id = %s and id <> %s and status = any(%s)"
HOLD = f"""
insert into outgoing_mail (user_id, id, account_id, account, sender, recipients, subject, text, workflow, run_id)
values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) on conflict (user_id, id) do nothing returning {COLUMNS}
"""  # noqa: S608
GET = f"select {COLUMNS} from outgoing_mail where user_id = %s and id = %s"  # noqa: S608
LATEST_MAIL = f"""
select {COLUMNS} from outgoing_mail where user_id = %(user_id)s
  and (%(status)s::text[] is null or status = any(%(status)s))
  and (%(at)s::timestamptz is null or (created_at, id) < (%(at)s, %(id)s))
order by created_at desc, id desc limit %(limit)s
"""  # noqa: S608
DECIDE = f"""
update outgoing_mail set status = %s, decided_in = %s, decided_at = now(), message = ''
where user_id = %s and id = %s and status = any(%s) returning {COLUMNS}
"""  # noqa: S608
CLOSE_MAIL_NOTIFICATION = """
update notifications set outcome = coalesce(outcome, 'done'), acknowledged_at = coalesce(acknowledged_at, now())
where user_id = %s and record_kind = 'mail' and record_id = %s
"""
CLAIM = f"""
update outgoing_mail set status = 'sending', generation = generation + 1
where user_id = %s and id = %s and status = 'approved' returning {COLUMNS}
"""  # noqa: S608
LOST = f"""
update outgoing_mail set status = 'unknown', message = %s
where user_id = %s and id = %s and status = 'sending' returning {COLUMNS}
"""  # noqa: S608
# A worker that was taken for dead knows better than the one that came after it.
END = f"""
update outgoing_mail set status = %(status)s, message = %(message)s,
    sent_at = case when %(status)s = 'sent' then now() end
where user_id = %(user_id)s and id = %(id)s and generation = %(generation)s
  and (status = 'sending' or status = 'unknown' and %(status)s <> 'unknown')
returning {COLUMNS}
"""  # noqa: S608
WITHOUT_JOB = "select owner, mail from outgoing_mail_without_job(%s)"
STILL_OPEN = """
select id from outgoing_mail where user_id = %s and id = %s and status in ('approved', 'sending') for update
"""
HELD = "Mail to {to} needs your confirmation: “{subject}”."
FAILED = "Mail to {to} did not go out: “{subject}”. {message} You may send it again, or drop it."
UNKNOWN = (
    "Nobody knows whether mail to {to} went out: “{subject}”. {message} Look into the account, or ask whom it is for; "
    "then send it again, or drop it."
)
TELLING: dict[MailStatus, str] = {"held": HELD, "failed": FAILED, "unknown": UNKNOWN}
CUT_SHORT = "The server was stopped while it was being sent."
MOST_NAMED = 3

DeferMail = Callable[[Connection, UUID, UUID], Awaitable[None]]
"""Adds the job of a mail in a transaction."""


class Outbox:
    """What waits for a yes, as steps and doors use it. ``most`` is how many of a user's may wait."""

    def __init__(
        self, database: Database, signals: Signals, defer: DeferMail, tellers: Sequence[Teller] = (), *, most: int
    ) -> None:
        self._database = database
        self._signals = signals
        self._defer = defer
        self._tellers = tellers
        self._most = most

    async def hold(self, new: NewMail) -> OutgoingMail:
        """Keep it until its user decides, and ask; the same id again asks nothing. Raises Conflict at the limit."""
        account = new.account
        content = (list(new.recipients), new.subject, new.text, new.workflow, new.run_id)
        values = (new.user_id, new.id, account.id, account.name, account.address, *content)
        async with self._database.tenant(new.user_id) as conn:
            await conn.execute(LOCK, (new.user_id,))
            [row] = await (await conn.execute(WAITING, (new.user_id, new.id, list(DECIDABLE)))).fetchall()
            if row["waiting"] >= self._most:
                raise Conflict(f"{self._most} mails wait for a yes already.", hint="Send or drop some of them first.")
            made = await (await conn.execute(HOLD, values)).fetchone()
            if made:
                await self._tell(conn, OutgoingMail(**made))
            [kept] = await (await conn.execute(GET, (new.user_id, new.id))).fetchall()
        self._signals.wake(new.user_id)
        return OutgoingMail(**kept)

    async def list(self, user_id: UUID, limit: int, cursor: str | None, *, waiting: bool) -> Page:
        """The latest first; ``waiting`` are those that its user may still decide."""
        at, last = decode_latest(cursor)
        status = list(DECIDABLE) if waiting else None
        values = {"user_id": user_id, "status": status, "at": at, "id": last, "limit": limit + 1}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LATEST_MAIL, values)).fetchall()
        return page([OutgoingMail(**row) for row in rows], limit, lambda one: (one.created_at.isoformat(), one.id))

    async def get(self, user_id: UUID, mail_id: UUID) -> OutgoingMail | None:
        """One of them."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, mail_id))).fetchone()
        return OutgoingMail(**row) if row else None

    async def decide(self, user_id: UUID, mail_id: UUID, *, send: bool, turn: str | None = None) -> OutgoingMail | None:
        """Send it, with its job in the same transaction, or drop it; None when it is not to be decided (any more)."""
        status = "approved" if send else "rejected"
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            values = (status, turn, user_id, mail_id, list(DECIDABLE))
            row = await (await conn.execute(DECIDE, values)).fetchone()
            if row:
                await conn.execute(CLOSE_MAIL_NOTIFICATION, (user_id, str(mail_id)))
            if row and send:
                await self._defer(conn, user_id, mail_id)
        self._signals.wake(user_id)
        return OutgoingMail(**row) if row else None

    async def claim(self, user_id: UUID, mail_id: UUID) -> OutgoingMail | None:
        """Commit that it is being sent. One that was being sent already becomes ``unknown``, and is told; then None."""
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            row = await (await conn.execute(CLAIM, (user_id, mail_id))).fetchone()
            lost = None if row else await (await conn.execute(LOST, (CUT_SHORT, user_id, mail_id))).fetchone()
            if lost:
                await self._tell(conn, OutgoingMail(**lost))
        self._signals.wake(user_id)
        return OutgoingMail(**row) if row else None

    async def end(self, mail: OutgoingMail, status: MailStatus, message: str = "") -> None:
        """What became of it; told unless it went out."""
        values = {**vars(mail), "status": status, "message": message}
        async with self._database.tenant(mail.user_id) as conn:
            await conn.execute(LOCK, (mail.user_id,))
            row = await (await conn.execute(END, values)).fetchone()
            if row and status in TELLING:
                await self._tell(conn, OutgoingMail(**row))
            elif row:
                await conn.execute(CLOSE_MAIL_NOTIFICATION, (mail.user_id, str(mail.id)))
        self._signals.wake(mail.user_id)

    async def defer_lost(self, limit: int) -> int:
        """Put what has its yes and no job into the queue; returns how many."""
        found = await self._database.rows(WITHOUT_JOB, (limit,))
        for row in found:
            async with self._database.tenant(row["owner"]) as conn:
                if await (await conn.execute(STILL_OPEN, (row["owner"], row["mail"]))).fetchone():
                    await self._defer(conn, row["owner"], row["mail"])
        return len(found)

    async def _tell(self, conn: Connection, mail: OutgoingMail) -> None:
        """Once for each state and try."""
        to = ", ".join(mail.recipients[:MOST_NAMED]) + (" and others" if len(mail.recipients) > MOST_NAMED else "")
        text = TELLING[mail.status].format(to=to, subject=mail.subject, message=mail.message)
        told = uuid5(mail.id, f"{mail.status} {mail.generation}")
        await tell_now(
            conn, mail.user_id, News(told, "question", "mail", str(mail.id), mail.subject, text), self._tellers
        )
