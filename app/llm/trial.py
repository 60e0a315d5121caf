"""Tries a model out with fixed words: one tool call, one answer in a schema, one streamed answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from app.ports import Feature

WORDS = ("hello", "goodbye")
WORD = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": WORDS}},
    "required": ["word"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "report", "description": "Report one word.", "parameters": WORD}}
SCHEMA = {"type": "json_schema", "json_schema": {"name": "report", "strict": True, "schema": WORD}}
GREETING = "Good morning."
CALL_IT = "Call the tool `report` with the word hello."
COUNT = "Count from one to five in words."
MOST_BYTES = 1_000_000
REFUSED = (401, 403)
SPOKEN = ("content", "reasoning_content", "reasoning")
"""Where servers put what a model says or thinks."""


class Refused(Exception):  # noqa: N818 - it names what happened
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
        streaming, usage = await self._streams()
        return {
            "tools": forced or await self._calls("auto", CALL_IT),
            "tool_choice": forced,
            "json_schema": await self.fills_schema(),
            "streaming": streaming,
            "usage": usage,
        }

    async def calls_tool(self) -> bool:
        """Whether it calls a tool in the given schema, made to or asked to. Raises Refused."""
        return await self._calls("required", GREETING) or await self._calls("auto", CALL_IT)

    async def _calls(self, choice: str, words: str) -> bool:
        message = await self._message(words, tools=[TOOL], tool_choice=choice)
        calls = message.get("tool_calls")
        return isinstance(calls, list) and any(map(_is_report, calls))

    async def fills_schema(self) -> bool:
        """Whether it returns JSON of the asked schema. Raises Refused."""
        message = await self._message(GREETING, response_format=SCHEMA)
        return _has_word(message.get("content"))

    async def _message(self, words: str, **options: Any) -> dict[str, Any]:
        """The message of a whole answer; empty where there is none."""
        body = b""
        with suppress(TimeoutError, httpx.HTTPError, ValueError, TypeError, KeyError, IndexError, RecursionError):
            async with asyncio.timeout(self.seconds), self._asked(words, **options) as answer:
                if self._answered(answer):
                    async for piece in answer.aiter_bytes():
                        body += piece[: MOST_BYTES - len(body)]
                    message = json.loads(body)["choices"][0]["message"]
                    return message if isinstance(message, dict) else {}
        return {}

    async def _streams(self) -> tuple[bool, bool]:
        """Whether words came as events, and whether one of them counted the tokens."""
        words, counted = list[bool](), list[int]()

        def hear(event: Mapping[str, Any]) -> None:
            words.append(has_words(event))
            counted.append(tokens_in(event))

        await self.stream(COUNT, hear)
        return any(words), any(words) and any(counted)

    async def stream(self, words: str, hear: Callable[[Mapping[str, Any]], None]) -> None:
        """Have ``hear`` each event of a streamed answer, until it ends in whatever way. Raises Refused."""
        options = {"stream": True, "stream_options": {"include_usage": True}}
        with suppress(TimeoutError, httpx.HTTPError, ValueError, RecursionError):
            async with asyncio.timeout(self.seconds), self._asked(words, **options) as answer:
                if self._answered(answer):
                    async for line in answer.aiter_lines():
                        hear(_event(line))

    def _asked(self, words: str, **options: Any) -> Any:
        body = {"model": self.model, "messages": [{"role": "user", "content": words}], **options}
        return self.client.stream(
            "POST",
            f"{self.address}/chat/completions",
            json={**body, "max_completion_tokens": self.tokens},
            headers=self.headers,
        )

    def _answered(self, answer: httpx.Response) -> bool:
        if answer.status_code in REFUSED:
            raise Refused(answer.status_code)
        self.statuses.append(answer.status_code)
        return answer.is_success


def _is_report(call: Any) -> bool:
    function = call.get("function") if isinstance(call, dict) else None
    return isinstance(function, dict) and function.get("name") == "report" and _has_word(function.get("arguments"))


def _has_word(text: Any) -> bool:
    try:
        said = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("word") in WORDS


def _event(line: str) -> dict[str, Any]:
    """The data of one server-sent event; empty for any other line."""
    said = json.loads(line[5:]) if line.startswith("data:") and "[DONE]" not in line else {}
    return said if isinstance(said, dict) else {}


def has_words(event: Mapping[str, Any]) -> bool:
    """Whether an event brings words, said or thought."""
    choices = event.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    delta = first.get("delta") if isinstance(first, dict) else None
    return isinstance(delta, dict) and any(delta.get(name) for name in SPOKEN)


def tokens_in(event: Mapping[str, Any]) -> int:
    """How many tokens an answer had, of the event that counts them; 0 of any other."""
    usage = event.get("usage")
    counted = usage.get("completion_tokens") if isinstance(usage, dict) else 0
    return counted if isinstance(counted, int) else 0
