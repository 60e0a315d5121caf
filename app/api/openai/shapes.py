"""What OpenAI's clients send and see: messages, completions and their chunks."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.api.schemas import as_json
from app.api.schemas_turns import TurnView
from app.errors import InvalidInput

ASSISTANT = "summit"
PLAIN = "summit-plain"
MODELS = (ASSISTANT, PLAIN)
CHARS_PER_TOKEN = 4
WORDS = "Send the words alone."
DONE = b"data: [DONE]\n\n"


class ChatMessage(BaseModel):
    """One message; ``content`` is text, or parts of which only text can be read."""

    model_config = ConfigDict(extra="ignore", strict=True)

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        """The words of the message; raises InvalidInput for parts that are none."""
        if isinstance(self.content, list):
            return "\n".join(_words(part) for part in self.content)
        return self.content or ""

    @property
    def outline(self) -> str:
        """The words of a message that is not to be answered; other parts stand there as they came."""
        if isinstance(self.content, list):
            return "\n".join(_words(part) if _is_text(part) else json.dumps(part) for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """Whether a stream ends with the usage."""

    include_usage: bool = False


class ChatRequest(BaseModel):
    """A request for a completion. Sampling settings are taken and mean nothing here: no model of theirs is asked."""

    model_config = ConfigDict(extra="ignore", strict=True)

    model: str = Field(max_length=200)
    messages: list[ChatMessage] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = None
    metadata: dict[str, Any] | None = None
    tool_choice: str | dict[str, Any] | None = None
    response_format: dict[str, Any] | None = None

    def refuse_what_cannot_be_honoured(self) -> None:
        """Raises InvalidInput for a wish that an answer would silently break."""
        if self.model not in MODELS:
            raise InvalidInput(f"There is no model {self.model[:50]!r} here.", hint="GET /v1/models lists them.")
        if self.n not in (None, 1):
            raise InvalidInput("n: a message is answered once.", hint="Leave n out.")
        if self.tool_choice not in (None, "auto", "none"):
            raise InvalidInput("tool_choice: Summit calls its own tools only.", hint="Leave tool_choice out.")
        if (self.response_format or {}).get("type", "text") != "text":
            raise InvalidInput("response_format: replies are text.", hint="Leave response_format out.")

    @property
    def said(self) -> str:
        """The last message of the user; raises InvalidInput when there is none."""
        for message in reversed(self.messages):
            if message.role == "user":
                return message.text
        raise InvalidInput("messages: there is no message of the user.")


def _is_text(part: dict[str, Any]) -> bool:
    return part.get("type") in ("text", "input_text") and isinstance(part.get("text"), str)


def _words(part: dict[str, Any]) -> str:
    if not _is_text(part):
        raise InvalidInput(
            f"messages: a part of type {str(part.get('type'))[:30]!r} cannot be read; text can.", hint=WORDS
        )
    return str(part["text"])


def completion_id(turn_id: UUID | str) -> str:
    """The id of a completion: that of its turn."""
    return f"chatcmpl-{turn_id}"


def usage_of(said: Sequence[ChatMessage], reply: str, counted: dict[str, Any]) -> dict[str, int]:
    """A model's own counts where one took part, else an estimate from the length of the texts."""
    model = counted.get("model") or {}
    prompt = int(model.get("tokens_in") or -(-sum(len(str(one.content or "")) for one in said) // CHARS_PER_TOKEN))
    answer = int(model.get("tokens_out") or -(-len(reply) // CHARS_PER_TOKEN))
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


def turn_document(view: TurnView) -> dict[str, Any]:
    """What became of the message, beside the reply: its turn, and each change with its address for undo."""
    shown = as_json(view)
    kept = ("id", "op", "kind", "record_id", "title", "status", "error", "undo")
    changes = [{name: change[name] for name in kept} for change in shown["changes"]]
    return {
        "turn_id": shown["id"],
        "thread_id": shown["thread_id"],
        "status": shown["status"],
        "changes": changes,
        "question": shown["question"],
    }


def completion(name: str, model: str, reply: str, usage: dict[str, int], turn: dict[str, Any] | None) -> dict[str, Any]:
    """A whole answer."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": reply, "refusal": None},
        "logprobs": None,
        "finish_reason": "stop",
    }
    return {
        "id": name,
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": usage,
        **({"summit": turn} if turn else {}),
    }


class Chunks:
    """The frames of one streamed answer."""

    def __init__(self, name: str, model: str) -> None:
        self._same = {"id": name, "object": "chat.completion.chunk", "created": int(time.time()), "model": model}
        self._told = ""

    def begin(self) -> bytes:
        """The first frame."""
        return self._frame([_delta({"role": "assistant", "content": ""})])

    def sentence(self, text: str) -> bytes:
        """A sentence of the reply, as soon as it is known."""
        self._told += text
        return self._frame([_delta({"content": text})])

    def rest(self, reply: str) -> list[bytes]:
        """What the stored reply has beyond the frames so far; of a turn that ran twice they may differ."""
        if reply == self._told:
            return []
        left = reply.removeprefix(self._told) if reply.startswith(self._told) else f"\n{reply}"
        self._told = reply
        return [self._frame([_delta({"content": left})])]

    def end(self, turn: dict[str, Any] | None, usage: dict[str, int] | None) -> list[bytes]:
        """The last frames."""
        last = {**_delta({}), "finish_reason": "stop"}
        counted = [self._frame([], usage=usage)] if usage else []
        return [self._frame([last], **({"summit": turn} if turn else {})), *counted, DONE]

    def error(self, message: str) -> bytes:
        """Why the answer ends here."""
        return f"data: {json.dumps({'error': {'message': message, 'type': 'server_error', 'code': None}})}\n\n".encode()

    def _frame(self, choices: list[dict[str, Any]], **more: Any) -> bytes:
        return f"data: {json.dumps({**self._same, 'choices': choices, **more})}\n\n".encode()


def _delta(delta: dict[str, Any]) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
