"""One message with a model: its answer, what its calls come to, and at most two further rounds on real outcomes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from agents.contract import LookUp, RouterDecision
from agents.ports import Ask, Understanding
from app.llm.actions import Carried, carry_out
from app.llm.call_context import CallContext
from app.llm.client import ModelClient
from app.llm.decision import decide, with_others, with_sources
from app.llm.faults import ModelFailed
from app.llm.limits import Limits
from app.llm.pending_answers import answered, joined
from app.llm.prompt import Prompt, shorten, write_prompt
from app.llm.requests import Answer, Call, Target
from app.llm.retry_budget import RetryBudget

MOST_ROUNDS = 3
LEAST_TOKENS = 300
"""Records are not cut below so many tokens where a prompt is too long."""
FINE = "done"
REPEAT = "not done: {fault}. Call again with what is right, or tell the user. Do not repeat calls that are done."
FOUND_NOTHING = "nothing was found"


@dataclass
class Round:
    """An answer of a model, and what became of each of its calls."""

    answer: Answer
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
    target: Target
    limits: Limits
    patience: RetryBudget
    built_in: Understanding

    async def decide(self, ask: Ask) -> RouterDecision:
        """Return the decision; one that wants to look something up is not final. Raises ModelFailed."""
        budget = self.limits.context_tokens
        while True:
            try:
                return await self._decide(ask, write_prompt(ask, budget))
            except ModelFailed as failure:
                if failure.kind != "too long" or budget <= LEAST_TOKENS:
                    raise
                ask, budget, self.patience.failed = shorten(ask), budget // 4, None

    async def _decide(self, ask: Ask, prompt: Prompt) -> RouterDecision:
        context = CallContext(ask, prompt.records, prompt.changes)
        rounds = _rounds_before(ask, context)
        while True:
            told = [message for number, one in enumerate(rounds) for message in one.messages(number)]
            answer = await self._answer(ask, [*prompt.messages, *told])
            carried = carry_out(answer.calls, context)
            rounds.append(Round(answer, [REPEAT.format(fault=one) if one else FINE for one in carried.results]))
            searched = _searched(answer)
            if searched and len(rounds) < MOST_ROUNDS:
                return _looking_up(rounds, searched)
            if not carried.faulty or len(rounds) >= MOST_ROUNDS:
                return await self._final(ask, prompt, rounds, carried)

    async def _answer(self, ask: Ask, messages: Sequence[BaseMessage]) -> Answer:
        answer = await self.client.converse(self.target, messages, self.patience, ask.hear)
        if len(answer.calls) > self.limits.changes:
            raise ModelFailed("nonsense")
        calls = await self.client.repair(self.target, messages, answer.calls, self.patience)
        return replace(answer, calls=tuple(calls))

    async def _final(self, ask: Ask, prompt: Prompt, rounds: Sequence[Round], last: Carried) -> RouterDecision:
        """Return what all rounds come to: calls that were done stay done, and what failed in the last one is told."""
        context = CallContext(ask, prompt.records, prompt.changes)
        calls = [call for one in rounds for call in _done(one)]
        carried = carry_out(calls, context)
        lost = sum(one.answer.lost for one in rounds) + sum(map(bool, last.results))
        decided = partial(decide, [one.answer for one in rounds], carried.proposals, context, lost)
        long = len(ask.text) > self.limits.quick_chars
        decision = await asyncio.to_thread(decided) if long else decided()
        decision = with_sources(with_others(decision, carried.other, context), ask.looked_up)
        for call in carried.other:
            if call.name == "answer_pending":
                reply = await answered(str(call.args["answer"]), call.args.get("leave_out") or (), ask, self.built_in)
                decision = joined(reply, decision)
        return decision


def _done(one: Round) -> list[Call]:
    """The calls of a round that were carried out."""
    return [call for call, result in zip(one.answer.calls, one.results, strict=True) if result == FINE]


def _searched(answer: Answer) -> list[str]:
    return [str(call.args["question"]) for call in answer.calls if call.name == "search_memory" and not call.fault]


def _looking_up(rounds: Sequence[Round], questions: Sequence[str]) -> RouterDecision:
    """The decision to look something up, with what was said and called before that."""
    said = [
        {"text": one.answer.text, "heard": [*one.answer.heard], "calls": [_plain(call) for call in one.answer.calls]}
        for one in rounds
    ]
    look = LookUp(questions=[*questions], rounds=said)
    return RouterDecision(disposition="reply", look_up=look, understanding="model")


def _plain(call: Call) -> dict[str, Any]:
    return {"name": call.name, "args": call.args, "fault": call.fault}


def _rounds_before(ask: Ask, context: CallContext) -> list[Round]:
    """The rounds before something was looked up, with what was found in the place of their results."""
    look = ask.draft.look_up if ask.draft else None
    found = {one.question: one.answer for one in ask.looked_up}
    rounds: list[Round] = []
    for one in look.rounds if look else ():
        calls = tuple(Call(call["name"], call["args"], call["fault"]) for call in one["calls"])
        carried = carry_out(calls, context)
        results = [REPEAT.format(fault=fault) if fault else FINE for fault in carried.results]
        rounds.append(Round(Answer(one["text"], calls, tuple(one["heard"])), _with_found(calls, results, found)))
    return rounds


def _with_found(calls: Sequence[Call], results: Sequence[str], found: dict[str, str]) -> list[str]:
    told = []
    for call, result in zip(calls, results, strict=True):
        question = str(call.args.get("question")) if call.name == "search_memory" else ""
        told.append((found.get(question) or FOUND_NOTHING) if question else result)
    return told
