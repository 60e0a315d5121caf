"""Credits: concurrent calls cannot overspend, and whatever fails or is killed, the ledger adds up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from app.database.database import Connection, Database
from app.http.accounts.store.users import Users
from app.models.llm.billing import CreditBilling, Prices
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import RetryBudget, Tokens
from app.models.llm.requests import ModelTarget
from app.models.metering import Meter
from app.models.model.credits import CreditAccount, Spending
from app.models.store.credits import Credits
from app.principal import Principal, acting_as
from tests.support.waiting import HANG_SECONDS

FAR = ModelTarget("https://models.example/v1", "big")
DRIFT = """
select a.available - coalesce(sum(e.available), 0) as available, a.held - coalesce(sum(e.held), 0) as held,
       a.held - (select coalesce(sum(h.credits), 0) from credit_holds h where h.user_id = a.user_id) as holds,
       a.spent - coalesce(sum(e.spent), 0) as spent,
       a.granted - coalesce(sum(e.available) filter (where e.kind = 'grant'), 0) as granted
from credit_accounts a left join credit_entries e on e.user_id = a.user_id
where a.user_id = %s group by a.available, a.held, a.spent, a.granted, a.user_id
"""
NO_DRIFT = [0] * 5
CALLS = """
select count(settle_credits(%(user)s, gen_random_uuid(), null, 'big', 10, 5, 1000, 1, 20000))
from generate_series(1, 1000)
"""
READ = """
select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where relname = 'credit_entries'
"""


class CountingDatabase(Database):
    """Counts the entries of accounts that are read."""

    entries_read = 0

    @asynccontextmanager
    async def tenant(self, user_id: UUID | None = None) -> AsyncIterator[Connection]:
        async with super().tenant(user_id) as conn:
            yield conn
            row = await (await conn.execute(READ)).fetchone()
            self.entries_read += row["rows"] if row else 0


@pytest.fixture
async def ada(database: Database) -> AsyncIterator[UUID]:
    user = await Users(database).create("Ada", uuid4())
    with acting_as(Principal(user.id)):
        yield user.id


@pytest.fixture
def accounts(database: Database) -> Credits:
    return Credits(database, starter=1000, stale_seconds=900)


def spending(cost: int) -> Spending:
    return Spending("big", 10, 5, cost * 1000, cost)


async def drift(database: Database, user: UUID) -> list[int]:
    async with database.tenant(user) as conn:
        row = await (await conn.execute(DRIFT, (user,))).fetchone()
    assert row is not None
    return [int(value) for value in row.values()]


async def test_an_account_opens_with_the_starter_credits(accounts: Credits, ada: UUID) -> None:
    assert await accounts.account(ada) == CreditAccount(available=1000, held=0, spent=0, granted=1000)


async def test_a_call_is_held_and_then_settled_on_what_it_used(accounts: Credits, ada: UUID) -> None:
    hold = uuid4()
    assert await accounts.hold(ada, hold, 100, None)
    assert await accounts.account(ada) == CreditAccount(available=900, held=100, spent=0, granted=1000)
    assert await accounts.settle(ada, hold, None, spending(7)) == 7
    assert await accounts.account(ada) == CreditAccount(available=993, held=0, spent=7, granted=1000)


async def test_more_than_there_is_cannot_be_held_nor_taken(accounts: Credits, ada: UUID) -> None:
    assert not await accounts.hold(ada, uuid4(), 1001, None)
    hold = uuid4()
    assert await accounts.hold(ada, hold, 1000, None)
    assert await accounts.settle(ada, hold, None, spending(5000)) == 1000
    assert (await accounts.account(ada)).available == 0


async def test_a_release_gives_all_back_and_a_second_one_nothing(accounts: Credits, ada: UUID) -> None:
    hold = uuid4()
    await accounts.hold(ada, hold, 10, None)
    await accounts.release(ada, hold)
    await accounts.release(ada, hold)
    assert await accounts.account(ada) == CreditAccount(available=1000, held=0, spent=0, granted=1000)


async def test_what_a_killed_server_left_held_is_given_back(database: Database, ada: UUID) -> None:
    before = Credits(database, starter=1000, stale_seconds=900)
    forgotten = uuid4()
    await before.hold(ada, forgotten, 1000, None)
    assert not await before.hold(ada, uuid4(), 1, None)
    after = Credits(database, starter=1000, stale_seconds=0)
    assert await after.hold(ada, uuid4(), 600, None)
    assert await after.settle(ada, forgotten, None, spending(500)) == 400
    assert await drift(database, ada) == NO_DRIFT


async def test_the_same_grant_adds_once(accounts: Credits, ada: UUID) -> None:
    entry = uuid4()
    await accounts.grant(ada, entry, 500)
    assert (await accounts.grant(ada, entry, 500)).available == 1500


async def test_an_account_with_a_thousand_calls_is_used_without_reading_them(database_url: str) -> None:
    async with CountingDatabase(database_url) as database:
        ada = (await Users(database).create("Ada", uuid4())).id
        accounts, hold = Credits(database, starter=20_000, stale_seconds=900), uuid4()
        async with database.tenant(ada) as conn:
            await (await conn.execute(CALLS, {"user": ada})).fetchone()
        database.entries_read = 0
        assert await accounts.hold(ada, hold, 100, None)
        assert await accounts.settle(ada, hold, None, spending(7)) == 7
        account = await accounts.grant(ada, uuid4(), 5)
        assert account == CreditAccount(available=18_998, held=0, spent=1007, granted=20_005)
        assert database.entries_read == 0
        assert await drift(database, ada) == NO_DRIFT
        assert database.entries_read > 1000  # so it does count


async def test_usage_is_told_by_day_and_model(accounts: Credits, ada: UUID) -> None:
    for _ in range(3):
        await accounts.settle(ada, uuid4(), None, spending(2))
    today = datetime.now(UTC).date()
    [row] = await accounts.usage(ada, today, today)
    assert (row.model, row.calls, row.tokens_in, row.tokens_out, row.micros, row.credits) == ("big", 3, 30, 15, 6000, 6)


async def test_two_hundred_concurrent_calls_that_fail_and_die_leave_no_drift(
    database: Database, accounts: Credits, ada: UUID
) -> None:
    dice = random.Random(7)
    await accounts.account(ada)
    used = Tokens(1000, 400)  # 3 credits
    calls = [asyncio.create_task(_call(accounts, dice.random(), used)) for _ in range(200)]
    await asyncio.sleep(0.05)
    for call in dice.sample(calls, 40):
        call.cancel()
    done = await asyncio.gather(*calls, return_exceptions=True)
    paid = sum(credits_ for credits_ in done if isinstance(credits_, int))
    account = await accounts.account(ada)
    assert account.held == 0
    assert account.available + account.spent == 1000
    assert account.available >= 0
    assert account.spent >= paid > 0
    assert await drift(database, ada) == NO_DRIFT
    assert any(isinstance(outcome, ModelFailed) and outcome.kind == "out of credits" for outcome in done)


async def _call(accounts: Credits, luck: float, used: Tokens) -> int:
    meter = Meter()
    till = CreditBilling(accounts, Prices(), FAR, enforced=True)
    patience = RetryBudget(meter, till, retries=0, backoff_seconds=0, seconds=HANG_SECONDS, budget_seconds=HANG_SECONDS)

    async def ask() -> AsyncGenerator[str, None]:
        await asyncio.sleep(luck / 20)
        if luck < 0.3:
            raise ModelFailed("server error")
        yield "fine"

    async with aclosing(patience.stream(ask(), Tokens(20_000, 2000), lambda: used)) as pieces:
        assert [piece async for piece in pieces] == ["fine"]
    return meter.credits


@pytest.mark.parametrize(
    ("target", "used", "credits_"),
    [
        (FAR, Tokens(1000, 400), 3),
        (FAR, Tokens(1, 0), 1),
        (FAR, Tokens(1000, 0), 1),
        (FAR, Tokens(1001, 0), 2),
        (ModelTarget("https://models.example/v1", "listed"), Tokens(1_000_000, 100_000), 450),
        (ModelTarget("http://127.0.0.1:11434/v1", "own"), Tokens(1_000_000, 1_000_000), 0),
        (ModelTarget("http://localhost:11434/v1", "listed"), Tokens(1_000_000, 0), 250),
    ],
)
def test_credits_are_thousandths_of_a_dollar_rounded_up(target: ModelTarget, used: Tokens, credits_: int) -> None:
    assert Prices(listed={"listed": (0.25, 2.0)}).credits(target, used) == credits_


async def test_what_a_dead_try_of_a_turn_held_is_given_back_once(
    database: Database, accounts: Credits, ada: UUID
) -> None:
    turn, other = uuid4(), uuid4()
    for held_for in (turn, turn, other):
        assert await accounts.hold(ada, uuid4(), 100, held_for)
    for found in (turn, turn, uuid4()):
        async with database.tenant(ada) as conn:
            await conn.execute("select release_turn_credits(%s, %s)", (ada, found))
    account = await accounts.account(ada)
    assert (account.available, account.held) == (900, 100)
    assert not any(await drift(database, ada))
