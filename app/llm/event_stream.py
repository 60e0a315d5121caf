"""A stream of events that a server sent where one whole answer was asked for, as that answer."""

from __future__ import annotations

import json
from typing import Any

from openai.types.chat import ChatCompletion


def completion_in(body: str) -> ChatCompletion:
    """Return the completion that the events of a body add up to. Raises ValueError where it has none."""
    text, reason, calls, usage, head = "", "stop", dict[int, dict[str, str]](), None, dict[str, Any]()
    for line in body.splitlines():
        if not line.startswith("data: {"):
            continue
        try:
            event = json.loads(line.removeprefix("data: "))
        except ValueError:
            continue
        head, usage = head or event, event.get("usage") or usage
        for choice in event.get("choices") or ():
            delta = choice.get("delta") or {}
            text += delta.get("content") or ""
            reason = choice.get("finish_reason") or reason
            for piece in delta.get("tool_calls") or ():
                _add(
                    calls.setdefault(piece.get("index") or 0, {"name": "", "arguments": ""}),
                    piece.get("function") or {},
                )
    if not head:
        raise ValueError("no events")
    message = {
        "role": "assistant",
        "content": text or None,
        "tool_calls": [_call(at, one) for at, one in calls.items()],
    }
    choice = {"index": 0, "message": message, "finish_reason": reason}
    whole = {
        "id": "",
        "created": 0,
        "model": "",
        **head,
        "object": "chat.completion",
        "choices": [choice],
        "usage": usage,
    }
    return ChatCompletion.model_construct(**ChatCompletion.model_validate(whole).__dict__)


def _add(call: dict[str, str], piece: dict[str, Any]) -> None:
    for name in call:
        call[name] += piece.get(name) or ""


def _call(at: int, call: dict[str, str]) -> dict[str, Any]:
    return {"id": f"call_{at}", "type": "function", "function": call}
