"""Tries a model out with fixed words: one tool call, one answer in a schema, one streamed answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from app.models.model.providers import Feature

WORDS = ("hello", "goodbye")
WORD = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": WORDS}},
    "required": ["word"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "report", "description": "Report one word.", "parameters": WORD}}
SCHEMA = {"type": "json_schema", "json_schema": {"name": "report", "strict": True, "schema": WORD}}
STREAM = {"stream": True, "stream_options": {"include_usage": True}}
GREETING = "Good morning."
CALL_IT = "Call the tool `report` with the word hello."
COUNT_PROMPT = "Count from one to five in words."
MOST_BYTES = 1_000_000
REFUSED_STATUSES = (401, 403)
CONTENT_KEYS = ("content", "reasoning_content", "reasoning")
"""Where servers put what a model says or thinks."""
BROKEN_ANSWER = (
    TimeoutError,
    httpx.HTTPError,
    ValueError,
    TypeError,
    AttributeError,
    KeyError,
    IndexError,
    RecursionError,
)
"""What an answer comes to that has another form than the protocol's, or none."""


class KeyRefused(Exception):  # noqa: N818 - it names what happened
    """The server refuses the key."""

    def __init__(self, status: int) -> None:
        super().__init__(f"It refuses the key ({status}).")


@dataclass
class Trial:
    """Questions to one model; ``seconds`` and ``tokens`` bound each answer, ``statuses`` are those of all answers.

    A question that fails says no more than that its feature does not work: servers refuse what they do not know.
    """

    client: httpx.AsyncClient
    address: str
    headers: Mapping[str, str]
    model: str
    seconds: float
    tokens: int
    statuses: list[int] = field(default_factory=list)

    async def features(self) -> dict[Feature, bool]:
        """What works, asked one after the other, as a server at home answers one at a time. Raises Refused."""
        forced = await self._calls("required", GREETING)
        events: list[Mapping[str, Any]] = []
        await self.stream(COUNT_PROMPT, events.append)
        streaming = any(map(has_words, events))
        return {
            "tools": forced or await self._calls("auto", CALL_IT),
            "tool_choice": forced,
            "json_schema": await self.fills_schema(),
            "streaming": streaming,
            "usage": streaming and any(map(tokens_in, events)),
        }

    async def calls_tool(self) -> bool:
        """Whether it calls a tool in the given schema, made to or asked to. Raises Refused."""
        return await self._calls("required", GREETING) or await self._calls("auto", CALL_IT)

    async def _calls(self, choice: str, words: str) -> bool:
        called: list[bool] = []
        await self._ask(
            words,
            lambda answer: called.extend(map(_is_report, answer["choices"][0]["message"]["tool_calls"])),
            {"tools": [TOOL], "tool_choice": choice},
        )
        return any(called)

    async def fills_schema(self) -> bool:
        """Whether it returns JSON of the asked schema. Raises Refused."""
        filled: list[bool] = []
        await self._ask(
            GREETING,
            lambda answer: filled.append(_has_word(answer["choices"][0]["message"]["content"])),
            {"response_format": SCHEMA},
        )
        return any(filled)

    async def stream(self, words: str, hear: Callable[[Mapping[str, Any]], None]) -> None:
        """Have ``hear`` each event of a streamed answer, until it ends in whatever way. Raises Refused."""
        await self._ask(words, hear, STREAM)

    async def _ask(self, words: str, hear: Callable[[dict[str, Any]], None], options: Mapping[str, Any]) -> None:
        """Have ``hear`` a whole answer, or each event of a streamed one."""
        body = {"model": self.model, "messages": [{"role": "user", "content": words}], **options}
        asked = self.client.stream(
            "POST",
            f"{self.address}/chat/completions",
            json={**body, "max_completion_tokens": self.tokens},
            headers=self.headers,
        )
        with suppress(*BROKEN_ANSWER):
            async with asyncio.timeout(self.seconds), asked as answer:
                if answer.status_code in REFUSED_STATUSES:
                    raise KeyRefused(answer.status_code)
                self.statuses.append(answer.status_code)
                if answer.is_success:
                    async for said in _events(answer) if "stream" in options else _whole(answer):
                        hear(json.loads(said))


async def _whole(answer: httpx.Response) -> AsyncIterator[bytes]:
    body = b""
    async for piece in answer.aiter_bytes():
        body += piece[: MOST_BYTES - len(body)]
    yield body


async def _events(answer: httpx.Response) -> AsyncIterator[str]:
    async for line in answer.aiter_lines():
        if line.startswith("data:") and "[DONE]" not in line:
            yield line.removeprefix("data:")


def _is_report(call: Any) -> bool:
    return call["function"]["name"] == "report" and _has_word(call["function"]["arguments"])


def _has_word(said: Any) -> bool:
    return (json.loads(said) if isinstance(said, str) else said)["word"] in WORDS


def has_words(event: Mapping[str, Any]) -> bool:
    """Whether an event brings words, said or thought."""
    return any((choice.get("delta") or {}).get(name) for choice in event.get("choices") or () for name in CONTENT_KEYS)


def tokens_in(event: Mapping[str, Any]) -> int:
    """How many tokens an answer had, of the event that counts them; 0 of any other."""
    return int((event.get("usage") or {}).get("completion_tokens") or 0)
