"""How much a model may take, and which one the acting user has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.models.llm.requests import ModelTarget
from app.models.llm.retry_budget import Billing, RetryBudget
from app.models.metering import Meter, current_meter
from app.models.model.providers import Tier

BUDGET_SHARE = 0.9
"""The share of the budget that models may use; the rest is ours, to answer without them."""


class Models(Protocol):
    """Which model the acting user has, and where its use is paid."""

    async def active(self, tier: Tier) -> ModelTarget | None:
        """The model of a tier; None when there is none."""

    def till(self, target: ModelTarget) -> Billing:
        """Where a call to a model is paid."""


@dataclass(frozen=True)
class ModelLimits:
    """How much a model may take: seconds of a turn, tries, tokens of context, calls and bytes of an answer.

    ``idle_seconds`` bound the wait for the next words of a stream. What is made of answers to messages of more than
    ``quick_chars`` characters is made beside the event loop.
    """

    budget_seconds: float = 60.0
    idle_seconds: float = 20.0
    retries: int = 2
    backoff_seconds: float = 1.2
    context_tokens: int = 6000
    changes: int = 30
    answer_bytes: int = 4_194_304
    quick_chars: int = 400

    def patience(
        self,
        target: ModelTarget,
        till: Billing,
        meter: Meter | None = None,
        *,
        budget_seconds: float | None = None,
        idle_seconds: float | None = None,
    ) -> RetryBudget:
        """Return the tries of one question within a turn; other bounds are for what is asked elsewhere."""
        return RetryBudget(
            meter=meter or current_meter(),
            till=till,
            retries=self.retries,
            backoff_seconds=self.backoff_seconds,
            seconds=target.seconds,
            budget_seconds=budget_seconds or self.budget_seconds * BUDGET_SHARE,
            idle_seconds=idle_seconds or self.idle_seconds,
        )
