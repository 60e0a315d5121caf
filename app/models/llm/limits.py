"""How much a model may take, where that is paid, and how long and how often one question is tried."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from app.models.llm.faults import RETRYABLE, ModelFailed, failure_of
from app.models.llm.requests import ModelTarget
from app.models.metering import Meter, current_meter
from app.models.model.providers import Tier

T = TypeVar("T")
BUDGET_SHARE = 0.9
"""The share of the budget that models may use; the rest is ours, to answer without them."""
MAX_COUNT_FACTOR = 8
"""How many times the expected most a count may be: a word of some languages is many tokens, and thinking is counted."""


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call, as the server counted them."""

    prompt: int
    completion: int

    def within(self, most: Tokens) -> Tokens:
        """As far as they can be: a server may count below nothing, or what no account could pay."""

        def limit(count: int, most: int) -> int:
            return min(max(int(count), 0), most * MAX_COUNT_FACTOR)

        return Tokens(limit(self.prompt, most.prompt), limit(self.completion, most.completion))


class Billing(Protocol):
    """Where a call is paid: held before it is made, settled on what was used, released if it failed."""

    async def authorise(self, most: Tokens, /) -> None:
        """Hold what the call may cost at most; raises ModelFailed when the user is out of credits."""

    async def settle(self, used: Tokens, /) -> int:
        """Pay what was used; the credits taken."""

    async def release(self) -> None:
        """Give back what was held."""


class Models(Protocol):
    """Which model the acting user has, and where its use is paid."""

    async def active(self, tier: Tier, /) -> ModelTarget | None:
        """The model of a tier; None when there is none."""

    def till(self, target: ModelTarget, /) -> Billing:
        """Where a call to a model is paid."""


@dataclass(frozen=True)
class ModelLimits:
    """How much a model may take: seconds of a turn, tries, tokens of context, calls and bytes of an answer.

    ``idle_seconds`` bound the wait for the next words of a stream. What is made of answers to messages of more than
    ``quick_chars`` characters is made beside the event loop.
    """

    budget_seconds: float = 60.0
    idle_seconds: float = 20.0
    retries: int = 2
    backoff_seconds: float = 1.2
    context_tokens: int = 6000
    changes: int = 30
    answer_bytes: int = 4_194_304
    quick_chars: int = 400

    def patience(self, target: ModelTarget, till: Billing, meter: Meter | None = None) -> RetryBudget:
        """Return the tries of one question within a turn."""
        return RetryBudget(
            meter=meter or current_meter(),
            till=till,
            retries=self.retries,
            backoff_seconds=self.backoff_seconds,
            seconds=target.seconds,
            budget_seconds=self.budget_seconds * BUDGET_SHARE,
            idle_seconds=self.idle_seconds,
        )


@dataclass
class RetryBudget:
    """The tries of one question. Once it failed for good every further try fails at once, whoever makes it.

    ``seconds`` bound one try, ``budget_seconds`` all of the turn's, ``idle_seconds`` the wait for the next piece of a
    stream; ``backoff_seconds`` grow with each retry. What fits no form is put right once: ``repaired`` tells that this
    was tried.
    """

    meter: Meter
    till: Billing
    retries: int
    backoff_seconds: float
    seconds: float
    budget_seconds: float
    idle_seconds: float = 20.0
    failed: ModelFailed | None = None
    repaired: bool = False
    _tried: int = field(default=0, init=False)

    async def stream(
        self, source: AsyncGenerator[T, None], most: Tokens, used: Callable[[], Tokens]
    ) -> AsyncGenerator[T, None]:
        """The pieces of one try as they come, paid at their end: it takes ``most`` at most. Raises ModelFailed."""
        if self.failed is None and self._remaining_seconds() <= 0:  # the turn's other questions took it all
            self.failed = ModelFailed("too late")
        if self.failed:
            raise self.failed
        try:
            await self.till.authorise(most)
            async with aclosing(source):
                async for piece in self._in_time(source):
                    yield piece
            tokens = used().within(most)
        except BaseException as error:
            await _to_its_end(self.till.release())
            if not isinstance(error, Exception):  # cancelled, closed, or the end of the process
                raise
            raise failure_of(error) from None
        await _to_its_end(self._pay(tokens))

    async def _in_time(self, source: AsyncIterator[T]) -> AsyncIterator[T]:
        """All of a source, waited for ``seconds`` altogether and within the budget."""
        left = max(min(self.seconds, self._remaining_seconds()), 0)
        while True:
            started = time.monotonic()
            try:
                async with asyncio.timeout(max(min(left, self.idle_seconds), 0)):
                    piece = await anext(source)
            except StopAsyncIteration:
                return
            finally:
                self.meter.seconds += time.monotonic() - started
                left -= time.monotonic() - started
            yield piece

    async def again(self, failure: ModelFailed) -> None:
        """Wait for the next try, if there may be one. Raises the failure."""
        pause = failure.retry_after if failure.retry_after is not None else self.backoff_seconds * (self._tried or 1)
        if failure.kind not in RETRYABLE or self._tried >= self.retries or pause >= self._remaining_seconds():
            self.failed = failure
            raise failure
        self._tried += 1
        await asyncio.sleep(0 if failure.kind == "nonsense" else pause)

    async def _pay(self, tokens: Tokens) -> None:
        self.meter.calls += 1
        self.meter.tokens_in += tokens.prompt
        self.meter.tokens_out += tokens.completion
        self.meter.credits += await self.till.settle(tokens)

    def _remaining_seconds(self) -> float:
        return self.meter.remaining_seconds(self.budget_seconds)


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Finish what is done with money, even if the turn is cancelled meanwhile."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
