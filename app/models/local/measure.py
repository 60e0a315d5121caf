"""Measures a model of this machine with fixed words: a tool call, an answer in a schema, and how fast it speaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx

from app.models.llm.probe import KeyRefused, Trial, has_words, tokens_in
from app.models.llm.requests import PLAIN_HEADERS
from app.models.model.local_models import Measured

COUNT_PROMPT = "Count from one to forty in words."
SHORTEST_SECONDS = 0.05
"""What came within less came at once: its speed is the line's and not the model's."""
QUESTION_FACTOR = 2
"""A question may last longer than the whole: what runs out first is the whole."""


@dataclass
class Pace:
    """When the words of a streamed answer came, by ``clock`` (seconds), and how many tokens they were."""

    clock: Callable[[], float]
    began: float = 0.0
    first: float | None = None
    last: float = 0.0
    pieces: int = 0
    counted: int = 0

    def begin(self) -> None:
        """The question is asked now."""
        self.began = self.clock()

    def hear(self, event: Mapping[str, Any]) -> None:
        """One event of the answer."""
        if has_words(event):
            self.last = self.clock()
            self.first = self.last if self.first is None else self.first
            self.pieces += 1
        self.counted = tokens_in(event) or self.counted

    @property
    def first_token_seconds(self) -> float | None:
        """From the question to its first words."""
        return None if self.first is None else round(self.first - self.began, 2)

    @property
    def tokens_per_second(self) -> float | None:
        """After the first token; a server that counts none sends each as an event. None of an answer in one piece."""
        tokens, lasted = self.counted or self.pieces, self.last - (self.first or 0.0)
        return round((tokens - 1) / lasted, 1) if self.pieces > 1 and lasted >= SHORTEST_SECONDS else None


async def measure(
    base_url: str, model: str, *, seconds: float, tokens: int, clock: Callable[[], float] = time.perf_counter
) -> Measured:
    """What a model can do; ``seconds`` bound all of it, ``tokens`` each of its answers.

    Its speed comes last, as the first question may have to load it.
    """
    found, pace, detail = Measured(base_url, model), Pace(clock), ""
    opened = httpx.AsyncClient(base_url=base_url, headers=PLAIN_HEADERS, timeout=None, trust_env=False)  # noqa: S113
    async with opened as client:  # the whole is bounded
        trial = Trial(client, model, QUESTION_FACTOR * seconds, tokens)
        try:
            async with asyncio.timeout(seconds):
                found = replace(found, tools=await trial.calls_tool())
                found = replace(found, json_schema=await trial.fills_schema())
                pace.begin()
                await trial.stream(COUNT_PROMPT, pace.hear)
        except TimeoutError:
            detail = "" if pace.tokens_per_second else f"It was not done within {seconds:g} seconds."
        except KeyRefused as refused:
            detail = str(refused)
    found = replace(found, first_token_seconds=pace.first_token_seconds, tokens_per_second=pace.tokens_per_second)
    return replace(found, detail=detail or _useless(found, trial))


def _useless(found: Measured, trial: Trial) -> str:
    """What is wrong with a model that did nothing at all; nothing of any other."""
    if found.tools or found.json_schema or found.first_token_seconds is not None:
        return ""
    statuses = ", ".join(map(str, dict.fromkeys(trial.statuses)))
    return f"It gives no answer of use ({statuses})." if statuses else "It does not answer."
