"""Questions to a chat model over langchain-openai and Trustcall; importing this takes seconds."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from agents.ledger.batch import storable_json
from app.llm.call_pieces import streamed_calls, whole_calls
from app.llm.call_reading import calls_of, is_tool
from app.llm.dialects import BY_TOOLS, TALKING, Dialect, Dialects, after, options_of, prompt_in
from app.llm.early_words import EarlyWords
from app.llm.event_stream import completion_in
from app.llm.faults import ModelFailed, failure_of
from app.llm.plain_text import has_lost_thought, spoken
from app.llm.requests import Answer, Call, Hear, Target
from app.llm.retry_budget import RetryBudget, Tokens
from app.llm.tools import tools
from app.llm.trust import repaired
from app.llm.wire import open_client
from app.llm.written_calls import LONGEST_ARGUMENTS, Called, arguments_of, joined, read_text, schema_answer
from app.tracing import Attributes, Span, span

for _name in ("openai", "httpx2"):  # at level debug they print whole requests, which quote users
    logging.getLogger(_name).setLevel(logging.WARNING)
CHARS_PER_TOKEN = 4
LONGEST_TOKEN = 8
"""Characters: more than a token has on average."""
KEPT_CLIENTS = 32
WALKED = ("tools", "response_format")
"""What openai would walk through to validate it, schema by schema."""
ENDS = (".", "!", "?", "…", ")", "”", '"', ":", "}", "]", ">")
"""How a text ends that may be whole, from servers that do not say so."""
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
        if isinstance(response, str):
            response = completion_in(response)
        for choice in response.choices or []:
            for call in choice.message.tool_calls or []:
                call.function.arguments = _readable(call.function.arguments)
        return super()._create_chat_result(response, *args, **kwargs)


class ModelClient:
    """The models that were asked so far, over one pool of connections; it belongs to one event loop."""

    def __init__(self, most_bytes: int) -> None:
        self._http = open_client(most_bytes)
        self._clients: dict[Target, SteadyChat] = {}
        self._dialects = Dialects()
        self._steady: dict[Target, bool] = {}
        self._whole: set[Target] = set()

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def converse(
        self, target: Target, messages: Sequence[BaseMessage], patience: RetryBudget, hear: Hear | None = None
    ) -> Answer:
        """Return what a model says and calls. Raises ModelFailed.

        Sentences are heard as they come, from a model whose answers are known to hold no thoughts. What was heard
        stands: a try that fails after that is not made again.
        """
        while True:
            early, failure = EarlyWords(hear if self._steady.get(target) else None), ModelFailed("nonsense")
            try:
                answer = await self._answered(target, messages, patience, early)
                if answer.text or answer.calls:
                    return answer
            except ModelFailed as failed:
                failure = failed
            if patience.failed or early.heard:
                raise patience.failed or failure
            await patience.again(failure)

    async def repair(
        self, target: Target, messages: Sequence[BaseMessage], calls: Sequence[Call], patience: RetryBudget
    ) -> list[Call]:
        """Return the calls, those that fit no form as the model puts them right; it is asked once in a turn."""
        if patience.repaired or not any(call.fault for call in calls):
            return [*calls]
        patience.repaired = True
        _patience.set(patience)
        return await repaired(calls, messages, self._client(target))

    async def answer(
        self,
        target: Target,
        messages: Sequence[BaseMessage],
        options: Mapping[str, Any],
        patience: RetryBudget,
    ) -> AIMessage:
        """Return a model's whole answer to one request. Raises ModelFailed."""
        _patience.set(patience)
        try:
            return await self._client(target).bind(**options).ainvoke(list(messages))
        except Exception as error:
            raise patience.failed or failure_of(error) from error

    def _client(self, target: Target) -> SteadyChat:
        if len(self._clients) >= KEPT_CLIENTS:  # keys and models that were replaced long ago
            self._clients.clear()
            self._steady.clear()
            self._whole.clear()
        if target not in self._clients:
            self._clients[target] = _opened(target, self._http)
        return self._clients[target]

    async def _answered(
        self, target: Target, messages: Sequence[BaseMessage], patience: RetryBudget, early: EarlyWords
    ) -> Answer:
        """What the model answers, in the dialect that its server keeps to; the next where it refuses one."""
        dialect: Dialect | None = self._dialects.of(target, TALKING)
        while dialect:
            try:
                answer = await self._asked(target, dialect, messages, patience, early)
            except ModelFailed as failure:
                dialect = after(dialect)
                if failure.kind != "refused" or dialect is None:
                    raise
                patience.failed = None
                continue
            self._dialects.keep(target, dialect)
            return answer
        raise ModelFailed("refused")

    async def _asked(
        self,
        target: Target,
        dialect: Dialect,
        messages: Sequence[BaseMessage],
        patience: RetryBudget,
        early: EarlyWords,
    ) -> Answer:
        prompt = prompt_in(dialect, messages, tools(), talks=True)
        options = options_of(dialect, tools(), talks=True)
        if target not in self._whole:
            chunks = await self._streamed(target, prompt, options, patience, early if dialect in BY_TOOLS else None)
            if chunks:
                return self._noted(target, _read_stream(chunks), early)
            self._whole.add(target)  # it answered a request for a stream with something else
        try:
            message = await self.answer(target, prompt, options, patience)
        except ModelFailed:
            self._whole.discard(target)
            raise
        return self._noted(target, _read_whole(message), early)

    async def _streamed(
        self,
        target: Target,
        prompt: Sequence[BaseMessage],
        options: Mapping[str, Any],
        patience: RetryBudget,
        early: EarlyWords | None,
    ) -> list[AIMessageChunk]:
        """All pieces of one try, heard as they come; none where the server sent no events. Raises ModelFailed."""
        most = Tokens(_most_tokens(prompt, dict(options)), target.max_tokens)
        pieces: list[AIMessageChunk] = []

        async def ask() -> AsyncGenerator[AIMessageChunk, None]:
            seen: list[AIMessageChunk] = []
            with _call_span(target.model, target.base_url, inner=False) as call:
                async for chunk in self._client(target).astream([*prompt], extra_body=dict(options)):
                    seen.append(chunk)
                    yield chunk
                call.tell(_usage(_streamed_tokens(seen, prompt)))

        async def words() -> AsyncGenerator[str, None]:
            used, left = partial(_streamed_tokens, messages=prompt), target.max_tokens * LONGEST_TOKEN
            async with aclosing(patience.stream(ask, most, used)) as chunks:
                async for chunk in chunks:
                    pieces.append(chunk)
                    left -= len(str(chunk.text))
                    if left < 0:
                        raise ModelFailed("nonsense")
                    yield str(storable_json(str(chunk.text)))

        try:
            async with aclosing(spoken(words())) as said:
                async for piece in said:
                    if early:
                        early.take(piece)
        except ModelFailed as failure:
            if failure.kind != "nonsense" or pieces:
                raise
        return pieces

    def _noted(self, target: Target, read: Reading, early: EarlyWords) -> Answer:
        """The answer; from now on it is known whether this model's words can be heard as they come."""
        if read.broken and (not read.calls or read.lost):
            raise ModelFailed("unreachable")
        if read.declined and not (read.calls or read.text):
            raise ModelFailed("declined")
        if read.lost and not read.calls:
            raise ModelFailed("nonsense")
        self._steady[target] = self._steady.get(target, True) and not read.thinks_aloud
        return Answer(read.text, tuple(read.calls), tuple(early.heard), read.lost)


@dataclass(frozen=True)
class Reading:
    """An answer as it was read: ``broken`` where it has no end, ``thinks_aloud`` where a thought stood in its text."""

    text: str
    calls: Sequence[Call]
    lost: int
    broken: bool = False
    thinks_aloud: bool = False
    declined: bool = False


def _read_stream(chunks: Sequence[AIMessageChunk]) -> Reading:
    said, lost = streamed_calls(chunks)
    text = "".join(str(chunk.text) for chunk in chunks)
    ends = [str(chunk.response_metadata.get("finish_reason") or "") for chunk in chunks]
    refused = any(chunk.additional_kwargs.get("refusal") for chunk in chunks)
    whole = any(ends) or text.rstrip().endswith(ENDS)
    return _read(text, said, lost, broken=not whole, declined=refused or "content_filter" in ends)


def _read_whole(message: AIMessage) -> Reading:
    said, lost = whole_calls(message)
    declined = bool(message.additional_kwargs.get("refusal"))
    return _read(str(message.text), said, lost, broken=False, declined=declined)


def _read(text: str, said: list[Called], lost: int, *, broken: bool, declined: bool) -> Reading:
    """Return an answer with the calls that it states in its text."""
    text = str(storable_json(text))
    by_schema = schema_answer(text, is_tool) if not said else None
    words, written = by_schema or read_text(text, is_tool)
    calls = calls_of([*said, *written])
    unknown = len(joined(said)) - len([one for one in joined(said) if is_tool(str(one["name"]))])
    words = words if any(map(str.isalnum, words)) else ""
    return Reading(words, calls, lost + unknown, broken, has_lost_thought(text), declined)


def _readable(arguments: Any) -> str:
    """Return the arguments of a call as text; what is no object becomes what is no JSON.

    langchain would take a list or a number for arguments, and then refuse the whole reply for it.
    """
    given = arguments_of(arguments) if len(str(arguments)) <= LONGEST_ARGUMENTS else None
    return json.dumps(given) if isinstance(given, dict) else "no object" if given else ""


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
