"""The language model as the better mind: it proposes, code decides, the built-in understanding catches its failures."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeVar

from agents import conversation, focus, recall
from agents.contract import WORKER_OF_KIND, LookAhead, Proposed, RouterDecision, Worker
from agents.languages import known_language, languages
from agents.ports import Ask, CannotTell, Understanding
from agents.understanding.confidence import CERTAIN
from app.llm import prompting
from app.llm.breaker import Breakers
from app.llm.claims import released
from app.llm.faults import ModelFailed
from app.llm.model_or_built_in import explains_all, found_some, puts_right
from app.llm.proposals import answers_the_ask, proposed_by
from app.llm.requests import Act, Extraction, Target
from app.llm.retry_budget import Billing, RetryBudget
from app.llm.routing import decision_of, floored
from app.llm.suggestions import suggested_lines, suggestion_of
from app.llm.tools import ROUTE, SUGGEST, TOOLS, Say, Tool
from app.metering import current_meter
from app.ports import Tier

log = logging.getLogger(__name__)

AHEAD = timedelta(days=14)
"""How far ahead imported appointments are looked at for a model."""
SHARE_OF_OTHERS = 4
"""A model's context has one part in this many for imported calendars, beside what is stored."""
LONGEST_TOKEN = 8
"""Characters: more than a token has on average."""
MARGIN = 0.9
"""The share of the budget that models may use; the rest is ours, to answer without them."""

DENIED = "The server of the language model refuses its key, its account or its name; please look at these."
"""Told once, for as long as it is not asked again."""


FOUND_NOTHING = "I found nothing"
"""How the built-in search says that it has no material: of no use to a model."""
T = TypeVar("T")
Worth = Callable[[list[Act]], Awaitable[bool]]
"""Whether an answer is of use; one that is not counts as a failed try."""


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

    ``sure`` is the confidence from which on the built-in understanding may ask no model; above 1 it always asks. What
    is made of answers to messages of more than ``quick_chars`` characters is made beside the event loop.
    """

    budget_seconds: float = 15.0
    retries: int = 2
    backoff_seconds: float = 1.2
    context_tokens: int = 6000
    changes: int = 20
    answer_bytes: int = 4_194_304
    sure: float = 0.75
    quick_chars: int = 400


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
        await asyncio.to_thread(lambda: [*map(known_language, languages())])

    async def close(self) -> None:
        """Close the connections to models."""
        if self._engine:
            await self._engine.close()

    async def route(self, ask: Ask) -> RouterDecision:
        """The built-in decision where it is a whole act or only code may decide; else the model's, if there is one."""
        drafted, plain = ask.draft is not None, await self._plainly(ask)
        try:
            target = await self._models.active("fast")
            if target is None or (not drafted and await self._alone(ask, plain)):
                return plain
            if ask.imported is None:
                return plain.model_copy(update={"look_ahead": _ahead(ask, plain.look_ahead)})
            return floored(await self._routed(target, ask, plain), plain, ask.language)
        except ModelFailed as failure:
            _note("routing", failure)
            told = {"acknowledgement": f"{DENIED} {plain.acknowledgement}".strip()} if failure.kind == "denied" else {}
            return plain.model_copy(update={"understanding": "fallback", **told})

    async def _plainly(self, ask: Ask) -> RouterDecision:
        """The built-in decision, made once: what was found in other calendars changes a draft no more."""
        if ask.draft is None:
            return await self._built_in.route(ask)
        return ask.draft.model_copy(update={"look_ahead": None})

    async def _alone(self, ask: Ask, plain: RouterDecision) -> bool:
        """Whether the built-in understanding decides without a model; it speaks English only.

        It does so for an answer, for what only the ledger's past tells, and for an act, an undo or a correction that
        explains every content word.
        """
        sure = await self._built_in.sureness(ask, plain)
        enough = self._limits.sure if ask.english else max(self._limits.sure, CERTAIN)
        if sure >= CERTAIN and (plain.answered or plain.look_back or (ask.history is not None and found_some(plain))):
            return True
        covered = explains_all(plain, ask) or (sure >= CERTAIN and puts_right(plain, ask))
        return sure >= enough and (plain.answered or covered)

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """The model's proposals for one agent; the built-in ones if it fails."""
        tool = TOOLS.get(worker)
        try:
            target = await self._models.active("reason")
            if target is None:
                return await self._built_in.propose(worker, ask)
            if worker == "update_events" and ask.imported is None:
                return Proposed(look_ahead=_ahead(ask, None))
            if worker == "focus_coach":
                return await self._suggestion(target, ask)
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
        found: list[RouterDecision] = []

        async def says_something(acts: list[Act]) -> bool:
            decision = await self._beside(ask, lambda: decision_of(acts[0], ask, plain))
            found.extend([decision] if decision else [])
            return decision is not None

        await self._extract(target, Extraction(ROUTE, shown, deletes=False, most=1), says_something)
        return found[-1]

    async def _changes(self, target: Target, tool: Tool, ask: Ask) -> Proposed:
        known, ids = prompting.of_kind(tool.kind, ask, self._limits.context_tokens)
        request = Extraction(
            tool.form,
            prompting.messages(tool.prompt, ask, stored=prompting.lines(known), elsewhere=self._elsewhere(ask)),
            known,
            deletes=bool(known) and tool.kind != "profile",
            most=self._limits.changes,
            others=tool.others,
        )
        plain = await self._built_in.propose(WORKER_OF_KIND[tool.kind], ask)

        async def says_something(acts: list[Act]) -> bool:
            return answers_the_ask(acts, plain)

        acts = await self._extract(target, request, says_something)
        return await self._beside(ask, lambda: proposed_by(acts, tool, ids, ask, plain))

    async def _suggestion(self, target: Target, ask: Ask) -> Proposed:
        """One next action, chosen by the model; what the built-in ranking chose is shown to it."""
        plain = await self._built_in.propose("focus_coach", ask)
        if plain.look_ahead and ask.imported is None:
            return plain
        known, ids = prompting.of_kind("todo", ask, self._limits.context_tokens)
        shown = prompting.messages(
            focus.PROMPT,
            ask,
            stored=prompting.lines(known),
            elsewhere=self._elsewhere(ask),
            found=suggested_lines(plain),
        )
        found: list[Proposed] = []

        async def says_something(acts: list[Act]) -> bool:
            proposed = suggestion_of(acts[0], ids, ask, plain)
            found.extend([proposed] if proposed else [])
            return proposed is not None

        await self._extract(target, Extraction(SUGGEST, shown, deletes=False, most=1, others=(Say,)), says_something)
        return found[-1]

    async def _answer(self, ask: Ask) -> Proposed:
        """The model tells it while it thinks, when all else is said; what the built-in search found is its material."""
        plain = await self._built_in.propose("recall", ask)
        if plain.look_ahead and ask.imported is None:
            return plain
        ahead = _ahead(ask, plain.look_ahead)
        return plain.model_copy(update={"untold": ahead, "understanding": "model", "look_ahead": None})

    async def _beside(self, ask: Ask, work: Callable[[], T]) -> T:
        """What is made of an answer to a long message takes time: others go on meanwhile."""
        long = len(ask.words or ask.text) > self._limits.quick_chars
        return await asyncio.to_thread(work) if long else work()

    async def _sentences(self, target: Target, ask: Ask) -> AsyncGenerator[str, None]:
        """Those of a model's sentences that claim no change. What was released stands, and is not tried again."""
        engine, patience, told = await self._opened(), self._patience(target), False
        stored = prompting.of_all(ask, self._limits.context_tokens)
        answers = (await self._built_in.propose("recall", ask)).answers
        found = [answer for answer in answers if FOUND_NOTHING not in answer]
        shown = prompting.messages(recall.PROMPT, ask, stored=stored, elsewhere=self._elsewhere(ask), found=found)
        while not told:
            failure = ModelFailed("nonsense")
            try:
                async with aclosing(
                    released(engine.stream(target, shown, patience), target.max_tokens * LONGEST_TOKEN)
                ) as sentences:
                    async for sentence in sentences:
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

    async def _extract(self, target: Target, request: Extraction, worth: Worth) -> list[Act]:
        with self._breakers.watching(target):
            engine = await self._opened()
            acts: list[Act] = await engine.extract(target, request, self._patience(target), worth=worth)
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


def _ahead(ask: Ask, wanted: LookAhead | None) -> LookAhead:
    """The days of imported calendars that a model sees: the next ones, and those that the words are about."""
    since, until = ask.at, ask.at + AHEAD
    if wanted is None:
        return LookAhead(since=since, until=until, decisive=False)
    return LookAhead(since=min(since, wanted.since), until=max(until, wanted.until))


def _note(what: str, failure: ModelFailed) -> None:
    log.warning("the language model failed at %s: %s", what, failure.kind)
