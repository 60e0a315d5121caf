"""The model that the settings name, for one developer at one machine: no registry, no credits, no database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.models.llm.requests import ModelTarget
from app.models.llm.retry_budget import Tokens
from app.models.model.providers import Tier


class Unbilled:
    """A till that takes nothing."""

    async def authorise(self, most: Tokens) -> None:
        """Nothing is held."""
        _ = most

    async def settle(self, used: Tokens) -> int:
        """Nothing is paid."""
        _ = used
        return 0

    async def release(self) -> None:
        """Nothing was held."""


@dataclass(frozen=True)
class QuickModels:
    """See app.models.understanding.understanding.Models."""

    targets: Mapping[Tier, ModelTarget]

    async def active(self, tier: Tier) -> ModelTarget | None:
        """The model of a tier."""
        return self.targets.get(tier)

    def till(self, target: ModelTarget) -> Unbilled:
        """Nobody pays here."""
        _ = target
        return Unbilled()
