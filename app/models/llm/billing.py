"""What a model's tokens cost, how calls are paid, and whether a user can pay at all.

Prices are in US dollars per million tokens, credits a thousandth of a dollar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from uuid import UUID, uuid4

from app.loopback import is_local
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import Models, Tokens
from app.models.llm.requests import ModelTarget
from app.models.model.credits import Spending
from app.models.store.credits import Credits
from app.principal import current_fence, current_principal

MICROS_PER_CREDIT = 1000
Price = tuple[float, float]


@dataclass(frozen=True)
class Prices:
    """``usual`` is for models without a price of their own; one on this machine costs nothing unless it is listed.

    A call that costs anything costs at least ``minimum`` credits.
    """

    usual: Price = (1.0, 5.0)
    listed: Mapping[str, Price] = field(default_factory=dict)
    minimum: int = 1

    def micros(self, target: ModelTarget, used: Tokens) -> int:
        """The cost in millionths of a dollar: a dollar per million tokens is one of them per token."""
        price_in, price_out = self._of(target)
        return round(used.prompt * price_in + used.completion * price_out)

    def credits(self, target: ModelTarget, used: Tokens) -> int:
        """The cost in whole credits, rounded up."""
        if self._of(target) == (0.0, 0.0):
            return 0
        return max(-(-self.micros(target, used) // MICROS_PER_CREDIT), self.minimum)

    def _of(self, target: ModelTarget) -> Price:
        known = self.listed.get(target.model)
        return known or ((0.0, 0.0) if is_local(target.base_url) else self.usual)


@dataclass(eq=False)
class CreditBilling:
    """The till of one question: its tries come one after another, so one hold is open at a time."""

    credits: Credits
    prices: Prices
    target: ModelTarget
    _: KW_ONLY
    enforced: bool
    _hold: UUID | None = field(default=None, init=False)

    async def authorise(self, most: Tokens) -> None:
        """Hold what the call may cost at most; raises ModelFailed when the user is out of credits."""
        user_id, hold = current_principal().user_id, uuid4()
        wanted = self.prices.credits(self.target, most) if self.enforced else 0
        if not wanted:
            return
        self._hold = hold  # before it is: a cancelled call must know what to release
        if not await self.credits.hold(user_id, hold, wanted, _turn()):
            self._hold = None
            raise ModelFailed("out of credits")

    async def settle(self, used: Tokens) -> int:
        """Pay what was used; the credits taken. Usage is counted even where nothing is charged."""
        hold, self._hold = self._hold or uuid4(), None
        spent = Spending(
            model=self.target.model,
            tokens_in=used.prompt,
            tokens_out=used.completion,
            micros=self.prices.micros(self.target, used),
            credits=self.prices.credits(self.target, used) if self.enforced else 0,
        )
        return await self.credits.settle(current_principal().user_id, hold, _turn(), spent)

    async def release(self) -> None:
        """Give back what was held."""
        hold, self._hold = self._hold, None
        if hold:
            await self.credits.release(current_principal().user_id, hold)


def _turn() -> UUID | None:
    fence = current_fence()
    return fence.turn_id if fence else None


@dataclass(frozen=True, eq=False)
class BalanceCheck:
    """Compares an account with the least that is held for a question; without a model, or a price, all is well."""

    models: Models
    prices: Prices
    credits: Credits

    async def __call__(self, user_id: UUID) -> bool:
        """Whether the acting user ``user_id`` has that much; what is held for calls under way counts as theirs."""
        try:
            target = await self.models.active("fast")
        except ModelFailed:
            return True
        least = self.prices.credits(target, Tokens(0, target.max_tokens)) if target else 0
        if not least:
            return True
        account = await self.credits.account(user_id)
        return account.available + account.held >= least
