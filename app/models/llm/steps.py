"""The next step of a run, or an answer from memory, by a chat model: with tools where its server knows them.

What is asked within a turn is a part of what models may take there, and counts as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, convert_to_messages

from agents.ledger.batch import storable_json
from app.models.llm.breaker import Breakers
from app.models.llm.client import ModelClient, ModelReply, Question
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import ModelLimits, Models
from app.models.llm.plain_text import without_thoughts
from app.models.llm.requests import ModelTarget
from app.models.llm.written_calls import named_calls_in
from app.models.metering import Meter, turn_meter
from app.models.model.thinking import NoThought, Thought, ToolCall


class ModelThinker:
    """See app.models.model.thinking.Thinker: the acting user's reasoning model, else the fast one."""

    def __init__(self, models: Models, limits: ModelLimits, breakers: Breakers) -> None:
        self._models = models
        self._limits = limits
        self._breakers = breakers
        self._client = ModelClient(limits.answer_bytes)

    async def close(self) -> None:
        """Close the connections to models."""
        await self._client.close()

    async def available(self) -> bool:
        """Whether the acting user has a model."""
        try:
            return await self._target() is not None
        except ModelFailed:
            return False

    async def think(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, Any]]) -> Thought:
        """The next step; raises NoThought."""
        meter = turn_meter() or Meter()
        before = _totals_of(meter)
        try:
            reply = await self._ask_model(convert_to_messages([dict(one) for one in messages]), tools, meter)
        except ModelFailed as failure:
            raise NoThought(failure.kind) from None
        # In a turn other agents add to its meter meanwhile: these counts are for runs, whose meter is their own.
        tokens, spent = (now - then for now, then in zip(_totals_of(meter), before, strict=True))
        return _to_thought(reply, tokens, spent)

    async def _ask_model(
        self, prompt: list[BaseMessage], tools: Sequence[Mapping[str, Any]], meter: Meter
    ) -> ModelReply:
        target = await self._target()
        if target is None:
            raise ModelFailed("refused")
        patience = self._limits.patience(target, self._models.till(target), meter)
        patience.idle_seconds = target.seconds  # models may think long in silence here
        if meter is not turn_meter():  # a step of a run has its own time
            patience.budget_seconds = target.seconds * (self._limits.retries + 1)
        with self._breakers.watching(target):
            return await self._client.ask(Question(target, prompt, tools, patience), _reject_broken)

    async def _target(self) -> ModelTarget | None:
        return await self._models.active("reason") or await self._models.active("fast")


def _reject_broken(reply: ModelReply) -> ModelReply:
    if reply.broken and not reply.calls:
        raise ModelFailed("unreachable")
    return reply


def _totals_of(meter: Meter) -> tuple[int, int]:
    return meter.tokens_in + meter.tokens_out, meter.credits


def _to_thought(reply: ModelReply, tokens: int, spent: int) -> Thought:
    text = without_thoughts(reply.text)
    calls = [ToolCall(str(call["name"]), storable_json(call["args"])) for call in reply.calls or named_calls_in(text)]
    unreadable = [name or "a call without a name" for name in reply.unreadable]
    return Thought("" if calls else text, calls, tokens, spent, unreadable)
