"""What a run may cost is held for it: calls take from there, and what is left goes back, whatever ends the run."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.models.store.credits import Credits
from app.principal import Fence, Principal, acting_as
from app.work.runs.model.runs import NewApproval, NewRun, Run
from app.work.runs.store.run_work import PostgresRunWork
from app.work.runs.store.runs import Runs
from tests.integration.app.models.store.test_credits import NO_DRIFT, drift, spending
from tests.integration.app.work.runs.store.test_runs import LIMITS


class Purse:
    """A user, and the holds of one run; every look at the account checks that the ledger adds up."""

    def __init__(self, database: Database, user: UUID, *, starter: int = 1000, stale_seconds: float = 900) -> None:
        self.database, self.user = database, user
        self.credits = Credits(database, starter=starter, stale_seconds=stale_seconds)
        self.runs = Runs(database, Signals(database), self._defer)
        self.work = PostgresRunWork(database, Signals(database), self._defer, patience=timedelta(hours=1))

    async def _defer(self, *_: Any) -> None:
        """Jobs are claimed by hand."""

    async def claimed(self, cap: int, run_id: UUID | None = None) -> Run:
        new = NewRun(self.user, run_id or uuid4(), "tidy my notes", replace(LIMITS, credits=cap))
        run = await self.work.claim(self.user, (await self.runs.start(new)).id)
        assert run is not None
        return run

    async def hold(self, run: Run, most: int) -> UUID | None:
        call = uuid4()
        with acting_as(Principal(self.user, Fence(run.id, run.generation))):
            return call if await self.credits.hold(self.user, call, most, run.id) else None

    async def settle(self, run: Run, call: UUID | None, cost: int) -> int:
        assert call is not None
        return await self.credits.settle(self.user, call, run.id, spending(cost))

    async def account(self) -> tuple[int, int, int]:
        """Available, held, spent."""
        found = await self.credits.account(self.user)
        assert await drift(self.database, self.user) == NO_DRIFT
        return found.available, found.held, found.spent


@pytest.fixture
async def purse(database: Database) -> Purse:
    return Purse(database, (await Users(database).create("Ada")).id)


async def test_the_cap_is_held_at_the_first_call_and_the_rest_goes_back_at_the_end(purse: Purse) -> None:
    run = await purse.claimed(cap=300)
    call = await purse.hold(run, 40)
    assert await purse.account() == (700, 300, 0)
    assert await purse.settle(run, call, 10) == 10
    assert await purse.account() == (700, 290, 10)
    call = await purse.hold(run, 40)
    await purse.credits.release(purse.user, call or uuid4())
    assert await purse.account() == (700, 290, 10)
    await purse.work.finish(run, "goal_achieved", {"answer": ""}, {})
    assert await purse.account() == (990, 0, 10)


async def test_no_call_is_made_that_could_cost_more_than_the_cap_leaves(purse: Purse) -> None:
    run = await purse.claimed(cap=100)
    await purse.settle(run, await purse.hold(run, 70), 60)
    assert await purse.hold(run, 41) is None
    first, second = await purse.hold(run, 30), await purse.hold(run, 20)
    assert first
    assert second is None
    assert await purse.account() == (900, 40, 60)


async def test_a_call_that_costs_more_than_was_held_is_paid_from_the_rest(purse: Purse) -> None:
    run = await purse.claimed(cap=100)
    assert await purse.settle(run, await purse.hold(run, 10), 130) == 130
    assert await purse.account() == (870, 0, 130)


async def test_of_an_account_with_less_than_the_cap_half_is_left_for_talk(purse: Purse) -> None:
    run = await purse.claimed(cap=5000)
    call = await purse.hold(run, 40)
    assert await purse.account() == (500, 500, 0)
    await purse.settle(run, call, 20)
    assert await purse.hold(run, 600)
    assert (await purse.account())[1] <= 980
    assert await purse.hold(run, 1000) is None


async def test_after_kill_9_the_next_claim_takes_back_the_call_and_the_end_gives_back_the_rest(purse: Purse) -> None:
    run = await purse.claimed(cap=300)
    assert await purse.hold(run, 300)
    again = await purse.work.claim(purse.user, run.id)
    assert again is not None
    assert await purse.account() == (700, 300, 0)
    assert await purse.hold(again, 300)
    await purse.work.finish(again, "failed", {"answer": ""}, {})
    assert await purse.account() == (1000, 0, 0)


async def test_a_call_that_ends_after_its_run_is_paid_once_from_the_account(purse: Purse) -> None:
    run = await purse.claimed(cap=300)
    call = await purse.hold(run, 40)
    await purse.work.finish(run, "cancelled", {"answer": ""}, {})
    await purse.settle(run, call, 10)
    assert await purse.account() == (990, 0, 10)


async def test_a_run_that_waits_for_its_user_holds_nothing_but_remembers_what_it_took(purse: Purse) -> None:
    run = await purse.claimed(cap=100)
    await purse.settle(run, await purse.hold(run, 70), 60)
    asked = uuid4()
    await purse.work.ask_once(run, NewApproval(asked, "approval", {"name": "send"}, "it sends"), {})
    assert await purse.account() == (940, 0, 60)
    await purse.runs.decide(purse.user, asked, "approved", None)
    again = await purse.work.claim(purse.user, run.id)
    assert again is not None
    assert await purse.hold(again, 41) is None
    assert await purse.hold(again, 40)


async def test_a_child_spends_what_is_held_for_its_parent(purse: Purse) -> None:
    parent = await purse.claimed(cap=100)
    await purse.settle(parent, await purse.hold(parent, 50), 50)
    new = NewRun(purse.user, uuid4(), "a part", replace(LIMITS, credits=50), parent_id=parent.id)
    await purse.work.delegate(parent, new, {})
    child = await purse.work.claim(purse.user, new.id)
    assert child is not None
    assert await purse.hold(child, 51) is None
    await purse.settle(child, await purse.hold(child, 50), 20)
    assert await purse.account() == (900, 30, 70)
    await purse.work.finish(child, "goal_achieved", {"answer": ""}, {})
    again = await purse.work.claim(purse.user, parent.id)
    assert again is not None
    await purse.work.finish(again, "goal_achieved", {"answer": ""}, {})
    assert await purse.account() == (930, 0, 70)


async def test_what_is_held_for_a_run_never_grows_stale(database: Database) -> None:
    purse = Purse(database, (await Users(database).create("Ada")).id, stale_seconds=0)
    run = await purse.claimed(cap=300)
    call = await purse.hold(run, 40)
    assert await purse.credits.hold(purse.user, uuid4(), 5, None)
    assert (await purse.account())[1] == 305
    assert await purse.settle(run, call, 10) == 10
