"""Which model is asked, and how much it may take, as the settings say; the models that they name themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from app.models.llm.billing import Prices
from app.models.llm.breaker import Breakers
from app.models.llm.limits import ModelLimits, Tokens
from app.models.llm.probe import probe
from app.models.llm.requests import ModelTarget
from app.models.model.providers import Probe, Tier
from app.settings import Settings


class Unbilled:
    """A till that takes nothing."""

    async def authorise(self, _most: Tokens) -> None: ...

    async def settle(self, _used: Tokens) -> int:
        return 0

    async def release(self) -> None: ...


@dataclass(frozen=True)
class QuickModels:
    """For one developer at one machine: no registry, no credits, no database."""

    targets: Mapping[Tier, ModelTarget]

    async def active(self, tier: Tier) -> ModelTarget | None:
        return self.targets.get(tier)

    def till(self, _target: ModelTarget) -> Unbilled:
        return Unbilled()


def quick_targets(settings: Settings) -> dict[Tier, ModelTarget]:
    """The models of the quick start, for who has chosen none; empty when the settings name none."""
    if not settings.llm_model:
        return {}
    return {
        "fast": shape(settings, settings.llm_model),
        "reason": shape(settings, settings.llm_reason_model or settings.llm_model),
    }


def shape(settings: Settings, model: str = "") -> ModelTarget:
    """A target of the quick start; what is registered takes its limits from it."""
    return ModelTarget(
        base_url=settings.llm_base_url,
        model=model,
        api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key and model else "",
        seconds=settings.llm_budget_seconds,
        max_tokens=settings.llm_answer_tokens,
        temperature=settings.llm_temperature,
        effort=settings.llm_reasoning_effort,
    )


def prices(settings: Settings) -> Prices:
    """What models cost."""
    return Prices(settings.llm_price, settings.llm_prices, settings.credits_minimum)


def breakers(settings: Settings) -> Breakers:
    """When a server of models is left alone."""
    return Breakers(settings.llm_failures, settings.llm_cooling_seconds, settings.llm_refused_seconds)


def prober(settings: Settings) -> Probe:
    """How a provider and its model are tested."""
    return partial(probe, trial_seconds=settings.llm_test_seconds, trial_tokens=settings.llm_test_tokens)


def limits(settings: Settings) -> ModelLimits:
    """How much a model may take."""
    return ModelLimits(
        budget_seconds=settings.llm_budget_seconds,
        retries=settings.llm_retries,
        backoff_seconds=settings.llm_backoff_seconds,
        context_tokens=settings.llm_context_tokens,
        changes=settings.llm_max_changes,
        answer_bytes=settings.llm_answer_bytes,
        idle_seconds=settings.llm_idle_seconds,
        quick_chars=settings.quick_text_chars,
    )
