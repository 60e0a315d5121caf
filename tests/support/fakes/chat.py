"""What an OpenAI-compatible server answers: chat completions with tool calls, streamed or whole, and embeddings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any

from tests.support.fakes.server import RecordedRequest, Reply

_numbers = count(1)


@dataclass(frozen=True)
class Call:
    """One tool call; ``args`` is sent as it is when it is text, so that broken JSON can be scripted."""

    name: str
    args: dict[str, Any] | str = field(default_factory=dict)


@dataclass(frozen=True)
class Spent:
    """Tokens that the server says it used."""

    prompt: int = 100
    completion: int = 20


def tools_of(request: RecordedRequest) -> list[str]:
    """The names of the tools that a chat request offers."""
    return [str(tool["function"]["name"]) for tool in request.json.get("tools", [])]


def chat(
    *calls: Call, text: str = "", spent: Spent | None = None, refusal: str | None = None, **values: Any
) -> Callable[[RecordedRequest], Reply]:
    """A chat completion, streamed word by word if the request asks for that; ``values`` go to Reply."""
    usage = spent or Spent()

    def answer(request: RecordedRequest) -> Reply:
        if request.json.get("stream"):
            pieces = tuple(_events(calls, text, usage, refusal))
            return Reply(content_type="text/event-stream", pieces=pieces, **values)
        return Reply(_completion(calls, text, usage, refusal), **values)

    return answer


def embeddings(width: int, spent: int = 8) -> Callable[[RecordedRequest], Reply]:
    """A vector for each input, the same for the same text."""

    def answer(request: RecordedRequest) -> Reply:
        given = request.json["input"]
        texts = [given] if isinstance(given, str) else given
        rows = [
            {"object": "embedding", "index": at, "embedding": _vector(text, width)} for at, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": spent, "total_tokens": spent}
        return Reply({"object": "list", "data": rows, "model": request.json["model"], "usage": usage})

    return answer


def _vector(text: str, width: int) -> list[float]:
    blocks = (sha256(f"{text}{block or ''}".encode()).digest() for block in range(-(-width // 32)))
    return [byte / 255 for byte in b"".join(blocks)[:width]]


def _completion(calls: tuple[Call, ...], text: str, usage: Spent, refusal: str | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": refusal}
    if calls:
        message["tool_calls"] = [_call(call) for call in calls]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    return {**_head("chat.completion"), "choices": [choice], "usage": _usage(usage)}


def _call(call: Call) -> dict[str, Any]:
    arguments = call.args if isinstance(call.args, str) else json.dumps(call.args)
    return {"id": f"call_{next(_numbers)}", "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _events(calls: tuple[Call, ...], text: str, usage: Spent, refusal: str | None) -> Iterator[str]:
    head = _head("chat.completion.chunk")
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": f"{word} "} for word in text.split(" ")]
    deltas += [{"tool_calls": [{"index": at, **_call(call)}]} for at, call in enumerate(calls)]
    deltas += [{"refusal": refusal}] if refusal else []
    for delta in deltas:
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    reason = "tool_calls" if calls else "stop"
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    yield _event({**head, "choices": [], "usage": _usage(usage)})
    yield "data: [DONE]\n\n"


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"


def _head(kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{next(_numbers)}", "object": kind, "created": 1, "model": "scripted"}


def _usage(usage: Spent) -> dict[str, int]:
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
    }
