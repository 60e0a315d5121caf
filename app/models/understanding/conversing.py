"""One message with a model: its answer, what its calls come to, and at most two further rounds on real outcomes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from agents.contract import RouterDecision
from agents.ports import Ask, LookedUp, Understanding
from app.models.llm.client import ModelClient
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import ModelLimits
from app.models.llm.requests import Call, ModelAnswer, ModelTarget
from app.models.llm.retry_budget import RetryBudget
from app.models.understanding.actions import Carried, carry_out, merge_updates
from app.models.understanding.call_context import CallContext
from app.models.understanding.decision import decide, with_others, with_sources
from app.models.understanding.pending_answers import join_decisions, route_answer
from app.models.understanding.prompt import Prompt, shorten, write_prompt

MOST_ROUNDS, MOST_LOOKED_UP = 3, 3
"""Answers to one message, and questions to memory in one of them."""
LEAST_TOKENS = 300
"""Records are not cut below so many tokens where a prompt is too long."""
CALL_DONE = "done"
CALL_FAILED = "not done: {fault}. Call again with what is right, or tell the user. Do not repeat calls that are done."
FOUND_NOTHING = "nothing was found"


@dataclass
class Round:
    """An answer of a model, and what became of each of its calls."""

    answer: ModelAnswer
    results: list[str]

    def messages(self, number: int) -> list[BaseMessage]:
        """Return the round as a model reads it afterwards."""
        calls = [
            {"name": call.name, "args": call.args, "id": f"call_{number}_{place}", "type": "tool_call"}
            for place, call in enumerate(self.answer.calls)
        ]
        told = [
            ToolMessage(result, tool_call_id=str(call["id"])) for call, result in zip(calls, self.results, strict=True)
        ]
        return [AIMessage(self.answer.text, tool_calls=calls), *told]


@dataclass
class Conversing:
    """What it takes to answer one message."""

    client: ModelClient
    target: ModelTarget
    limits: ModelLimits
    patience: RetryBudget
    built_in: Understanding
    looked_up: list[LookedUp] = field(default_factory=list)

    async def decide(self, ask: Ask) -> RouterDecision:
        """Return the decision. Raises ModelFailed."""
        budget = self.limits.context_tokens
        while True:
            try:
                return await self._decide(ask, write_prompt(ask, budget))
            except ModelFailed as failure:
                if failure.kind != "too long" or budget <= LEAST_TOKENS:
                    raise
                ask, budget, self.patience.failed = shorten(ask), budget // 4, None

    async def _decide(self, ask: Ask, prompt: Prompt) -> RouterDecision:
        context, done, rounds = CallContext(ask, prompt.records, prompt.changes), Carried(), list[Round]()
        goes_on = True
        while goes_on:
            told = [message for number, one in enumerate(rounds) for message in one.messages(number)]
            answer = await self._answer(ask, [*prompt.messages, *told])
            faults = carry_out(answer.calls, context, done)
            goes_on = len(rounds) < MOST_ROUNDS - 1 and (any(faults) or any(map(_searches, answer.calls)))
            rounds.append(Round(answer, await self._results(answer.calls, faults, ask if goes_on else None)))
        lost = sum(one.answer.lost for one in rounds) + sum(map(bool, faults))
        return await self._final([one.answer for one in rounds], done, context, lost)

    async def _answer(self, ask: Ask, messages: Sequence[BaseMessage]) -> ModelAnswer:
        answer = await self.client.converse(self.target, messages, self.patience, ask.hear)
        if len(answer.calls) > self.limits.changes:
            raise ModelFailed("nonsense")
        calls = await self.client.repair(self.target, messages, answer.calls, self.patience)
        return replace(answer, calls=tuple(calls))

    async def _results(self, calls: Sequence[Call], faults: Sequence[str], ask: Ask | None) -> list[str]:
        """Return what becomes of each call; memory is asked where the model goes on with what it says."""
        results = [CALL_FAILED.format(fault=fault) if fault else CALL_DONE for fault in faults]
        wanted = [place for place, call in enumerate(calls) if ask and _searches(call)]
        for place in wanted[:MOST_LOOKED_UP]:
            results[place] = await self._look_up(str(calls[place].args["question"]), ask)
        return results

    async def _look_up(self, question: str, ask: Ask | None) -> str:
        """Return what memory says to a question."""
        if ask is None or ask.look_up is None:
            return FOUND_NOTHING
        found = await ask.look_up(question)
        self.looked_up.append(found)
        return found.answer or FOUND_NOTHING

    async def _final(
        self, answers: Sequence[ModelAnswer], done: Carried, context: CallContext, lost: int
    ) -> RouterDecision:
        """Return what all rounds come to: calls that were done stay done, and what failed in the last one is told."""
        ask = context.ask
        decided = partial(decide, answers, merge_updates(done.proposals), context, lost)
        long = len(ask.text) > self.limits.quick_chars
        decision = await asyncio.to_thread(decided) if long else decided()
        decision = with_sources(with_others(decision, done.other, context), self.looked_up)
        for call in done.other:
            if call.name == "answer_pending":
                reply = await route_answer(
                    str(call.args["answer"]), call.args.get("leave_out") or (), ask, self.built_in
                )
                decision = join_decisions(reply, decision)
        return decision


def _searches(call: Call) -> bool:
    return call.name == "search_memory" and not call.fault
