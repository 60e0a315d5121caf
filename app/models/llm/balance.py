"""Whether a user can pay for a model at all, as the doors ask before a message is taken."""

from __future__ import annotations

from uuid import UUID

from app.models.llm.faults import ModelFailed
from app.models.llm.limits import Models
from app.models.llm.prices import Prices
from app.models.llm.retry_budget import Tokens
from app.models.store.credits import Credits


class BalanceCheck:
    """Compares an account with the least that is held for a question; without a model, or a price, all is well."""

    def __init__(self, models: Models, prices: Prices, credits_: Credits) -> None:
        self._models = models
        self._prices = prices
        self._credits = credits_

    async def __call__(self, user_id: UUID) -> bool:
        """Whether the acting user ``user_id`` has that much; what is held for calls under way counts as theirs."""
        try:
            target = await self._models.active("fast")
        except ModelFailed:
            return True
        least = self._prices.credits(target, Tokens(0, target.max_tokens)) if target else 0
        if not least:
            return True
        account = await self._credits.account(user_id)
        return account.available + account.held >= least
