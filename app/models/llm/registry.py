"""The models that users chose, from the registry, or else the one of the quick start."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from app.database.model import KeyUnreadable
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import Billing
from app.models.llm.requests import ModelTarget
from app.models.model.providers import Tier
from app.models.store.providers import Providers
from app.principal import current_principal

log = logging.getLogger(__name__)

KEPT_SECONDS = 5.0
"""How long another server may go on with a model after a new one was chosen."""
MOST_KEPT = 10_000


@dataclass(frozen=True, eq=False)
class RegisteredModels:
    """See app.models.llm.limits.Models; a provider whose key cannot be read counts as a failure of the model.

    One elsewhere whose key was deleted is not asked, and no other in its place, which nobody chose.
    """

    providers: Providers
    quick: Mapping[Tier, ModelTarget]
    shape: ModelTarget
    till: Callable[[ModelTarget], Billing]
    _kept: dict[tuple[UUID, Tier], tuple[float, ModelTarget | None]] = field(default_factory=dict, init=False)

    async def active(self, tier: Tier) -> ModelTarget | None:
        """The acting user's model of a tier; None when there is none. Raises ModelFailed."""
        key = (current_principal().user_id, tier)
        until, target = self._kept.get(key, (0.0, None))
        if until < time.monotonic():
            target = await self._find_target(*key)
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = (time.monotonic() + KEPT_SECONDS, target)
        return target

    def forget(self) -> None:
        """Look afresh: something was chosen at this server."""
        self._kept.clear()

    async def _find_target(self, user_id: UUID, tier: Tier) -> ModelTarget | None:
        models = await self.providers.models(user_id)
        model = next((one for one in models if (one.capability, one.tier) == ("chat", tier)), None)
        if model is None:
            return self.quick.get(tier)
        try:
            provider = await self.providers.get(user_id, model.provider, with_key=True)
        except KeyUnreadable:
            log.error("the key of provider %s cannot be read", model.provider)  # noqa: TRY400 - nothing of it belongs here
            raise ModelFailed("refused") from None
        if provider is None:
            raise ModelFailed("refused")
        if not provider.usable:
            return None
        return replace(self.shape, base_url=provider.base_url, model=model.model, api_key=provider.api_key)
