"""Questions to a chat model over langchain-openai and Trustcall; importing this takes seconds."""

from __future__ import annotations

import logging
import warnings
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from agents.ledger.batch import storable_json
from agents.tool_schemas import Worded
from app.llm.calls import RemoveDoc, acts_of, patchable, readable
from app.llm.faults import ModelFailed
from app.llm.requests import Act, Extraction, Target
from app.llm.retry_budget import RetryBudget, Tokens
from app.llm.wire import open_client

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports Send from where LangGraph no longer wants it
    from trustcall import create_extractor

# Trustcall prints what it cannot use, openai whole requests at level debug: both quote users.
for _name, _level in (("extraction", logging.CRITICAL), ("openai", logging.WARNING), ("httpx2", logging.WARNING)):
    logging.getLogger(_name).setLevel(_level)
CHARS_PER_TOKEN = 4
KEPT_CLIENTS = 32


@dataclass
class PendingCall:
    """One question on its way: with how much patience, about what, and what the model replied."""

    patience: RetryBudget
    existing: Mapping[str, Mapping[str, Any]]
    reply: AIMessage | None = None


_asked: ContextVar[PendingCall] = ContextVar("summit_asked")  # Trustcall hands nothing through to its chat model


class SteadyChat(ChatOpenAI):
    """A chat model with patience: every call that anybody makes through it is bounded, retried and paid."""

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """As ChatOpenAI does it, but each tool's schema is made once: that is most of the work of a call."""
        return super().bind_tools([_as_tool(tool) if isinstance(tool, type) else tool for tool in tools], **kwargs)

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        most = Tokens(_most_tokens(messages, kwargs), self.max_tokens or 0)
        if "tools" in kwargs:  # openai would walk through every schema of what it knows as tools
            kwargs["extra_body"] = {"tools": kwargs.pop("tools")}

        async def ask() -> ChatResult:
            return await super(SteadyChat, self)._agenerate(messages, *args, **kwargs)

        asked = _asked.get()
        result = await asked.patience.call(ask, most, lambda answer: _tokens(answer, messages))
        reply = result.generations[0].message
        if isinstance(reply, AIMessage):
            for call in [*reply.tool_calls, *reply.invalid_tool_calls]:
                call["id"] = uuid4().hex  # some servers give every call the same id, or none
            calls = [{**call, "args": storable_json(call["args"])} for call in reply.tool_calls]
            asked.reply = reply.model_copy(update={"tool_calls": calls})
            reply.tool_calls = patchable(asked.reply.tool_calls, asked.existing)
        return result

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
        self._askers: dict[tuple[Target, type[Worded], bool, bool], Any] = {}

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def extract(self, target: Target, request: Extraction, patience: RetryBudget) -> list[Act]:
        """The changes that a model wants, each as it said it. Raises ModelFailed."""
        while True:
            try:
                return await self._extract(target, request, _asking(patience, request))
            except ModelFailed as failure:
                if patience.failed:
                    raise
                await patience.again(failure)

    async def stream(
        self, target: Target, messages: Sequence[BaseMessage], patience: RetryBudget
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
                yield str(storable_json(str(chunk.text)))

    def _client(self, target: Target) -> SteadyChat:
        if len(self._clients) >= KEPT_CLIENTS:  # keys and models that were replaced long ago
            self._clients.clear()
            self._askers.clear()
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

    async def _extract(self, target: Target, request: Extraction, asked: PendingCall) -> list[Act]:
        try:
            patched = await (self._patched if request.existing else self._called)(target, request)
        except Exception as error:
            raise asked.patience.failed or ModelFailed("nonsense") from error
        if asked.patience.failed:  # Trustcall goes on as if nothing had been said
            raise asked.patience.failed
        acts = acts_of(asked.reply, patched, request) if asked.reply else []
        if not any(act.op != "garbled" for act in acts) or len(acts) > request.most:
            raise ModelFailed("nonsense")
        return acts

    async def _called(self, target: Target, request: Extraction) -> dict[str, dict[str, Any]]:
        """Where there is nothing to patch a plain call does."""
        client = self._client(target)
        asker = self._kept(target, request, lambda: client.bind_tools([request.tool], tool_choice="any"))
        await asker.ainvoke(list(request.messages))
        return {}

    async def _patched(self, target: Target, request: Extraction) -> dict[str, dict[str, Any]]:
        """Existing records as Trustcall patches them, by the id of the call that wants it."""
        client = self._client(target)
        asker = self._kept(target, request, lambda: _patcher(client, request))
        existing = [(known, request.tool.__name__, fields) for known, fields in request.existing.items()]
        shown = [message.model_copy() for message in request.messages]  # Trustcall writes into the first one
        told = (await asker.ainvoke(SimpleNamespace(messages=shown, existing=existing), {}))["messages"][-1]
        known = told.additional_kwargs.get("updated_docs", {})
        return {call["id"]: call["args"] for call in getattr(told, "tool_calls", []) if call["id"] in known}

    def _kept(self, target: Target, request: Extraction, make: Callable[[], Any]) -> Any:
        """What asks for such requests; made once, as the schemas of tools are most of the work of a call."""
        key = (target, request.tool, request.deletes, bool(request.existing))
        if key not in self._askers:
            self._askers[key] = make()
        return self._askers[key]


def _patcher(client: SteadyChat, request: Extraction) -> Any:
    """The node of Trustcall's graph that shows records to a model and patches them.

    The rest of that graph validates and asks again for what is not valid; here every item is validated alone, where it
    is applied. Its tool for removing lists all ids: another one each time, before a prompt whose beginning stays.
    """
    extractor = create_extractor(
        client,
        tools=[request.tool, *([RemoveDoc] if request.deletes else [])],
        tool_choice="any",
        enable_inserts=True,
        existing_schema_policy=False,
    )
    return extractor.steps[1].nodes["extract_updates"].bound  # type: ignore[attr-defined]


def _asking(patience: RetryBudget, request: Extraction) -> PendingCall:
    asked = PendingCall(patience, request.existing)
    _asked.set(asked)
    return asked


@lru_cache(maxsize=256)
def _as_tool(form: type) -> dict[str, Any]:
    return convert_to_openai_tool(form)


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
