"""The language model as the better mind: it proposes, code decides, the built-in understanding catches its failures."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from agents import conversation, recall
from agents.contract import LookAhead, Proposed, RouterDecision, Worker
from agents.grounding.prose import claims_change, whole
from agents.grounding.worded import Wish, settled
from agents.ports import Ask, CannotTell, Understanding
from agents.understanding.confidence import CERTAIN, unused
from app.llm import prompting
from app.llm.breaker import Breakers
from app.llm.faults import ModelFailed
from app.llm.lists import held_to_words
from app.llm.requests import Act, Extraction, Target
from app.llm.retry_budget import Billing, RetryBudget
from app.llm.routing import decision_of
from app.llm.tools import ROUTE, TOOLS, Tool
from app.metering import current_meter
from app.ports import Tier

log = logging.getLogger(__name__)

AHEAD = timedelta(days=14)
"""How far ahead imported appointments are looked at for a model."""
SHARE_OF_OTHERS = 4
"""A model's context has one part in this many for imported calendars, beside what is stored."""
LONGEST_TOKEN, LONGEST_SENTENCE = 8, 2000
"""Characters: more than a token has on average, and a sentence at all."""
MARGIN = 0.9
"""The share of the budget that models may use; the rest is ours, to answer without them."""

DENIED = "The server of the language model refuses its key, its account or its name; please look at these."
"""Told once, for as long as it is not asked again."""


class Draft(Understanding, Protocol):
    """An understanding that knows how sure it is, so that a model need not always be asked."""

    async def sureness(self, ask: Ask, decision: RouterDecision) -> float:
        """From 0 to 1: how probably the decision is all that the message wants."""


class Models(Protocol):
    """Which model the acting user has, and where its use is paid."""

    async def active(self, tier: Tier) -> Target | None:
        """The model of a tier; None when there is none."""

    def till(self, target: Target) -> Billing:
        """Where a call to a model is paid."""


@dataclass(frozen=True)
class Limits:
    """How much a model may take: seconds of a turn, tries, tokens of context, changes of one agent, bytes of an answer.

    ``sure`` is the confidence from which on the built-in understanding asks no model; above 1 it always asks.
    """

    budget_seconds: float = 15.0
    retries: int = 2
    backoff_seconds: float = 1.2
    context_tokens: int = 6000
    changes: int = 20
    answer_bytes: int = 4_194_304
    sure: float = 0.75


class ModelUnderstanding:
    """Asks a model where the built-in understanding is not sure: at most twice in a row, never beyond its budget."""

    def __init__(self, built_in: Draft, models: Models, limits: Limits, breakers: Breakers) -> None:
        self._built_in = built_in
        self._models = models
        self._limits = limits
        self._breakers = breakers
        self._engine: Any = None

    async def warm_up(self) -> None:
        """Load the model's libraries before the first question needs them."""
        await self._opened()

    async def close(self) -> None:
        """Close the connections to models."""
        if self._engine:
            await self._engine.close()

    async def route(self, ask: Ask) -> RouterDecision:
        """The built-in decision where it is sure, else the model's; the built-in one again if the model fails."""
        drafted, plain = ask.draft is not None, await self._plainly(ask)
        try:
            target = await self._models.active("fast")
            if target is None or (not drafted and await self._built_in.sureness(ask, plain) >= self._enough(ask)):
                return plain
            if ask.imported is None:
                return plain.model_copy(update={"look_ahead": _ahead(ask, plain.look_ahead)})
            return _floored(await self._routed(target, ask, plain), plain)
        except ModelFailed as failure:
            _note("routing", failure)
            told = {"acknowledgement": f"{DENIED} {plain.acknowledgement}".strip()} if failure.kind == "denied" else {}
            return plain.model_copy(update={"understanding": "fallback", **told})

    async def _plainly(self, ask: Ask) -> RouterDecision:
        """The built-in decision, made once: what was found in other calendars changes a draft no more."""
        if ask.draft is None:
            return await self._built_in.route(ask)
        return ask.draft.model_copy(update={"look_ahead": None})

    def _enough(self, ask: Ask) -> float:
        """How sure the built-in understanding must be to go without a model; it speaks English only."""
        return self._limits.sure if ask.english else max(self._limits.sure, CERTAIN)

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """The model's proposals for one agent; the built-in ones if it fails."""
        tool = TOOLS.get(worker)
        try:
            target = await self._models.active("reason")
            if target is None or worker == "focus_coach":
                return await self._built_in.propose(worker, ask)
            if worker == "update_events" and ask.imported is None:
                return Proposed(look_ahead=_ahead(ask, None))
            return await (self._changes(target, tool, ask) if tool else self._answer(ask))
        except ModelFailed as failure:
            _note(worker, failure)
            plain = await self._built_in.propose(worker, ask)
            told = {"answers": [*plain.answers, DENIED]} if failure.kind == "denied" else {}
            return plain.model_copy(update={"understanding": "fallback", **told})

    async def tell(self, ask: Ask) -> AsyncGenerator[str, None]:
        """The model's sentences as they come, as far as they claim nothing."""
        try:
            target = await self._models.active("reason")
            if target is None:
                raise CannotTell
            with self._breakers.watching(target):
                async with aclosing(self._sentences(target, ask)) as sentences:
                    async for sentence in sentences:
                        yield sentence
        except ModelFailed as failure:
            _note("recall", failure)
            raise CannotTell from None

    async def _routed(self, target: Target, ask: Ask, plain: RouterDecision) -> RouterDecision:
        stored = prompting.of_all(ask, self._limits.context_tokens)
        shown = prompting.messages(conversation.PROMPT, ask, stored=stored, elsewhere=self._elsewhere(ask))
        acts = await self._extract(target, Extraction(ROUTE, shown, deletes=False, most=1))
        decision = decision_of(acts[0].fields, ask, plain)
        if decision is None:
            raise ModelFailed("nonsense")
        return decision

    async def _changes(self, target: Target, tool: Tool, ask: Ask) -> Proposed:
        known, ids = prompting.of_kind(tool.kind, ask, self._limits.context_tokens)
        request = Extraction(
            tool.form,
            prompting.messages(tool.prompt, ask, elsewhere=self._elsewhere(ask)),
            known,
            deletes=bool(known) and tool.kind != "profile",
            most=self._limits.changes,
        )
        acts = await self._extract(target, request)
        wishes = [_wish(act, tool, ids) for act in acts if act.op != "garbled"]
        proposed = await self._held_to_words(wishes, ask)
        garbled = len(acts) - len(wishes)
        return (
            proposed if not garbled else proposed.model_copy(update={"answers": [*proposed.answers, _unread(garbled)]})
        )

    async def _held_to_words(self, wishes: list[Wish], ask: Ask) -> Proposed:
        """What the wishes come to, as far as the user's words ask for them."""
        notes = any(wish.kind == "note" for wish in wishes)
        plain = await self._built_in.propose("update_notes", ask) if notes else Proposed()
        traced, told = held_to_words(wishes, ask, plain)
        proposed = settled(traced, ask, plain.proposals)
        return proposed.model_copy(update={"answers": [*told, *proposed.answers]})

    async def _answer(self, ask: Ask) -> Proposed:
        """The built-in answer if there is one; else the model tells one while it thinks, when all else is said."""
        plain = await self._built_in.propose("recall", ask)
        if plain.answers or (plain.look_ahead and ask.imported is None):
            return plain
        ahead = _ahead(ask, plain.look_ahead)
        return plain.model_copy(update={"untold": ahead, "understanding": "model", "look_ahead": None})

    async def _sentences(self, target: Target, ask: Ask) -> AsyncGenerator[str, None]:
        """Those of a model's sentences that claim no change. What was released stands, and is not tried again."""
        engine, patience, told = await self._opened(), self._patience(target), False
        stored = prompting.of_all(ask, self._limits.context_tokens)
        shown = prompting.messages(recall.PROMPT, ask, stored=stored, elsewhere=self._elsewhere(ask))
        while not told:
            failure = ModelFailed("nonsense")
            try:
                async with aclosing(
                    _released(engine.stream(target, shown, patience), target.max_tokens * LONGEST_TOKEN)
                ) as released:
                    async for sentence in released:
                        told = True
                        yield sentence
            except ModelFailed as failed:
                if told:
                    raise
                failure = failed
            if not told:
                await patience.again(failure)

    def _elsewhere(self, ask: Ask) -> list[str]:
        return prompting.of_elsewhere(ask, self._limits.context_tokens // SHARE_OF_OTHERS)

    async def _extract(self, target: Target, request: Extraction) -> list[Act]:
        with self._breakers.watching(target):
            acts: list[Act] = await (await self._opened()).extract(target, request, self._patience(target))
        return acts

    async def _opened(self) -> Any:
        """The engine; its libraries are loaded beside the event loop at the first question."""
        if self._engine is None:
            module = await asyncio.to_thread(importlib.import_module, "app.llm.client")
            self._engine = self._engine or module.ModelClient(self._limits.answer_bytes)
        return self._engine

    def _patience(self, target: Target) -> RetryBudget:
        limits = self._limits
        return RetryBudget(
            meter=current_meter(),
            till=self._models.till(target),
            retries=limits.retries,
            backoff_seconds=limits.backoff_seconds,
            seconds=target.seconds,
            budget_seconds=limits.budget_seconds * MARGIN,
        )


def _floored(routed: RouterDecision, plain: RouterDecision) -> RouterDecision:
    """The model's decision, unless it only talks where the built-in one asks, or says that nothing was done."""
    if routed.targets or routed.questions or routed.unclear or not unused(plain):
        return routed
    return plain.model_copy(update={"understanding": "model"})


async def _released(pieces: AsyncGenerator[str, None], most: int) -> AsyncGenerator[str, None]:
    """Sentences that claim no change, each as soon as it is whole; raises ModelFailed after ``most`` characters."""
    rest = ""
    async with aclosing(pieces):
        async for piece in pieces:
            most -= len(piece)
            if most < 0 or len(rest) > LONGEST_SENTENCE:
                raise ModelFailed("nonsense")
            done, rest = whole(rest + piece)
            for sentence in done:
                if not claims_change(sentence):
                    yield sentence
    if rest.strip() and not claims_change(rest):
        yield rest.strip()


def _ahead(ask: Ask, wanted: LookAhead | None) -> LookAhead:
    """The days of imported calendars that a model sees: the next ones, and those that the words are about."""
    since, until = ask.at, ask.at + AHEAD
    if wanted is None:
        return LookAhead(since=since, until=until, decisive=False)
    return LookAhead(since=min(since, wanted.since), until=max(until, wanted.until))


def _wish(act: Act, tool: Tool, ids: dict[str, str]) -> Wish:
    known = ids.get(act.known or "", act.known)
    return Wish(act.op, tool.kind, known, act.fields)  # type: ignore[arg-type]


def _unread(count: int) -> str:
    return f"The language model also wanted {count} thing{'s' if count > 1 else ''} that I could not read; left undone."


def _note(what: str, failure: ModelFailed) -> None:
    log.warning("the language model failed at %s: %s", what, failure.kind)
