"""What a model's tokens cost: prices in US dollars per million tokens, and credits of a thousandth of a dollar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.loopback import is_local
from app.models.llm.requests import ModelTarget
from app.models.llm.retry_budget import Tokens

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
