"""A chat model over langchain-openai, every answer as a stream of pieces; importing this takes seconds.

What a server answers is bounded, and a prompt goes nowhere but where it was sent.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from httpx2 import AsyncByteStream, Response
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient
from pydantic import SecretStr

from app.models.llm.faults import ModelFailed
from app.models.llm.requests import PLAIN_HEADERS, ModelTarget, is_plain

for _name in ("openai", "httpx2"):  # at level debug they print whole requests, which quote users
    logging.getLogger(_name).setLevel(logging.WARNING)
NEWER_NAMES_HOST = "api.openai.com"
"""Where the older name of ``max_completion_tokens`` is refused; elsewhere many servers know that one only."""


class AnyServersChat(ChatOpenAI):
    """A chat model as servers of all makes know it."""

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        payload = super()._get_request_payload(*args, **kwargs)
        if urlsplit(str(self.openai_api_base)).hostname != NEWER_NAMES_HOST and "max_completion_tokens" in payload:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        return payload


def open_chat(target: ModelTarget, http: DefaultAsyncHttpxClient) -> ChatOpenAI:
    """Return a client; what is not set is not sent, as some models refuse it."""
    optional = {"temperature": target.temperature, "reasoning_effort": target.effort}
    return AnyServersChat(
        model=target.model,
        base_url=target.base_url,
        api_key=SecretStr(target.api_key or "none"),
        http_async_client=http,
        max_retries=0,
        stream_usage=True,
        timeout=target.seconds,
        max_tokens=target.max_tokens,
        **{name: value for name, value in optional.items() if value is not None},
    )


def open_connections(most_bytes: int) -> DefaultAsyncHttpxClient:
    """Return a pool; an answer has ``most_bytes`` at most, and is not packed: few packed bytes may be many."""

    async def limit_stream(response: Response) -> None:
        if not is_plain(response.headers):
            raise ModelFailed("nonsense")
        whole = response.is_success and "json" in response.headers.get("content-type", "")
        response.stream = BoundedEvents(cast("AsyncByteStream", response.stream), most_bytes, whole)

    # A redirect would take the user's words to somebody whom nobody chose.
    return DefaultAsyncHttpxClient(
        follow_redirects=False, headers=PLAIN_HEADERS, event_hooks={"response": [limit_stream]}
    )


@dataclass(frozen=True, eq=False)
class BoundedEvents(AsyncByteStream):
    """The bytes of an answer, up to a number of them; one that came ``whole`` becomes a stream of one event."""

    stream: AsyncByteStream
    most: int
    whole: bool

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Piece by piece; nothing of a whole one that is no answer. Raises ModelFailed where it becomes too long."""
        left, body = self.most, b""
        async for piece in self.stream:
            left -= len(piece)
            if left < 0:
                raise ModelFailed("nonsense")
            if self.whole:
                body += piece
            else:
                yield piece
        if self.whole:
            yield _as_events(body)

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        await self.stream.aclose()


def _as_events(body: bytes) -> bytes:
    """Return a whole answer as a stream: its calls are numbered, and it has an end; nothing where it is no answer."""
    if body.lstrip().startswith(b"data:"):  # a stream that its server calls JSON
        return body
    with suppress(ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return b"data: %s\n\ndata: [DONE]\n\n" % json.dumps(_as_piece(json.loads(body))).encode()
    return b""


def _as_piece(answer: dict[str, Any]) -> dict[str, Any]:
    for choice in answer["choices"]:
        message = choice.pop("message")
        calls = [_number_call(number, call) for number, call in enumerate(message.get("tool_calls") or ())]
        end = "content_filter" if message.get("refusal") else choice.get("finish_reason") or "stop"
        choice |= {"delta": {**message, "tool_calls": calls}, "finish_reason": end}
    return answer


def _number_call(number: int, call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    given = function.get("arguments")
    arguments = given if isinstance(given, str) else json.dumps(given) if given else ""
    return {**call, "index": number, "function": {**function, "arguments": arguments}}
