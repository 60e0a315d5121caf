"""The same fault over every door is told in the same words, and nothing is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.support.servers.live import key_of, open_socket, receive, send

MCP = {"Accept": "application/json, text/event-stream"}
JSON = {"Content-Type": "application/json"}
NUL = "Text must not contain NUL characters or lone surrogates. Send well-formed UTF-8."
EMPTY = "text: must say something: it is empty or only white space"
LONG = "The text has 20001 characters; the limit is 20000. Send it in parts."
KEY = "may hold letters, digits and signs of ASCII, and no spaces"
Door = Callable[[httpx.Client, str, str], str]


def told(answer: httpx.Response) -> str:
    assert answer.is_error, answer.text
    document = answer.json()
    return f"{document['detail']} {document['hint']}"


def by_rest(user: httpx.Client, text: str, key: str) -> str:
    return told(user.post("/v1/turns", json={"text": text}, headers={"Idempotency-Key": key}))


def by_openai(user: httpx.Client, text: str, key: str) -> str:
    body = {"model": "summit", "messages": [{"role": "user", "content": text}]}
    answer = user.post("/v1/chat/completions", json=body, headers={"Idempotency-Key": key})
    assert answer.json()["error"]["message"] == told(answer)
    return told(answer)


def by_langgraph(user: httpx.Client, text: str, key: str) -> str:
    body = {"assistant_id": "summit", "input": {"messages": [{"role": "user", "content": text}]}}
    return told(user.post("/lg/runs/wait", json=body, headers={"Idempotency-Key": key}))


def by_agui(user: httpx.Client, text: str, _key: str) -> str:
    body = {"threadId": "home", "runId": "1", "messages": [{"id": "m", "role": "user", "content": text}]}
    return told(user.post("/agui", json=body))


def by_mcp(user: httpx.Client, text: str, key: str) -> str:
    arguments = {"name": "say", "arguments": {"text": text, "request_id": key}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}
    result: dict[str, Any] = user.post("/mcp", json=body, headers=MCP).json()["result"]
    assert result["isError"]
    return str(result["content"][0]["text"])


def by_websocket(user: httpx.Client, text: str, key: str) -> str:
    with open_socket(str(user.base_url).rstrip("/"), key_of(user)) as socket:
        send(socket, type="turn", text=text, idempotency_key=key)
        data = receive(socket)["data"]
    return f"{data['detail']} {data['hint']}"


DOORS = [by_rest, by_openai, by_langgraph, by_agui, by_mcp, by_websocket]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("text", "sentence"), [(" \n", EMPTY), ("a\0b", NUL), ("x" * 20_001, LONG)])
def test_a_message_that_cannot_be_one(alice: httpx.Client, door: Door, text: str, sentence: str) -> None:
    assert door(alice, text, "1").startswith(sentence)
    assert alice.get("/v1/changes").json()["items"] == []


@pytest.mark.parametrize("door", [one for one in DOORS if one is not by_agui])  # whose names may be any text
def test_a_key_that_cannot_be_one(alice: httpx.Client, door: Door) -> None:
    assert KEY in door(alice, "buy milk", "two words")
    assert alice.get("/v1/changes").json()["items"] == []


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/lg/runs/wait", "/agui", "/v1/embeddings", "/v1/todos"])
def test_where_only_json_is_taken_nothing_else_is_advised(alice: httpx.Client, path: str) -> None:
    assert told(alice.post(path, content=b"{", headers=JSON)).endswith("Send valid JSON in UTF-8.")
    plain = alice.post(path, content=b"buy milk", headers={"Content-Type": "text/plain"})
    assert (plain.status_code, told(plain).endswith("Send application/json.")) == (415, True)


def test_the_names_of_a_workflow_are_explained(alice: httpx.Client) -> None:
    step = {"id": "Say it", "kind": "turn", "message": "buy milk"}
    answer = alice.put("/v1/workflows/one", json={"slug": "one two", "name": "", "steps": [step]})
    assert answer.status_code == 422
    messages = {one["field"]: one["message"] for one in json.loads(answer.text)["errors"]}
    assert messages["slug"].endswith("hyphens between them, such as weekly-review")
    assert messages["name"] == "must not be empty"
    assert any(message.endswith("and begins with a letter") for message in messages.values())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "input: List should have at least 1 item"),
        ([""], "input.0: must not be empty"),
        (5, "input: Input should be"),
    ],
)
def test_texts_that_cannot_be_embedded_are_told_once(alice: httpx.Client, wrong: Any, message: str) -> None:
    answer = alice.post("/v1/embeddings", json={"model": "any", "input": wrong})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(message)
    assert len(answer.json()["errors"]) == 1
