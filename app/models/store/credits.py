"""Credits over Postgres: every movement is a row of a ledger that is only added to, under the account's lock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from app.database.database import Database
from app.models.model.credits import CreditAccount, DayUsage, Spending

HOLD = "select hold_credits(%s, %s, %s, %s, %s, make_interval(secs => %s)) as done"
SETTLE = "select settle_credits(%s, %s, %s, %s, %s, %s, %s, %s, %s) as done"
RELEASE = "select release_credits(%s, %s, %s) as done"
OPEN = "select (credit_account(%s, %s)).available as done"
GRANT = "select grant_credits(%s, %s, %s, %s) as done"
# The totals stand in the account: an old one is read as fast as a new one.
ACCOUNT = "select available, held, spent, granted from credit_accounts where user_id = %s"
USAGE = """
select (created_at at time zone 'utc')::date as day, coalesce(model, '') as model, count(*) as calls,
       sum(tokens_in)::bigint as tokens_in, sum(tokens_out)::bigint as tokens_out,
       sum(micros)::bigint as micros, sum(spent)::bigint as credits
from credit_entries
where user_id = %s and kind = 'settle' and created_at >= %s::date at time zone 'utc'
  and created_at < (%s::date + 1) at time zone 'utc'
group by 1, 2 order by 1 desc, 2
"""


class Credits:
    """Accounts open themselves with ``starter`` credits; holds older than ``stale_seconds`` are given back."""

    def __init__(self, database: Database, *, starter: int, stale_seconds: float) -> None:
        self._database = database
        self._starter = starter
        self._stale_seconds = stale_seconds

    async def hold(self, user_id: UUID, hold: UUID, credits_: int, turn_id: UUID | None) -> bool:
        """Hold credits for a call; False when the user has not enough."""
        values = (user_id, hold, credits_, turn_id, self._starter, self._stale_seconds)
        return bool(await self._execute(user_id, HOLD, values))

    async def settle(self, user_id: UUID, hold: UUID, turn_id: UUID | None, spent: Spending) -> int:
        """Pay for a call; the credits taken."""
        used = (spent.model, spent.tokens_in, spent.tokens_out, spent.micros, spent.credits)
        return int(await self._execute(user_id, SETTLE, (user_id, hold, turn_id, *used, self._starter)))

    async def release(self, user_id: UUID, hold: UUID) -> None:
        """Release a reservation; harmless if there is none."""
        await self._execute(user_id, RELEASE, (user_id, hold, self._starter))

    async def grant(self, user_id: UUID, entry: UUID, credits_: int) -> CreditAccount:
        """Add credits, once for each ``entry``; the account as it is then."""
        await self._execute(user_id, GRANT, (user_id, entry, credits_, self._starter))
        return await self.account(user_id)

    async def account(self, user_id: UUID) -> CreditAccount:
        """The account; a new one has the starter credits."""
        async with self._database.tenant(user_id) as conn:
            await (await conn.execute(OPEN, (user_id, self._starter))).fetchone()
            row = await (await conn.execute(ACCOUNT, (user_id,))).fetchone()
        if row is None:
            raise LookupError("the account was not opened")
        return CreditAccount(**row)

    async def usage(self, user_id: UUID, first: date, last: date) -> Sequence[DayUsage]:
        """What was used from one day to another, both included, the latest first."""
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(USAGE, (user_id, first, last))).fetchall()
        return [DayUsage(**row) for row in rows]

    async def _execute(self, user_id: UUID, statement: str, values: tuple[Any, ...]) -> Any:
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(statement, values)).fetchone()
        return row["done"] if row else None
