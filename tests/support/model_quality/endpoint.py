"""An OpenAI-compatible server for the benchmark: it replays recorded answers, dumps prompts, or asks a real server."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.support.fakes import RecordedRequest, Reply, ScriptedModelServer
from tests.support.model_quality.names import Names

CHARS_PER_TOKEN = 4
TURN_TOOL = "create_task"
"""What is offered where a message is to be understood."""
NO_ANSWER = {"error": {"message": "no answer is recorded for this call", "type": "not_recorded"}}
SHOWN = ("messages", "tools", "tool_choice", "response_format", "temperature", "max_tokens", "stream")
Answer = dict[str, Any]


@dataclass
class Asked:
    """One call of a turn: its key, its prompt and what was answered, None for nothing."""

    key: str
    body: dict[str, Any]
    answer: Answer | None
    tokens_in: int
    tokens_out: int


@dataclass
class Endpoint:
    """Answers by key ``<turn>.<who asks>.<number>``; ``dump`` and ``record`` are folders to write to.

    With ``upstream`` (base URL and key) every call goes to that server instead.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    dump: Path | None = None
    record: Path | None = None
    upstream: tuple[str, str] | None = None
    turn: str = ""
    names: Names = field(default_factory=Names)
    asked: list[Asked] = field(default_factory=list)
    _numbers: Counter[str] = field(default_factory=Counter)

    def begin(self, turn: str, names: Names) -> None:
        """What is asked from now on belongs to this turn."""
        self.turn, self.names, self.asked, self._numbers = turn, names, [], Counter()

    def serve(self, server: ScriptedModelServer) -> None:
        """Answer at this server."""
        server.script("/chat/completions", self.reply)
        server.script("/models", Reply({"object": "list", "data": [{"id": "recorded", "object": "model"}]}))

    def reply(self, request: RecordedRequest) -> Reply:
        """The answer to one call, written down."""
        body = request.json
        label = label_of(body)
        self._numbers[label] += 1
        key = f"{self.turn}.{label}.{self._numbers[label]}"
        self._dumped(key, body)
        reply, answer = self._asked_upstream(body) if self.upstream else self._recorded(key, body)
        spent = Asked(key, body, answer, _tokens(_prompt(body)), _tokens(json.dumps(answer or {}, ensure_ascii=False)))
        self.asked.append(spent)
        if self.record and answer:
            _write(self.record / f"{key}.json", self.names.hidden(answer))
        return reply or whole(answer, body, spent)

    def _recorded(self, key: str, body: dict[str, Any]) -> tuple[Reply | None, Answer | None]:
        answer = self.answers.get(key)
        if answer is None:
            return Reply(NO_ANSWER, status=500), None
        return None, self.names.filled(answer, _prompt(body))

    def _asked_upstream(self, body: dict[str, Any]) -> tuple[Reply, Answer | None]:
        base_url, key = self.upstream or ("", "")
        headers = {"Authorization": f"Bearer {key or 'none'}", "Accept-Encoding": "identity"}
        try:
            answer = httpx.post(f"{base_url.rstrip('/')}/chat/completions", json=body, headers=headers, timeout=600)
        except httpx.HTTPError as error:
            return Reply({"error": {"message": str(error)}}, status=502), None
        kind = answer.headers.get("content-type", "application/json")
        read = _streamed(answer.text) if "event-stream" in kind else _whole(answer)
        return Reply(answer.text, status=answer.status_code, content_type=kind), read

    def _dumped(self, key: str, body: dict[str, Any]) -> None:
        if self.dump:
            shown = {name: body[name] for name in SHOWN if name in body}
            _write(self.dump / f"{key}.json", self.names.hidden({"call": key, **shown}))


def label_of(body: dict[str, Any]) -> str:
    """What is asked: "turn" for a message, "repair" for calls that fit no form, "answer" where it is plain text."""
    form = ((body.get("response_format") or {}).get("json_schema") or {}).get("name")
    names = [str(tool["function"]["name"]) for tool in body.get("tools") or ()] + ([form] if form else [])
    if TURN_TOOL in names or form == "calls":
        return "turn"
    return "repair" if "PatchFunctionErrors" in names else "+".join(sorted(names)) or "answer"


def read_answers(path: Path | None) -> dict[str, Answer]:
    """Answers by key, of a folder with one file each, or of one file with a line each: {"call": key, ...}."""
    if path is None or not path.exists():
        return {}
    if path.is_dir():
        return {one.stem: json.loads(one.read_text(encoding="utf-8")) for one in sorted(path.glob("*.json"))}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {line.pop("call"): line for line in lines}


def whole(answer: Answer | None, body: dict[str, Any], spent: Asked) -> Reply:
    """An answer as servers send it: streamed where the request asks for that."""
    answer = answer or {}
    text = answer.get("text") or None
    calls = [_call(number, call) for number, call in enumerate(answer.get("calls") or ())]
    usage = {"prompt_tokens": spent.tokens_in, "completion_tokens": spent.tokens_out}
    usage["total_tokens"] = sum(usage.values())
    head = {"id": "chatcmpl-recorded", "created": 1, "model": body.get("model", "recorded")}
    ended = "tool_calls" if calls else "stop"
    if body.get("stream"):
        pieces = tuple(_pieces(head, text, calls, ended, usage))
        return Reply(content_type="text/event-stream", pieces=pieces)
    message: dict[str, Any] = {"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})
    choice = {"index": 0, "message": message, "finish_reason": ended}
    return Reply({**head, "object": "chat.completion", "choices": [choice], "usage": usage})


def _call(number: int, call: dict[str, Any]) -> dict[str, Any]:
    arguments = json.dumps(call["args"], ensure_ascii=False)
    return {"id": f"call_{number}", "type": "function", "function": {"name": call["name"], "arguments": arguments}}


def _pieces(
    head: dict[str, Any], text: str | None, calls: list[dict[str, Any]], ended: str, usage: dict[str, int]
) -> Iterator[str]:
    head = {**head, "object": "chat.completion.chunk"}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in re.findall(r"\S*\s*", text or "") if piece]
    deltas += [{"tool_calls": [{"index": number, **call}]} for number, call in enumerate(calls)]
    for delta in deltas:
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": ended}]})
    yield _event({**head, "choices": [], "usage": usage})
    yield "data: [DONE]\n\n"


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"


def _whole(answer: httpx.Response) -> Answer | None:
    if not answer.is_success:
        return None
    message = answer.json()["choices"][0]["message"]
    return _answer(message.get("content"), [call["function"] for call in message.get("tool_calls") or ()])


def _streamed(body: str) -> Answer:
    """The answer that a stream of events carries."""
    text, calls = "", dict[int, dict[str, str]]()
    for line in body.splitlines():
        if not line.startswith("data: {"):
            continue
        for choice in json.loads(line[6:]).get("choices") or ():
            delta = choice.get("delta") or {}
            text += delta.get("content") or ""
            for piece in delta.get("tool_calls") or ():
                call = calls.setdefault(piece.get("index", 0), {"name": "", "arguments": ""})
                for name in call:
                    call[name] += (piece.get("function") or {}).get(name) or ""
    return _answer(text, list(calls.values()))


def _answer(text: str | None, calls: list[dict[str, Any]]) -> Answer:
    made = [{"name": call["name"], "args": _arguments(call["arguments"])} for call in calls]
    return ({"text": text} if text else {}) | ({"calls": made} if made else {})


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _prompt(body: dict[str, Any]) -> str:
    """All that a model reads of a request, to count it and to look for ids."""
    told = "\n".join(str(message.get("content") or "") for message in body["messages"])
    forms = [body[name] for name in ("tools", "response_format") if body.get(name)]
    return told + (json.dumps(forms, ensure_ascii=False, separators=(",", ":")) if forms else "")


def _tokens(text: str) -> int:
    return len(text) // CHARS_PER_TOKEN + 1


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
