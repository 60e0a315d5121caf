"""What OpenAI's clients send and see: messages, completions and their chunks."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from agents.user_words.passed_on import join_parts
from app.errors import InvalidInput, ModelNotFound
from app.http.schemas import as_json
from app.protocols.answered import goes_on
from app.protocols.forced_tools import ToolForm, forced_tool, wanted_tool
from app.protocols.json_forms import demanded_schema
from app.turns.routes.schemas import TurnView

ASSISTANT = "summit"
PLAIN = "summit-plain"
MODELS = (ASSISTANT, PLAIN)
CHARS_PER_TOKEN = 4
TEXT_ONLY_HINT = "Send the words alone."
DONE_FRAME = b"data: [DONE]\n\n"


class ChatMessage(BaseModel):
    """One message; ``content`` is text, or parts of which only text can be read."""

    model_config = ConfigDict(extra="ignore", strict=True)

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        """The words of the message; raises InvalidInput for parts that are none."""
        if isinstance(self.content, list):
            return join_parts([_words(part) for part in self.content])
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
    tools: list[dict[str, Any]] = []
    tool_choice: str | dict[str, Any] | None = None
    response_format: dict[str, Any] | None = None

    def refuse_what_cannot_be_honoured(self) -> None:
        """Raises ModelNotFound, and InvalidInput for a wish that an answer would silently break."""
        if self.model not in MODELS:
            raise ModelNotFound(self.model)
        if self.n not in (None, 1):
            raise InvalidInput("n: a message is answered once.", hint="Leave n out.")

    @property
    def forces_tool(self) -> bool:
        """Whether a tool of the client has to be called: no person speaks like that."""
        return wanted_tool(self.tool_choice) is not None

    @property
    def forced_tool(self) -> ToolForm | None:
        """Name and schema of the tool that has to be called; None where the assistant may choose."""
        return forced_tool(self.tool_choice, self.tools)

    @property
    def demanded_schema(self) -> dict[str, Any] | None:
        """The JSON schema that a reply must have, empty for any JSON; None where it is text."""
        return demanded_schema(self.response_format)

    @property
    def last_user_text(self) -> str:
        """The last message of the user; raises InvalidInput when there is none."""
        for message in reversed(self.messages):
            if message.role == "user":
                return message.text
        raise InvalidInput("messages: there is no message of the user.")

    @property
    def goes_on(self) -> bool:
        """Whether the user's last message was answered before, and a client's tool or an answer stands behind it."""
        return goes_on([message.role for message in self.messages])

    @property
    def stands_alone(self) -> bool:
        """Whether nothing was said before the user's message, so that it begins a conversation."""
        return [message.role for message in self.messages if message.role in ("user", "assistant")] == ["user"]


def tools_in(body: bytes) -> list[dict[str, Any]]:
    """The tools of a request, as they came."""
    tools = json.loads(body).get("tools")
    return [one for one in tools if isinstance(one, dict)] if isinstance(tools, list) else []


def _is_text(part: dict[str, Any]) -> bool:
    return part.get("type") in ("text", "input_text") and isinstance(part.get("text"), str)


def _words(part: dict[str, Any]) -> str:
    if not _is_text(part):
        raise InvalidInput(
            f"messages: a part of type {str(part.get('type'))[:30]!r} cannot be read; text can.", hint=TEXT_ONLY_HINT
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


def completion(
    name: str, model: str, reply: str, usage: dict[str, int], turn: dict[str, Any] | None, tool: str = ""
) -> dict[str, Any]:
    """A whole answer; of a ``tool`` that was forced, ``reply`` are its arguments."""
    message: dict[str, Any] = {"role": "assistant", "content": None if tool else reply, "refusal": None}
    choice = {
        "index": 0,
        "message": {**message, "tool_calls": [_tool_call(name, tool, reply)]} if tool else message,
        "logprobs": None,
        "finish_reason": "tool_calls" if tool else "stop",
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

    def call(self, tool: str, arguments: str) -> bytes:
        """The call of a tool that was forced."""
        call = _tool_call(str(self._same["id"]), tool, arguments)
        return self._frame([_delta({"tool_calls": [{"index": 0, **call}]})])

    def end(self, turn: dict[str, Any] | None, usage: dict[str, int] | None, reason: str = "stop") -> list[bytes]:
        """The last frames."""
        last = {**_delta({}), "finish_reason": reason}
        counted = [self._frame([], usage=usage)] if usage else []
        return [self._frame([last], **({"summit": turn} if turn else {})), *counted, DONE_FRAME]

    def error(self, message: str) -> bytes:
        """Why the answer ends here."""
        return f"data: {json.dumps({'error': {'message': message, 'type': 'server_error', 'code': None}})}\n\n".encode()

    def _frame(self, choices: list[dict[str, Any]], **more: Any) -> bytes:
        return f"data: {json.dumps({**self._same, 'choices': choices, **more})}\n\n".encode()


def _tool_call(completion: str, tool: str, arguments: str) -> dict[str, Any]:
    function = {"name": tool, "arguments": arguments}
    return {"id": completion.replace("chatcmpl", "call"), "type": "function", "function": function}


def _delta(delta: dict[str, Any]) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
