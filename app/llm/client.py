"""Questions to a chat model over langchain-openai and Trustcall; importing this takes seconds."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from agents.ledger.batch import storable_json
from app.llm.calls import PATCH_TOOL, REMOVE_TOOL, acts_of, identified, readable
from app.llm.dialects import Dialect, Dialects, after, options_of, prompt_in
from app.llm.faults import ModelFailed, failure_of
from app.llm.plain_text import calls_in, without_thoughts
from app.llm.requests import Act, Extraction, Target
from app.llm.retry_budget import RetryBudget, Tokens
from app.llm.trust import settled_calls
from app.llm.wire import open_client
from app.tracing import Attributes, Span, span

for _name in ("openai", "httpx2"):  # at level debug they print whole requests, which quote users
    logging.getLogger(_name).setLevel(logging.WARNING)
CHARS_PER_TOKEN = 4
KEPT_CLIENTS = 32
WALKED = ("tools", "response_format")
"""What openai would walk through to validate it, schema by schema."""
UNCALLED: Dialect = "strict schema"
"""How a server is asked from now on that answers in text where a call was required."""
NEWER = "api.openai.com"
"""Where the older name of ``max_completion_tokens`` is refused; elsewhere many servers know that one only."""

_patience: ContextVar[RetryBudget] = ContextVar("summit_patience")  # Trustcall hands nothing through to its model


class SteadyChat(ChatOpenAI):
    """A chat model with patience: every call that anybody makes through it is bounded, retried and paid."""

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        most = Tokens(_most_tokens(messages, kwargs), self.max_tokens or 0)
        body = {name: kwargs.pop(name) for name in WALKED if name in kwargs}
        if body:
            kwargs["extra_body"] = body

        async def ask() -> ChatResult:
            with _call_span(self.model_name, self.openai_api_base) as call:
                answer = await super(SteadyChat, self)._agenerate(messages, *args, **kwargs)
                call.tell(_usage(_tokens(answer, messages)))
                return answer

        return await _patience.get().call(ask, most, lambda answer: _tokens(answer, messages))

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        payload = super()._get_request_payload(*args, **kwargs)
        if urlsplit(str(self.openai_api_base)).hostname != NEWER and "max_completion_tokens" in payload:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        return payload

    def _create_chat_result(self, response: Any, *args: Any, **kwargs: Any) -> ChatResult:
        for choice in response.choices or []:
            for call in choice.message.tool_calls or []:
                call.function.arguments = readable(call.function.arguments)
        return super()._create_chat_result(response, *args, **kwargs)


class ModelClient:
    """The models that were asked so far, over one pool of connections; it belongs to one event loop."""

    def __init__(self, most_bytes: int) -> None:
        self._http = open_client(most_bytes)
        self._clients: dict[Target, SteadyChat] = {}
        self._dialects = Dialects()

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def extract(
        self,
        target: Target,
        request: Extraction,
        patience: RetryBudget,
        *,
        worth: Callable[[list[Act]], Awaitable[bool]],
    ) -> list[Act]:
        """What a model wants, each change as it said it. Raises ModelFailed.

        An answer that is not ``worth`` anything to who asks counts as a failed try.
        """
        while True:
            try:
                acts = await self._understood(target, request, patience)
                if await worth(acts):
                    return acts
                failure = ModelFailed("nonsense")
            except ModelFailed as failed:
                failure = failed
            if patience.failed:
                raise patience.failed
            await patience.again(failure)

    async def stream(
        self, target: Target, messages: Sequence[BaseMessage], patience: RetryBudget
    ) -> AsyncGenerator[str, None]:
        """A model's text, one try, piece by piece as it comes. Raises ModelFailed, after some of it perhaps."""
        client = self._client(target)

        async def ask() -> AsyncGenerator[AIMessageChunk, None]:
            ended = False
            with _call_span(target.model, target.base_url, inner=False):
                async for chunk in client.astream(list(messages)):
                    ended = ended or "finish_reason" in chunk.response_metadata
                    yield chunk
            if not ended:
                raise ModelFailed("unreachable")

        most = Tokens(_most_tokens(messages, {}), target.max_tokens)
        async with aclosing(patience.stream(ask, most, lambda chunks: _streamed_tokens(chunks, messages))) as chunks:
            async for chunk in chunks:
                yield str(storable_json(str(chunk.text)))

    async def answer(
        self,
        target: Target,
        messages: Sequence[BaseMessage],
        options: Mapping[str, Any],
        patience: RetryBudget,
    ) -> AIMessage:
        """A model's whole answer to one request. Raises ModelFailed."""
        _patience.set(patience)
        try:
            return await self._client(target).bind(**options).ainvoke(list(messages))
        except Exception as error:
            raise patience.failed or failure_of(error) from error

    def _client(self, target: Target) -> SteadyChat:
        if len(self._clients) >= KEPT_CLIENTS:  # keys and models that were replaced long ago
            self._clients.clear()
        if target not in self._clients:
            self._clients[target] = _opened(target, self._http)
        return self._clients[target]

    async def _understood(self, target: Target, request: Extraction, patience: RetryBudget) -> list[Act]:
        """The acts of one answer; what it wants of stored records, as Trustcall patches them."""
        reply = await self._reply(target, request, patience)
        calls = identified(reply.calls)
        if len(calls) + reply.unreadable > request.most:
            raise ModelFailed("nonsense")
        try:
            repairing = None if patience.repaired else self._client(target)
            settled = await settled_calls(calls, request, repairing)
            patience.repaired = patience.repaired or settled.repaired
        except Exception as error:
            raise patience.failed or ModelFailed("nonsense") from error
        acts = [*acts_of(settled.calls, settled.records, request), *[Act("garbled")] * reply.unreadable]
        if not calls and reply.text:
            acts.append(Act("text", fields={"text": reply.text}))
        if not any(act.op != "garbled" for act in acts):
            raise ModelFailed("nonsense")
        return acts

    async def _reply(self, target: Target, request: Extraction, patience: RetryBudget) -> Reply:
        """What the model answers, in the dialect that its server keeps to; the next where it refuses one."""
        dialect: Dialect | None = self._dialects.of(target)
        while dialect:
            try:
                reply = await self._asked(target, request, dialect, patience)
            except ModelFailed as failure:
                dialect = after(dialect)
                if failure.kind != "refused" or dialect is None:
                    raise
                patience.failed = None
                continue
            uncalled = dialect == "tools" and not reply.called and bool(reply.calls or reply.text)
            self._dialects.keep(target, UNCALLED if uncalled else dialect)
            return reply
        raise ModelFailed("refused")

    async def _asked(self, target: Target, request: Extraction, dialect: Dialect, patience: RetryBudget) -> Reply:
        tools = tools_of(request)
        prompt = prompt_in(dialect, request.messages, tools)
        return reply_of(await self.answer(target, prompt, options_of(dialect, tools), patience), request)


@dataclass(frozen=True)
class Reply:
    """What a model answered: calls, how many of them cannot be read, or text; ``called``: by its tools."""

    calls: list[dict[str, Any]]
    unreadable: int
    text: str
    called: bool


def reply_of(message: AIMessage, request: Extraction) -> Reply:
    """A message as calls, also those that it states in its text."""
    called = bool(message.tool_calls or message.invalid_tool_calls)
    text = "" if called else without_thoughts(str(storable_json(str(message.text))))
    calls = [dict(call) for call in message.tool_calls] or calls_in(text, request)
    return Reply(calls, len(message.invalid_tool_calls), "" if calls else text, called)


def tools_of(request: Extraction) -> list[dict[str, Any]]:
    """The tools of a request; what is there to be patched or removed needs two more."""
    patching = [PATCH_TOOL, *([REMOVE_TOOL] if request.deletes else [])] if request.existing else []
    return [*map(_as_tool, request.forms.values()), *patching]


def _opened(target: Target, http: Any) -> SteadyChat:
    """A client; what is not set is not sent, as some models refuse it."""
    optional = {"temperature": target.temperature, "reasoning_effort": target.effort}
    return SteadyChat(
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


SAID_BY_NAME = ("title", "default")
"""What pydantic adds to a schema: names once more, and that all may be missing."""


@lru_cache(maxsize=256)
def _as_tool(form: type) -> dict[str, Any]:
    """A form as a tool, without the titles and the nulls that say nothing to a model."""
    tool = convert_to_openai_tool(form)
    lean: dict[str, Any] = _lean(tool)
    return lean


def _lean(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_lean(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name not in SAID_BY_NAME or isinstance(value, dict)}
    return {name: _lean(value) for name, value in kept.items() if (name, value) != ("additionalProperties", True)}


def _call_span(model: str, address: str | None, *, inner: bool = True) -> AbstractContextManager[Span]:
    """A span around one try of a call, by the conventions for generative models."""
    told: Attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": model}
    host = urlsplit(address or "").hostname or ""
    return span(f"chat {model}", {**told, "server.address": host}, side="client", inner=inner)


def _usage(tokens: Tokens) -> Attributes:
    return {"gen_ai.usage.input_tokens": tokens.prompt, "gen_ai.usage.output_tokens": tokens.completion}


def _most_tokens(messages: Sequence[BaseMessage], options: dict[str, Any]) -> int:
    """More tokens than a prompt can have in English: what is held for a call, never what is paid."""
    sent = sum(len(str(message.content)) for message in messages) + len(str(options.get("tools", "")))
    return sent // 2 + 100


def _tokens(result: ChatResult, messages: Sequence[BaseMessage]) -> Tokens:
    """What the server counted for a whole answer."""
    reply = result.generations[0].message
    return _counted(reply.usage_metadata if isinstance(reply, AIMessage) else None, str(reply.content), messages)


def _streamed_tokens(chunks: Sequence[AIMessageChunk], messages: Sequence[BaseMessage]) -> Tokens:
    """What the server counted at the end of a stream."""
    usage = next((chunk.usage_metadata for chunk in reversed(chunks) if chunk.usage_metadata), None)
    return _counted(usage, "".join(str(chunk.content) for chunk in chunks), messages)


def _counted(usage: UsageMetadata | None, said: str, messages: Sequence[BaseMessage]) -> Tokens:
    """A server that does not count is counted for, four characters a token."""
    if usage and (usage["input_tokens"] or usage["output_tokens"]):
        return Tokens(usage["input_tokens"], usage["output_tokens"])
    sent = sum(len(str(message.content)) for message in messages)
    return Tokens(sent // CHARS_PER_TOKEN + 1, len(said) // CHARS_PER_TOKEN + 1)
