"""The language model as the better mind: one call reads the message, code checks what is dangerous.

The built-in understanding decides closed forms, and stands in where the model fails.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from agents.contract import LookAhead, Lookback, Proposed, RouterDecision, Worker
from agents.languages import known_language, languages, say, speaking
from agents.ports import Ask, LookedUp, Understanding
from agents.time import clock_for, find_times
from agents.user_words.mentions import short_answer
from app.models.llm.breaker import Breakers
from app.models.llm.client import ModelClient
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import ModelLimits, Models, RetryBudget
from app.models.llm.requests import Call, ModelAnswer, ModelTarget
from app.models.understanding.actions import Carried, carry_out, merge_updates
from app.models.understanding.call_context import CallContext
from app.models.understanding.decision import decide, join_decisions, route_answer, with_others, with_sources
from app.models.understanding.prompt import Prompt, shorten, write_prompt
from app.models.understanding.without_model import BROKE_OFF, is_closed_form, say_why

log = logging.getLogger(__name__)
AHEAD, FURTHEST = timedelta(days=14), timedelta(days=120)
"""How far ahead imported appointments are looked at for a model: always, and where the words name a later day."""
LOOK_BACK_PERIOD = timedelta(days=2)
"""How far back changes made elsewhere are looked at where the thread has none."""
MOST_ROUNDS, MOST_LOOKED_UP = 3, 3
"""Answers to one message, and questions to memory in one of them."""
LEAST_TOKENS = 300
"""Records are not cut below so many tokens where a prompt is too long."""
CALL_DONE = "done"
CALL_FAILED = "not done: {fault}. Call again with what is right, or tell the user. Do not repeat calls that are done."
FOUND_NOTHING = "nothing was found"


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
            answered = {"answered": True, "heard_right": ask.pending and ask.pending.memo_id}
            return (await self.route(said_right)).model_copy(update=answered)
        heard: list[str] = []
        try:
            target = None if is_closed_form(ask) else await self._models.active("fast")
            if target is None:
                return await self._built_in.route(ask)
            if missing := _to_look_at(ask):
                return missing
            with self._breakers.watching(target):
                patience = self._limits.patience(target, self._models.till(target))
                asked = Conversing(self._client, target, self._limits, patience, self._built_in)
                return await asked.decide(_heard_by(ask, heard))
        except ModelFailed as failure:
            log.warning("the language model failed: %s", failure.kind)
            with speaking(ask.language):
                why = say(BROKE_OFF) if heard else say_why(failure)
            return await self._without_model(ask, why)

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """What the built-in understanding proposes: a model decides all at once, in the router."""
        return await self._built_in.propose(worker, ask)

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


def _to_look_at(ask: Ask) -> RouterDecision | None:
    """What is to be read before a model is asked: other calendars, and late changes where the thread has none."""
    if ask.imported is None:
        times = find_times(ask.text, clock_for(ask.at, ask.timezone, ask.conventions))
        named = [when for one in times for when in (one.start, one.end) if when and when - ask.at < FURTHEST]
        ahead = LookAhead(since=min([ask.at, *named]), until=max([ask.at + AHEAD, *named]), decisive=False)
        return RouterDecision(disposition="reply", look_ahead=ahead)
    if ask.history is None and not ask.recent_changes:
        return RouterDecision(disposition="reply", look_back=Lookback(since=ask.at - LOOK_BACK_PERIOD))
    return None


def _heard_by(ask: Ask, heard: list[str]) -> Ask:
    """The message, with what is heard of the answer noted."""
    hear = ask.hear
    if hear is None:
        return ask

    def note(sentence: str) -> None:
        heard.append(sentence)
        hear(sentence)

    return ask.model_copy(update={"hear": note})


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
            results[place] = FOUND_NOTHING
            if ask and ask.look_up:
                found = await ask.look_up(str(calls[place].args["question"]))
                self.looked_up.append(found)
                results[place] = found.answer or FOUND_NOTHING
        return results

    async def _final(
        self, answers: Sequence[ModelAnswer], done: Carried, context: CallContext, lost: int
    ) -> RouterDecision:
        """Return what all rounds come to: calls that were done stay done, and what failed in the last one is told."""
        ask, told = context.ask, (answers, merge_updates(done.proposals), context, lost)
        long = len(ask.text) > self.limits.quick_chars
        decision = await asyncio.to_thread(decide, *told) if long else decide(*told)
        decision = with_sources(with_others(decision, done.other, context), self.looked_up)
        for call in done.other:
            if call.name == "answer_pending":
                left_out = call.args.get("leave_out") or ()
                reply = await route_answer(str(call.args["answer"]), left_out, ask, self.built_in)
                decision = join_decisions(reply, decision)
        return decision


def _searches(call: Call) -> bool:
    return call.name == "search_memory" and not call.fault
