"""Which model is asked, as the settings say."""

from __future__ import annotations

from app.llm.mind import Limits, OneModel
from app.llm.requests import Target
from app.settings import Settings


def one_model(settings: Settings) -> OneModel:
    """The models of the quick start, without a registry."""
    return OneModel(
        _target(settings, settings.llm_model), _target(settings, settings.llm_reason_model or settings.llm_model)
    )


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
