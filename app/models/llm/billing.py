"""Paying for calls: held before, settled on what was used, released when it failed."""

from __future__ import annotations

from uuid import UUID, uuid4

from app.models.llm.faults import ModelFailed
from app.models.llm.prices import Prices
from app.models.llm.requests import ModelTarget
from app.models.llm.retry_budget import Tokens
from app.models.model.credits import Spending
from app.models.store.credits import Credits
from app.principal import current_fence, current_principal


class CreditBilling:
    """The till of one question: its tries come one after another, so one hold is open at a time."""

    def __init__(self, credits_: Credits, prices: Prices, target: ModelTarget, *, enforced: bool) -> None:
        self._credits = credits_
        self._prices = prices
        self._target = target
        self._enforced = enforced
        self._hold: UUID | None = None

    async def authorise(self, most: Tokens) -> None:
        """Hold what the call may cost at most; raises ModelFailed when the user is out of credits."""
        user_id, hold = current_principal().user_id, uuid4()
        wanted = self._prices.credits(self._target, most) if self._enforced else 0
        if not wanted:
            return
        self._hold = hold  # before it is: a cancelled call must know what to release
        if not await self._credits.hold(user_id, hold, wanted, _turn()):
            self._hold = None
            raise ModelFailed("out of credits")

    async def settle(self, used: Tokens) -> int:
        """Pay what was used; the credits taken. Usage is counted even where nothing is charged."""
        hold, self._hold = self._hold or uuid4(), None
        spent = Spending(
            model=self._target.model,
            tokens_in=used.prompt,
            tokens_out=used.completion,
            micros=self._prices.micros(self._target, used),
            credits=self._prices.credits(self._target, used) if self._enforced else 0,
        )
        return await self._credits.settle(current_principal().user_id, hold, _turn(), spent)

    async def release(self) -> None:
        """Give back what was held."""
        hold, self._hold = self._hold, None
        if hold:
            await self._credits.release(current_principal().user_id, hold)


def _turn() -> UUID | None:
    fence = current_fence()
    return fence.turn_id if fence else None
