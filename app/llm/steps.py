"""The next step of a run, or an answer from memory, by a chat model: with tools where its server knows them.

What is asked within a turn is a part of what models may take there, and counts as such.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from agents.ledger.batch import storable_json
from app.llm.breaker import Breakers
from app.llm.dialects import Dialect, Dialects, after, options_of, prompt_in
from app.llm.faults import ModelFailed
from app.llm.limits import MARGIN, Limits, Models
from app.llm.plain_text import without_thoughts
from app.llm.requests import Target
from app.llm.retry_budget import RetryBudget
from app.llm.written_calls import named_calls_in
from app.metering import Meter, turn_meter
from app.ports.runs import NoThought, Thought, ToolCall

AS: dict[str, type[SystemMessage | HumanMessage | AIMessage]] = {
    "system": SystemMessage,
    "user": HumanMessage,
    "assistant": AIMessage,
}


class ModelThinker:
    """See app.ports.runs.Thinker: the acting user's reasoning model, else the fast one."""

    def __init__(self, models: Models, limits: Limits, breakers: Breakers) -> None:
        self._models = models
        self._limits = limits
        self._breakers = breakers
        self._dialects = Dialects()
        self._engine: Any = None

    async def close(self) -> None:
        """Close the connections to models."""
        if self._engine:
            await self._engine.close()

    async def available(self) -> bool:
        """Whether the acting user has a model."""
        try:
            return await self._target() is not None
        except ModelFailed:
            return False

    async def think(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, Any]]) -> Thought:
        """The next step; raises NoThought."""
        meter = turn_meter() or Meter()
        before = _taken(meter)
        try:
            reply = await self._asked([_message(one) for one in messages], tools, meter)
        except ModelFailed as failure:
            raise NoThought(failure.kind) from None
        # In a turn other agents add to its meter meanwhile: these counts are for runs, whose meter is their own.
        tokens, spent = (now - then for now, then in zip(_taken(meter), before, strict=True))
        return _thought(reply, tokens, spent)

    async def _asked(self, messages: list[BaseMessage], tools: Sequence[Mapping[str, Any]], meter: Meter) -> AIMessage:
        target = await self._target()
        if target is None:
            raise ModelFailed("refused")
        with self._breakers.watching(target):
            return await self._replied(target, messages, tools, meter)

    async def _target(self) -> Target | None:
        return await self._models.active("reason") or await self._models.active("fast")

    async def _replied(
        self, target: Target, messages: list[BaseMessage], tools: Sequence[Mapping[str, Any]], meter: Meter
    ) -> AIMessage:
        """The answer in the first dialect that the server keeps to."""
        engine = await self._opened()
        dialect: Dialect | None = self._dialects.of(target)
        while dialect:
            try:
                prompt, options = prompt_in(dialect, messages, tools), options_of(dialect, tools)
                options.pop("parallel_tool_calls", None)
                reply: AIMessage = await engine.answer(target, prompt, options, self._patience(target, meter))
            except ModelFailed as failure:
                dialect = after(dialect)
                if failure.kind != "refused" or dialect is None:
                    raise
                continue
            self._dialects.keep(target, dialect)
            return reply
        raise ModelFailed("refused")

    async def _opened(self) -> Any:
        if self._engine is None:
            module = await asyncio.to_thread(importlib.import_module, "app.llm.client")
            self._engine = self._engine or module.ModelClient(self._limits.answer_bytes)
        return self._engine

    def _patience(self, target: Target, meter: Meter) -> RetryBudget:
        of_turn, alone = self._limits.budget_seconds * MARGIN, target.seconds * (self._limits.retries + 1)
        return RetryBudget(
            meter=meter,
            till=self._models.till(target),
            retries=self._limits.retries,
            backoff_seconds=self._limits.backoff_seconds,
            seconds=target.seconds,
            budget_seconds=of_turn if meter is turn_meter() else alone,
        )


def _message(one: Mapping[str, str]) -> BaseMessage:
    return AS[one["role"]](one["content"])


def _taken(meter: Meter) -> tuple[int, int]:
    return meter.tokens_in + meter.tokens_out, meter.credits


def _thought(reply: AIMessage, tokens: int, spent: int) -> Thought:
    text = without_thoughts(str(storable_json(str(reply.text))))
    said = [dict(call) for call in reply.tool_calls] or named_calls_in(text)
    calls = [ToolCall(str(call["name"]), storable_json(call["args"])) for call in said]
    unreadable = [str(call["name"] or "a call without a name") for call in reply.invalid_tool_calls]
    return Thought("" if calls else text, calls, tokens, spent, unreadable)
