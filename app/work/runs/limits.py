"""What a run may take by the settings."""

from __future__ import annotations

from app.settings import Settings
from app.work.runs.model.runs import RunLimits

NO_LIMIT = 2**53 - 1


def most_of(settings: Settings, *, project: bool = False) -> RunLimits:
    """What a run may take where nobody says less; no limit of credits is one that nobody reaches."""
    return RunLimits(
        steps=settings.run_steps,
        seconds=settings.project_seconds if project else settings.run_seconds,
        credits=settings.run_credits or NO_LIMIT,
        tokens=settings.run_tokens,
        output_chars=settings.run_output_chars,
    )
