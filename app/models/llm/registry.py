"""The models that users chose, from the registry, or else the one of the quick start."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from app.database.model import KeyUnreadable
from app.models.llm.faults import ModelFailed
from app.models.llm.requests import ModelTarget
from app.models.llm.retry_budget import Billing
from app.models.model.providers import Provider, Tier
from app.models.store.providers import Providers
from app.principal import current_principal

log = logging.getLogger(__name__)

KEPT_SECONDS = 5.0
"""How long another server may go on with a model after a new one was chosen."""
MOST_KEPT = 10_000


class RegisteredModels:
    """See app.models.understanding.understanding.Models.

    A provider whose key cannot be read counts as a failure of the model.

    One elsewhere whose key was deleted is not asked, and no other in its place, which nobody chose.
    """

    def __init__(
        self,
        providers: Providers,
        quick: dict[Tier, ModelTarget],
        shape: ModelTarget,
        open_till: Callable[[ModelTarget], Billing],
    ) -> None:
        self._providers = providers
        self._quick = quick
        self._shape = shape
        self._open_till = open_till
        self._kept: dict[tuple[UUID, Tier], tuple[float, ModelTarget | None]] = {}

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

    def till(self, target: ModelTarget) -> Billing:
        """A till for a question to the model."""
        return self._open_till(target)

    def forget(self) -> None:
        """Look afresh: something was chosen at this server."""
        self._kept.clear()

    async def _find_target(self, user_id: UUID, tier: Tier) -> ModelTarget | None:
        models = [model for model in await self._providers.models(user_id) if model.capability == "chat"]
        model = next((model for model in models if model.tier == tier), None)
        if model is None:
            return self._quick.get(tier)
        provider = await self._load_provider(user_id, model.provider)
        if not provider.usable:
            return None
        return replace(self._shape, base_url=provider.base_url, model=model.model, api_key=provider.api_key)

    async def _load_provider(self, user_id: UUID, slug: str) -> Provider:
        try:
            provider = await self._providers.get(user_id, slug, with_key=True)
        except KeyUnreadable:
            log.error("the key of provider %s cannot be read", slug)  # noqa: TRY400 - nothing of it belongs in a log
            raise ModelFailed("refused") from None
        if provider is None:
            raise ModelFailed("refused")
        return provider
