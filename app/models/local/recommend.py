"""Which of the measured models to use: one that calls tools, then one that returns JSON as asked, then the fastest."""

from __future__ import annotations

from collections.abc import Sequence

from app.models.model.local_models import Measured

ABILITY_TEXTS = {
    (True, True): "it calls tools and returns JSON in the form that is asked",
    (True, False): "it calls tools, though it does not return JSON in the form that is asked",
    (False, True): "it returns JSON in the form that is asked, though it calls no tools",
}


def recommend(measured: Sequence[Measured]) -> Measured | None:
    """The best of them; None where none calls tools or returns JSON: such a model could change nothing."""
    fit = [one for one in measured if any(_abilities(one))]
    return max(fit, key=lambda one: (*_abilities(one), one.tokens_per_second or 0.0)) if fit else None


def reasons(best: Measured, measured: Sequence[Measured]) -> str:
    """One sentence that says why this one."""
    alike = [one for one in measured if _abilities(one) == _abilities(best)]
    others = f"is the fastest of the {len(alike)} that do" if len(alike) > 1 else "is the only one that does"
    compared = f", and {others}" if len(measured) > 1 else ""
    return f"{best.model} is recommended: {ABILITY_TEXTS[_abilities(best)]}{compared}{_speed(best)}."


def _abilities(one: Measured) -> tuple[bool, bool]:
    return bool(one.tools), bool(one.json_schema)


def _speed(one: Measured) -> str:
    pace = [f"{one.tokens_per_second:g} tokens a second"] if one.tokens_per_second is not None else []
    first = [f"the first after {one.first_token_seconds:g} s"] if one.first_token_seconds is not None else []
    return f" ({', '.join(pace + first)})" if pace or first else ""
