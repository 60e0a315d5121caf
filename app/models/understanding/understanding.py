"""The language model as the better mind: one call reads the message, code checks what is dangerous.

The built-in understanding decides closed forms, and stands in where the model fails.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Any

from agents.contract import LookAhead, Lookback, Proposed, RouterDecision, Worker
from agents.languages import known_language, languages, say, speaking
from agents.ports import Ask, Understanding
from agents.time import clock_for, find_times
from agents.user_words.mentions import short_answer
from app.models.llm.breaker import Breakers
from app.models.llm.client import ModelClient
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import ModelLimits, Models
from app.models.llm.requests import ModelTarget
from app.models.understanding.closed_forms import is_closed_form
from app.models.understanding.conversing import Conversing
from app.models.understanding.without_model import BROKE_OFF, say_why

log = logging.getLogger(__name__)

AHEAD, FURTHEST = timedelta(days=14), timedelta(days=120)
"""How far ahead imported appointments are looked at for a model: always, and where the words name a later day."""
LOOK_BACK_PERIOD = timedelta(days=2)
"""How far back changes made elsewhere are looked at where the thread has none."""


class ModelUnderstanding:
    """Asks a model once for a message, and again only with what came of its calls; never beyond its budget."""

    def __init__(self, built_in: Understanding, models: Models, limits: ModelLimits, breakers: Breakers) -> None:
        self._built_in = built_in
        self._models = models
        self._limits = limits
        self._breakers = breakers
        self._client = ModelClient(limits.answer_bytes)

    async def warm_up(self) -> None:
        """Load the model's libraries before the first question needs them."""
        await self._client.warm_up()
        await asyncio.to_thread(lambda: [*map(known_language, languages())])

    async def close(self) -> None:
        """Close the connections to models."""
        await self._client.close()

    async def route(self, ask: Ask) -> RouterDecision:
        """The model's decision; the built-in one for closed forms, without a model, and where it fails."""
        if ask.draft is not None and ask.draft.understanding == "fallback":
            return await self._without_model(ask, ask.draft.without_model)
        if said_right := _heard_right(ask):
            return (await self.route(said_right)).model_copy(update=_answered_fields(ask))
        heard: list[str] = []
        try:
            target = None if is_closed_form(ask) else await self._models.active("fast")
            if target is None:
                return await self._built_in.route(ask)
            if missing := _to_look_at(ask):
                return missing
            with self._breakers.watching(target):
                return await self._ask_model(target, _heard_by(ask, heard))
        except ModelFailed as failure:
            log.warning("the language model failed: %s", failure.kind)
            with speaking(ask.language):
                why = say(BROKE_OFF) if heard else say_why(failure)
            return await self._without_model(ask, why)

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """What the built-in understanding proposes: a model decides all at once, in the router."""
        return await self._built_in.propose(worker, ask)

    async def _ask_model(self, target: ModelTarget, ask: Ask) -> RouterDecision:
        patience = self._limits.patience(target, self._models.till(target))
        return await Conversing(self._client, target, self._limits, patience, self._built_in).decide(ask)

    async def _without_model(self, ask: Ask, why: str) -> RouterDecision:
        """The built-in decision; changes that were looked at for a model are none that its words asked for."""
        looked = ask.draft is not None and ask.draft.understanding == "fallback"
        plain = await self._built_in.route(ask if looked else ask.model_copy(update={"history": None, "draft": None}))
        return plain.model_copy(update={"understanding": "fallback", "without_model": why})


def _heard_right(ask: Ask) -> Ask | None:
    """The uncertain words of a recording as a message of their own, where the user says yes to them."""
    pending = ask.pending
    if pending is None or pending.missing != "transcript" or short_answer(ask.text) != "yes":
        return None
    words = {"text": pending.text, "words": pending.text, "at": pending.at, "pending": None}
    return ask.model_copy(update=words)


def _answered_fields(ask: Ask) -> dict[str, Any]:
    return {"answered": True, "heard_right": ask.pending.memo_id if ask.pending else None}


def _to_look_at(ask: Ask) -> RouterDecision | None:
    """What is to be read before a model is asked: other calendars, and late changes where the thread has none."""
    if ask.imported is None:
        return RouterDecision(disposition="reply", look_ahead=_days_ahead(ask))
    if ask.history is None and not ask.recent_changes:
        return RouterDecision(disposition="reply", look_back=Lookback(since=ask.at - LOOK_BACK_PERIOD))
    return None


def _days_ahead(ask: Ask) -> LookAhead:
    times = find_times(ask.text, clock_for(ask.at, ask.timezone, ask.conventions))
    named = [when for one in times for when in (one.start, one.end) if when and when - ask.at < FURTHEST]
    return LookAhead(since=min([ask.at, *named]), until=max([ask.at + AHEAD, *named]), decisive=False)


def _heard_by(ask: Ask, heard: list[str]) -> Ask:
    """The message, with what is heard of the answer noted."""
    hear = ask.hear
    if hear is None:
        return ask

    def note(sentence: str) -> None:
        heard.append(sentence)
        hear(sentence)

    return ask.model_copy(update={"hear": note})
