"""Which model is asked, as the settings say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agents.ports import Understanding
from agents.understanding import BuiltIn
from app.llm.mind import Limits, ModelUnderstanding, OneModel
from app.llm.prices import Prices
from app.llm.requests import Target
from app.llm.till import CreditTill
from app.ports import Credits
from app.settings import Settings


@asynccontextmanager
async def open_mind(settings: Settings, credits_: Credits) -> AsyncIterator[Understanding]:
    """The built-in understanding, with a language model before it if one is named."""
    if not settings.llm_model:
        yield BuiltIn()
        return
    mind = ModelUnderstanding(BuiltIn(), one_model(settings, credits_), limits(settings))
    try:
        yield mind
    finally:
        await mind.close()


def one_model(settings: Settings, credits_: Credits) -> OneModel:
    """The models of the quick start, without a registry."""
    return OneModel(
        lambda target: CreditTill(credits_, prices(settings), target, enforced=settings.credits),
        _target(settings, settings.llm_model),
        _target(settings, settings.llm_reason_model or settings.llm_model),
    )


def prices(settings: Settings) -> Prices:
    """What models cost."""
    return Prices(settings.llm_price, settings.llm_prices, settings.credits_minimum)


def limits(settings: Settings) -> Limits:
    """How much a model may take."""
    return Limits(
        budget_seconds=settings.llm_budget_seconds,
        retries=settings.llm_retries,
        backoff_seconds=settings.llm_backoff_seconds,
        context_tokens=settings.llm_context_tokens,
        changes=settings.llm_max_changes,
        sure=settings.llm_fast_path,
    )


def _target(settings: Settings, model: str) -> Target:
    return Target(
        base_url=settings.llm_base_url,
        model=model,
        api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key else "",
        seconds=settings.llm_budget_seconds,
        max_tokens=settings.llm_answer_tokens,
    )
