"""Questions to a chat model over langchain-openai and Trustcall; importing this takes seconds."""

from __future__ import annotations

import logging
import warnings
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient
from pydantic import BaseModel, SecretStr

from agents.words import Worded
from app.llm.faults import ModelFailed
from app.llm.patience import Patience, Tokens
from app.llm.requests import Act, Extraction, Target

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports Send from where LangGraph no longer wants it
    from trustcall import create_extractor

# Trustcall prints what it cannot use, openai whole requests at level debug: both quote users.
for _name, _level in (("extraction", logging.CRITICAL), ("openai", logging.WARNING), ("httpx2", logging.WARNING)):
    logging.getLogger(_name).setLevel(_level)
CHARS_PER_TOKEN = 4
STEPS = 12  # of Trustcall's own graph, which would go round for ever with a model that is down
KEPT_CLIENTS = 32


@dataclass
class Asked:
    """One question on its way: with how much patience, and what the model replied so far."""

    patience: Patience
    replies: list[AIMessage] = field(default_factory=list)


_asked: ContextVar[Asked] = ContextVar("summit_asked")  # Trustcall hands nothing through to its chat model


class SteadyChat(ChatOpenAI):
    """A chat model with patience: every call that anybody makes through it is bounded, retried and paid."""

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """As ChatOpenAI does it, but each tool's schema is made once: that is most of the work of a call."""
        return super().bind_tools([_as_tool(tool) if isinstance(tool, type) else tool for tool in tools], **kwargs)

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        async def ask() -> ChatResult:
            return await super(SteadyChat, self)._agenerate(messages, *args, **kwargs)

        asked = _asked.get()
        most = Tokens(_most_tokens(messages, kwargs), self.max_tokens or 0)
        result = await asked.patience.call(ask, most, lambda answer: _tokens(answer, messages))
        reply = result.generations[0].message
        if isinstance(reply, AIMessage):
            for call in [*reply.tool_calls, *reply.invalid_tool_calls]:
                call["id"] = uuid4().hex  # some servers give every call the same id, or none
            asked.replies.append(reply)
        return result


class Engine:
    """The models that were asked so far, over one pool of connections; it belongs to one event loop."""

    def __init__(self) -> None:
        self._http = DefaultAsyncHttpxClient()
        self._clients: dict[Target, SteadyChat] = {}
        self._extractors: dict[tuple[Target, type[Worded], bool], Any] = {}

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def extract(self, target: Target, request: Extraction, patience: Patience) -> list[Act]:
        """The changes that a model wants, each as it said it. Raises ModelFailed."""
        while True:
            try:
                return await self._extract(target, request, _asking(patience))
            except ModelFailed as failure:
                if patience.failed:
                    raise
                await patience.again(failure)

    async def stream(
        self, target: Target, messages: Sequence[BaseMessage], patience: Patience
    ) -> AsyncGenerator[str, None]:
        """A model's text, one try, piece by piece as it comes. Raises ModelFailed, after some of it perhaps."""
        client = self._client(target)

        async def ask() -> AsyncGenerator[AIMessageChunk, None]:
            ended = False
            async for chunk in client.astream(list(messages)):
                ended = ended or "finish_reason" in chunk.response_metadata
                yield chunk
            if not ended:
                raise ModelFailed("unreachable")

        most = Tokens(_most_tokens(messages, {}), target.max_tokens)
        async with aclosing(patience.stream(ask, most, lambda chunks: _streamed_tokens(chunks, messages))) as chunks:
            async for chunk in chunks:
                yield str(chunk.text)

    def _client(self, target: Target) -> SteadyChat:
        if len(self._clients) >= KEPT_CLIENTS:  # keys and models that were replaced long ago
            self._clients.clear()
            self._extractors.clear()
        if target not in self._clients:
            self._clients[target] = SteadyChat(
                model=target.model,
                base_url=target.base_url,
                api_key=SecretStr(target.api_key or "none"),
                http_async_client=self._http,
                max_retries=0,
                temperature=0,
                stream_usage=True,
                timeout=target.seconds,
                max_tokens=target.max_tokens,
            )
        return self._clients[target]

    def _extractor(self, target: Target, request: Extraction) -> Any:
        client, key = self._client(target), (target, request.tool, request.deletes)
        if key not in self._extractors:
            self._extractors[key] = create_extractor(
                client,
                tools=[request.tool],
                tool_choice="any",
                enable_inserts=True,
                enable_deletes=request.deletes,
                existing_schema_policy=False,
            )
        return self._extractors[key]

    async def _extract(self, target: Target, request: Extraction, asked: Asked) -> list[Act]:
        existing = [(known, request.tool.__name__, fields) for known, fields in request.existing.items()]
        try:
            found = await self._extractor(target, request).ainvoke(
                {"messages": list(request.messages), "existing": existing or None},
                {"recursion_limit": STEPS, "configurable": {"max_attempts": 1}},
            )
        except Exception as error:
            raise asked.patience.failed or ModelFailed("nonsense") from error
        if asked.patience.failed:  # Trustcall goes on as if nothing had been said
            raise asked.patience.failed
        acts = _acts(asked.replies[-1], dict(found), request) if asked.replies else []
        if not any(act.op != "garbled" for act in acts) or len(acts) > request.most:
            raise ModelFailed("nonsense")
        return acts


def _asking(patience: Patience) -> Asked:
    asked = Asked(patience)
    _asked.set(asked)
    return asked


@lru_cache(maxsize=256)
def _as_tool(form: type) -> dict[str, Any]:
    return convert_to_openai_tool(form)


def _acts(reply: AIMessage, found: dict[str, Any], request: Extraction) -> list[Act]:
    metas = [dict(meta) for meta in found.get("response_metadata", [])]
    valid = {meta["id"]: (response, meta) for response, meta in zip(found.get("responses", []), metas, strict=False)}
    acts = [_act(dict(call), valid.get(call["id"]), request) for call in reply.tool_calls]
    return acts + [Act("garbled") for _ in reply.invalid_tool_calls]


def _act(call: dict[str, Any], valid: tuple[BaseModel, dict[str, Any]] | None, request: Extraction) -> Act:
    args = call["args"] if isinstance(call["args"], dict) else {}
    named = str(args.get("json_doc_id", ""))
    response, meta = valid or (None, {})
    if call["name"] == "RemoveDoc" and (response or named not in request.existing):
        return Act("delete", named)
    if response is not None and "json_doc_id" in meta:
        return _patched(str(meta["json_doc_id"]), response.model_dump(exclude_unset=True), request)
    if call["name"] == "PatchDoc" and named not in request.existing:
        return Act("update", named)
    if response is None or call["name"] != request.tool.__name__:
        return Act("garbled")
    said = response.model_dump(exclude_unset=True)
    return Act("create", fields={name: value for name, value in said.items() if value is not None})


def _patched(known: str, said: dict[str, Any], request: Extraction) -> Act:
    before = request.existing[known]
    fields = {name: said.get(name) for name in {*before, *said} if said.get(name) != before.get(name)}
    return Act("update", known, fields) if fields else Act("garbled")


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
