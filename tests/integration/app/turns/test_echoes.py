"""Whatever is sent, a refusal is short: no door sends a client's own long input back to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.servers.api import problem
from tests.support.servers.live import ask, key_of, open_socket

LONGEST_REFUSAL = 8_000
MANY = 3_000
WORD = "zanzibar"
LONG: dict[str, Any] = {
    "a long text": WORD * 20_000,
    "a long list": [f"{WORD} {number} " * 10 for number in range(MANY)],
    "a long object": {f"{WORD} {number} " * 10: WORD for number in range(MANY)},
    "a list of objects": [{"text": {WORD: number}} for number in range(MANY)],
}


def doors(client: httpx.Client) -> Iterator[tuple[str, str, list[str]]]:
    """Every way to send JSON: method, path and the fields that its body has."""
    description = client.get("/openapi.json").json()
    for path, methods in description["paths"].items():
        for method, door in methods.items():
            content = door.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                yield method, path, list(_fields(content["application/json"]["schema"], description))


def _fields(schema: dict[str, Any], description: dict[str, Any]) -> Iterator[str]:
    for part in schema.get("anyOf", [schema]):
        name = part.get("$ref", "").rpartition("/")[2]
        yield from (description["components"]["schemas"][name] if name else part).get("properties", {})


@pytest.mark.parametrize("value", LONG.values(), ids=LONG)
def test_no_door_sends_long_input_back(alice: httpx.Client, value: Any) -> None:
    count = 0
    for method, path, fields in doors(alice):
        for field in fields:
            answer = alice.request(method, _filled(path), json={field: value})
            if answer.is_error:
                assert len(answer.content) < LONGEST_REFUSAL, (method, path, field, answer.text[:300])
                count += 1
    assert count > 50


def _filled(path: str) -> str:
    """The path with an id for each of its places."""
    return "/".join(str(uuid4()) if step.startswith("{") else step for step in path.split("/"))


@pytest.mark.parametrize("value", LONG.values(), ids=LONG)
def test_a_stored_record_is_not_sent_back_with_what_does_not_fit_it(alice: httpx.Client, value: Any) -> None:
    note = alice.post("/v1/notes", json={"content": "shopping", "category": "list", "items": ["milk"]}).json()
    answer = alice.patch(f"/v1/notes/{note['id']}", json={"items": value})
    assert problem(answer, 422)["detail"]
    assert len(answer.content) < LONGEST_REFUSAL


def test_names_of_fields_are_cut_and_faults_counted(alice: httpx.Client) -> None:
    answer = alice.post("/v1/todos", json={"task": "milk", **{f"{WORD}{number}" * 50: 1 for number in range(MANY)}})
    document = problem(answer, 422)
    assert len(answer.content) < LONGEST_REFUSAL
    assert len(document["errors"]) <= 20


@pytest.mark.parametrize("value", LONG.values(), ids=LONG)
def test_a_websocket_sends_no_long_input_back(alice: httpx.Client, base_url: str, value: Any) -> None:
    frames: list[dict[str, Any]] = [
        {"type": "turn", "text": value, "timezone": "Mars"},
        {"type": "turn", "text": "milk", "idempotency_key": value},
        {"type": "cancel", "turn_id": value},
        {"type": "ack", "notification_id": value},
        {"type": "resume", "last_seq": value},
        {"type": "ping", "x": value},
        {"type": value},
    ]
    with open_socket(base_url, key_of(alice)) as socket:
        for frame in frames:
            told = ask(socket, **frame)
            assert [envelope["type"] for envelope in told] == ["error"], frame["type"]
            assert len(json.dumps(told)) < LONGEST_REFUSAL
