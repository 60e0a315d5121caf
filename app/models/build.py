"""Compose the language models: which model answers, with whose key, and who pays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agents.ports import Understanding
from agents.understanding import BuiltIn
from app.boundary.reading.beside import ReadBeside
from app.boundary.reading.forkserver import Forkserver
from app.database.database import Database
from app.database.model import ReadyCheck
from app.database.secrets import KeyRing
from app.models.llm.billing import BalanceCheck, CreditBilling
from app.models.llm.breaker import Breakers
from app.models.llm.choice import QuickModels, breakers, limits, prices, prober, quick_targets, shape
from app.models.llm.probe import lacks
from app.models.llm.registry import RegisteredModels
from app.models.llm.requests import ModelTarget
from app.models.llm.steps import ModelThinker
from app.models.local.models_here import models_here
from app.models.services import ModelServices
from app.models.store.credits import Credits
from app.models.store.providers import Providers
from app.models.understanding.understanding import ModelUnderstanding
from app.settings import Settings

STALE_HOLD_SECONDS = 900.0  # far beyond any turn: a hold as old as this is of a server that was killed

START_SECONDS, STARVED = 20.0, 10
"""For the start of the process that reads long messages, and how many times as long a busy machine may take there."""


@dataclass(frozen=True)
class LanguageModels:
    """What turns and doors need of language models."""

    understanding: Understanding
    built_in: Understanding
    services: ModelServices
    thinker: ModelThinker
    breakers: Breakers

    def check(self) -> ReadyCheck:
        """How the servers of models are; without them Summit is as ready."""
        resting = [f"{host} for {left:.0f} s more" for host, left in self.breakers.resting().items()]
        detail = (
            f"does not answer and is left alone: {', '.join(resting)}"
            if resting
            else "asked where one is chosen and needed"
        )
        return ReadyCheck("language model", ok=True, detail=detail)


@asynccontextmanager
async def open_language_models(settings: Settings, database: Database) -> AsyncIterator[LanguageModels]:
    """The built-in understanding with the users' models before it; one that the settings name is got ready at once."""
    credits_ = Credits(database, starter=settings.credits_starter, stale_seconds=STALE_HOLD_SECONDS)
    providers = Providers(database, KeyRing(settings.master_key_path))

    def open_till(target: ModelTarget) -> CreditBilling:
        return CreditBilling(credits_, prices(settings), target, enforced=settings.credits)

    models = RegisteredModels(providers, quick_targets(settings), shape(settings), open_till)
    left_alone = breakers(settings)
    built_in = _beside(settings)
    mind = ModelUnderstanding(built_in, models, limits(settings), left_alone)
    thinker = ModelThinker(models, limits(settings), left_alone)
    solvent = BalanceCheck(models, prices(settings), credits_)
    warming = asyncio.create_task(mind.warm_up()) if settings.llm_model else None
    try:
        services = ModelServices(
            providers, credits_, prober(settings), lacks, models_here(settings), models.forget, solvent, thinker
        )
        yield LanguageModels(mind, built_in, services, thinker, left_alone)
    finally:
        if warming:
            await warming
        await thinker.close()
        await mind.close()
        await built_in.close()


@asynccontextmanager
async def open_quick_model(settings: Settings) -> AsyncIterator[Understanding]:
    """The built-in understanding with the model that the settings name before it; without a database nobody pays."""
    built_in = _beside(settings)
    mind = ModelUnderstanding(built_in, QuickModels(quick_targets(settings)), limits(settings), breakers(settings))
    try:
        yield mind
    finally:
        await mind.close()
        await built_in.close()


def _beside(settings: Settings) -> ReadBeside:
    readers = Forkserver(
        seconds=settings.read_seconds,
        longest=settings.max_read_chars,
        patience=START_SECONDS + STARVED * settings.read_seconds,
    )
    return ReadBeside(BuiltIn(settings.max_read_chars), readers, quick=settings.quick_text_chars)
