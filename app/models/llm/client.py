"""Questions to chat models: asked as their servers can be asked, streamed, read, and asked again within bounds."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from langchain_core.messages import AIMessageChunk, BaseMessage

from agents.ledger.batch import storable_json
from app.models.llm.call_reading import calls_in, calls_of, is_tool
from app.models.llm.dialects import BY_TOOLS, DIALECT_LADDER, TALKING_DIALECT, Dialect, request_in
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import RetryBudget, Tokens
from app.models.llm.plain_text import EarlyWords, has_lost_thought, stream_without_thought
from app.models.llm.requests import Call, Hear, ModelAnswer, ModelTarget
from app.models.llm.tools import tools
from app.models.llm.written_calls import Called, read_text, unique
from app.tracing import Attributes, span

T = TypeVar("T")
ToolForms = Sequence[Mapping[str, Any]]
CHARS_PER_TOKEN = 4
LONGEST_TOKEN = 8
"""Characters: more than a token has on average."""
KEPT_CLIENTS, KEPT_DIALECTS = 32, 1000
WHOLE_TEXT_ENDS = (".", "!", "?", "…", ")", "”", '"', ":", "}", "]", ">")
"""How a text ends that may be whole, from servers that do not say so."""


@dataclass(frozen=True)
class ModelReply:
    """An answer as it came: ``unreadable`` are names of calls, ``broken`` is one without an end."""

    text: str
    calls: Sequence[Called]
    unreadable: Sequence[str] = ()
    broken: bool = False
    declined: bool = False


@dataclass(frozen=True)
class Question:
    """What a model is asked, and how often; with ``early`` it may talk, and is heard while it does."""

    target: ModelTarget
    messages: Sequence[BaseMessage]
    forms: ToolForms
    patience: RetryBudget
    early: EarlyWords | None = None


class ModelClient:
    """The models that were asked so far, over one pool of connections; it belongs to one event loop."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._http: Any = None
        self._chats: dict[ModelTarget, Any] = {}
        self._dialects: dict[tuple[str, str, Dialect], Dialect] = {}
        self._steady: dict[ModelTarget, bool] = {}

    async def warm_up(self) -> None:
        """Load the libraries for models beside the event loop; nobody pays for them who has no model."""
        chat, _ = [
            await asyncio.to_thread(importlib.import_module, f"app.models.llm.{name}") for name in ("chat", "trust")
        ]
        self._http = self._http or chat.open_connections(self._most_bytes)

    async def close(self) -> None:
        """Close every connection."""
        if self._http:
            await self._http.aclose()

    async def converse(
        self, target: ModelTarget, messages: Sequence[BaseMessage], patience: RetryBudget, hear: Hear | None = None
    ) -> ModelAnswer:
        """Return what a model says and calls. Raises ModelFailed.

        Sentences are heard as they come, from a model whose answers are known to hold no thoughts. What was heard
        stands: a try that fails after that is not made again.
        """
        early = EarlyWords(hear if self._steady.get(target) else None)

        def read(reply: ModelReply) -> ModelAnswer:
            answer = read_answer(reply)
            self._steady[target] = self._steady.get(target, True) and not has_lost_thought(reply.text)
            return replace(answer, heard=tuple(early.heard))

        return await self.ask(Question(target, messages, tools(), patience, early), read)

    async def repair(
        self, target: ModelTarget, messages: Sequence[BaseMessage], calls: Sequence[Call], patience: RetryBudget
    ) -> list[Call]:
        """Return the calls, those that fit no form as the model puts them right; it is asked once in a turn."""
        if patience.repaired or not any(call.fault for call in calls):
            return [*calls]
        patience.repaired = True
        from app.models.llm.trust import repair_calls  # it takes a second to load, which warm_up has done

        async def ask(prompt: Sequence[BaseMessage], forms: ToolForms) -> Sequence[Called]:
            return await self.ask(Question(target, prompt, forms, patience), lambda reply: reply.calls)

        return await repair_calls(calls, messages, ask)

    async def ask(self, question: Question, read: Callable[[ModelReply], T]) -> T:
        """Return what ``read`` makes of the first good answer. Raises ModelFailed."""
        while True:
            try:
                return read(await self._ask_by_dialect(question))
            except ModelFailed as failure:
                if question.early and question.early.heard:
                    raise
                await question.patience.again(failure)

    async def _ask_by_dialect(self, question: Question) -> ModelReply:
        """What the model answers, in the dialect that its server keeps to; the next where it refuses one."""
        target, talks = question.target, question.early is not None
        first = TALKING_DIALECT if talks else DIALECT_LADDER[0]
        key = target.base_url, target.model, first
        known = self._dialects.get(key, first)
        for dialect in DIALECT_LADDER[DIALECT_LADDER.index(known) :]:
            prompt, options = request_in(dialect, question.messages, question.forms, talks=talks)
            early = question.early if dialect in BY_TOOLS else None
            try:
                reply = await self._stream_reply(replace(question, messages=prompt, early=early), options)
            except ModelFailed as failure:
                if failure.kind != "refused":
                    raise
                continue
            if len(self._dialects) >= KEPT_DIALECTS:
                self._dialects.clear()
            self._dialects[key] = dialect
            return reply
        raise ModelFailed("refused")

    async def _stream_reply(self, question: Question, options: Mapping[str, Any]) -> ModelReply:
        """One try, its words heard as they come. Raises ModelFailed."""
        target, prompt = question.target, question.messages
        chat, chunks = await self._chat(target), list[AIMessageChunk]()

        async def request_chunks() -> AsyncGenerator[AIMessageChunk, None]:
            host = urlsplit(target.base_url).hostname or ""
            told: Attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": target.model}
            with span(f"chat {target.model}", {**told, "server.address": host}, side="client", inner=False) as call:
                # In the body as it is: openai would walk through tools and schemas to validate them, one by one.
                async for chunk in chat.astream([*prompt], extra_body=dict(options)):
                    chunks.append(chunk)
                    yield chunk
                used = _count_tokens(chunks, prompt)
                call.tell({"gen_ai.usage.input_tokens": used.prompt, "gen_ai.usage.output_tokens": used.completion})

        async def words() -> AsyncGenerator[str, None]:
            sent = sum(len(str(message.content)) for message in prompt) + len(str(options.get("tools", "")))
            # More than a prompt can have in English: what is held for a call, never what is paid.
            most, left = Tokens(sent // 2 + 100, target.max_tokens), target.max_tokens * LONGEST_TOKEN
            tried = question.patience.stream(request_chunks(), most, lambda: _count_tokens(chunks, prompt))
            async with aclosing(tried) as pieces:
                async for piece in pieces:
                    left -= len(str(piece.text))
                    if left < 0:
                        raise ModelFailed("nonsense")
                    yield str(storable_json(str(piece.text)))

        async with aclosing(stream_without_thought(words())) as said:
            async for sentence in said:
                if question.early:
                    question.early.take(sentence)
        return _reply(chunks)

    async def _chat(self, target: ModelTarget) -> Any:
        await self.warm_up()
        if len(self._chats) >= KEPT_CLIENTS:  # keys and models that were replaced long ago
            self._chats.clear()
            self._steady.clear()
        if target not in self._chats:
            from app.models.llm.chat import open_chat

            self._chats[target] = open_chat(target, self._http)
        return self._chats[target]


def _reply(chunks: Sequence[AIMessageChunk]) -> ModelReply:
    """Return the pieces of a stream as one answer. Raises ModelFailed where there are none."""
    if not chunks:
        raise ModelFailed("nonsense")
    calls, unreadable = calls_in(chunks)
    text = str(storable_json("".join(str(chunk.text) for chunk in chunks)))
    ends = [str(chunk.response_metadata.get("finish_reason") or "") for chunk in chunks]
    broken = not (any(ends) or text.rstrip().endswith(WHOLE_TEXT_ENDS))
    return ModelReply(text, calls, unreadable, broken, declined="content_filter" in ends)


def read_answer(reply: ModelReply) -> ModelAnswer:
    """Return an answer with the calls that it states in its text, too. Raises ModelFailed where it is of no use."""
    words, written = read_text(reply.text, is_tool, alone=not reply.calls)
    words = words if any(map(str.isalnum, words)) else ""
    calls = calls_of([*reply.calls, *written])
    unknown = [one for one in unique(reply.calls) if not is_tool(str(one["name"]))]
    lost = len(reply.unreadable) + len(unknown)
    if reply.broken and (not calls or lost):
        raise ModelFailed("unreachable")
    if reply.declined and not (calls or words):
        raise ModelFailed("declined")
    if not calls and (lost or not words):
        raise ModelFailed("nonsense")
    return ModelAnswer(words, tuple(calls), lost=lost)


def _count_tokens(chunks: Sequence[AIMessageChunk], messages: Sequence[BaseMessage]) -> Tokens:
    """What the server counted; one that does not count is counted for, four characters a token."""
    usage = next((chunk.usage_metadata for chunk in reversed(chunks) if chunk.usage_metadata), None)
    if usage and (usage["input_tokens"] or usage["output_tokens"]):
        return Tokens(usage["input_tokens"], usage["output_tokens"])
    sent = sum(len(str(message.content)) for message in messages)
    said = sum(len(str(chunk.content)) for chunk in chunks)
    return Tokens(sent // CHARS_PER_TOKEN + 1, said // CHARS_PER_TOKEN + 1)
