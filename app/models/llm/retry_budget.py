"""How long and how often one question to a model is tried, and what each try cost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from app.models.llm.faults import ModelFailed, failure_of
from app.models.metering import Meter

T = TypeVar("T")
MAX_COUNT_FACTOR = 8
"""How many times the expected most a count may be: a word of some languages is many tokens, and thinking is counted."""


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call, as the server counted them."""

    prompt: int
    completion: int

    def within(self, most: Tokens) -> Tokens:
        """As far as they can be: a server may count below nothing, or what no account could pay."""
        return Tokens(
            _between(self.prompt, most.prompt * MAX_COUNT_FACTOR),
            _between(self.completion, most.completion * MAX_COUNT_FACTOR),
        )


class Billing(Protocol):
    """Where a call is paid: held before it is made, settled on what was used, released if it failed."""

    async def authorise(self, most: Tokens) -> None:
        """Hold what the call may cost at most; raises ModelFailed when the user is out of credits."""

    async def settle(self, used: Tokens) -> int:
        """Pay what was used; the credits taken."""

    async def release(self) -> None:
        """Give back what was held."""


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
        self._may_ask()
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
        hopeless = not failure.retryable or self._tried >= self.retries or pause >= self._remaining_seconds()
        if hopeless:
            self.failed = failure
            raise failure
        self._tried += 1
        await asyncio.sleep(0 if failure.kind == "nonsense" else pause)

    async def _pay(self, tokens: Tokens) -> None:
        self.meter.calls += 1
        self.meter.tokens_in += tokens.prompt
        self.meter.tokens_out += tokens.completion
        self.meter.credits += await self.till.settle(tokens)

    def _may_ask(self) -> None:
        """Raises ModelFailed where asking is hopeless, or the turn's other questions left no time for it."""
        if self.failed is None and self._remaining_seconds() <= 0:
            self.failed = ModelFailed("too late")
        if self.failed:
            raise self.failed

    def _remaining_seconds(self) -> float:
        return self.meter.remaining_seconds(self.budget_seconds)


def _between(count: int, most: int) -> int:
    return min(max(int(count), 0), most)


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Finish what is done with money, even if the turn is cancelled meanwhile."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
