"""Everything in the list of bad inputs, at every door: one clear problem document, and nothing kept of it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.servers.api import problem
from tests.support.servers.live_server import ADMIN_KEY
from tests.support.servers.plain import plain_client

JSON = {"Content-Type": "application/json"}
GOOD_BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/v1/turns"): {"text": "buy milk"},
    ("POST", "/v1/todos"): {"task": "buy milk"},
    ("POST", "/v1/events"): {"title": "dentist", "start": "2026-11-20T15:00:00+00:00"},
    ("POST", "/v1/notes"): {"content": "the garden needs water"},
    ("POST", "/v1/instructions"): {"text": "mark urgent tasks as high"},
    ("POST", "/v1/threads"): {"title": "garden"},
    ("POST", "/v1/keys"): {"name": "phone"},
    ("PATCH", "/v1/profile"): {"name": "Alice"},
    ("PATCH", "/v1/settings"): {"timezone": "Europe/Lisbon"},
}
DOORS = list(GOOD_BODIES)
BAD_BODIES = {
    "nothing": (b"", 400),
    "no JSON": (b"{'text': 1}", 400),
    "cut short": (b'{"text": "buy', 400),
    "not UTF-8": (b'{"text": "\xff\xfe"}', 400),
    "NaN": (b'{"text": NaN}', 400),
    "a list": (b"[]", 422),
    "a string": (b'"buy milk"', 422),
    "null": (b"null", 422),
    "NUL": (b'{"text": "a\\u0000b"}', 422),
    "NUL in a name": (b'{"a\\u0000b": 1}', 422),
    "half a surrogate": (b'{"text": "\\ud83d"}', 422),
    "half a surrogate as bytes": (b'{"text": "\xed\xa0\xbd"}', 422),
    "infinite": (b'{"text": 1e999}', 422),
    "a huge number": (b'{"text": ' + b"9" * 400 + b"}", 422),
    "a number too long to read": (b'{"text": ' + b"9" * 5000 + b"}", 400),
    "deep": (b'{"text": ' + b"[" * 50 + b"]" * 50 + b"}", 422),
    "very deep": (b'{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 422),
    "3 MB": (json.dumps({"text": "x" * 3_000_000}).encode(), 413),
}


@pytest.fixture(scope="module")
def alice(base_url: str) -> Iterator[httpx.Client]:
    """One user for all, as nothing is ever kept of her."""
    with plain_client(base_url, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        key = admin.post("/v1/users", json={"name": "Alice"}).json()["api_key"]
    with plain_client(base_url, {"Authorization": f"Bearer {key}"}) as client:
        yield client


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=list(BAD_BODIES))
def test_a_body_that_is_no_good_json_object(
    alice: httpx.Client, door: tuple[str, str], body: tuple[bytes, int]
) -> None:
    content, status = body
    document = problem(alice.request(*door, content=content, headers=JSON), status)
    assert document["instance"] == door[1]
    assert _counts(alice) == EMPTY


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_an_unknown_field(alice: httpx.Client, door: tuple[str, str]) -> None:
    document = problem(alice.request(*door, json={**GOOD_BODIES[door], "colour": "red"}), 422)
    assert [error["field"] for error in document["errors"]] == ["colour"]
    assert _counts(alice) == EMPTY


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_a_wrong_type_names_the_field_and_not_the_value(alice: httpx.Client, door: tuple[str, str]) -> None:
    name = next(iter(GOOD_BODIES[door]))
    answer = alice.request(*door, json={**GOOD_BODIES[door], name: {"secret": 123456789}})
    document = problem(answer, 422)
    assert {error["field"].split(".")[0] for error in document["errors"]} == {name}
    assert "123456789" not in answer.text
    assert _counts(alice) == EMPTY


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/x-www-form-urlencoded", ""])
def test_a_content_type_that_is_not_accepted(alice: httpx.Client, door: tuple[str, str], kind: str) -> None:
    content = json.dumps(GOOD_BODIES[door]).encode()
    problem(alice.request(*door, content=content, headers={"Content-Type": kind}), 415)
    assert _counts(alice) == EMPTY


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_a_chunked_body_is_counted_too(alice: httpx.Client, door: tuple[str, str]) -> None:
    def pieces() -> Any:
        yield b'{"text": "'
        for _ in range(60):
            yield b"x" * 50_000
        yield b'"}'

    problem(alice.request(*door, content=pieces(), headers=JSON), 413)


@pytest.mark.parametrize("key", ["", "two words", "é", "x" * 300])
def test_an_idempotency_key_that_cannot_be_one(alice: httpx.Client, key: str) -> None:
    headers = [(b"Content-Type", b"application/json"), (b"Idempotency-Key", key.encode("latin-1"))]
    document = problem(alice.request("POST", "/v1/turns", content=b'{"text": "buy milk"}', headers=headers), 422)
    assert document["errors"][0]["field"] == "Idempotency-Key"


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b\u200b", "\u3000"])
def test_a_message_that_says_nothing(alice: httpx.Client, text: str) -> None:
    document = problem(alice.post("/v1/turns", json={"text": text}), 422)
    assert document["errors"][0]["field"] == "text"
    assert _counts(alice) == EMPTY


def test_a_message_longer_than_the_limit_names_the_limit(alice: httpx.Client) -> None:
    document = problem(alice.post("/v1/turns", json={"text": "x" * 1_000_000}), 413)
    assert "20000" in document["detail"]
    assert _counts(alice) == EMPTY


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("timezone", "Mars/Olympus"),
        ("timezone", "../../etc/passwd"),
        ("timezone", "America"),
        ("timezone", ""),
        ("timezone", "x" * 5000),
        ("captured_at", "2026-11-18T09:30:00"),
        ("captured_at", "1969-12-31T23:59:59Z"),
        ("captured_at", "2200-01-01T00:00:00Z"),
        ("captured_at", "0001-01-01T00:00:00+14:00"),
        ("captured_at", "9999-12-31T23:59:59-14:00"),
        ("captured_at", "2026-02-30T00:00:00Z"),
        ("captured_at", "yesterday"),
        ("captured_at", "1700000000"),
        ("captured_at", 1700000000),
        ("thread_id", "main"),
        ("thread_id", 7),
        ("strategy", "queue"),
        ("text", 7),
        ("text", None),
        ("text", ["buy milk"]),
    ],
)
def test_a_turn_with_a_wrong_field(alice: httpx.Client, field: str, value: Any) -> None:
    document = problem(alice.post("/v1/turns", json={"text": "buy milk", field: value}), 422)
    assert {error["field"] for error in document["errors"]} == {field}
    assert _counts(alice) == EMPTY


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("todos", {"task": ""}),
        ("todos", {"task": "x" * 501}),
        ("todos", {"task": "a", "priority": 99}),
        ("todos", {"task": "a", "deadline": "tomorrow"}),
        ("todos", {"task": "a", "deadline": "2026-02-30"}),
        ("todos", {"task": "a", "deadline": "2026-11-18T09:00:00"}),
        ("todos", {"task": "a", "deadline": "3000-01-01"}),
        ("todos", {"task": "a", "recurrence": "every day"}),
        ("todos", {"task": "a", "zone": "Mars/Olympus"}),
        ("todos", {"task": "a", "id": "11111111-1111-4111-8111-111111111111"}),
        ("events", {"title": "a"}),
        ("events", {"title": "a", "start": "2026-11-20T15:00:00Z", "end": "2026-11-20T14:00:00Z"}),
        ("events", {"title": "a", "start": "2026-11-20T15:00:00Z", "end": "2026-11-21"}),
        ("events", {"title": "a", "start": "2026-11-20T15:00:00Z", "color": "red"}),
        ("notes", {}),
        ("notes", {"content": "   "}),
        ("notes", {"category": "poem", "content": "a"}),
        ("instructions", {"text": ""}),
    ],
)
def test_a_record_with_a_wrong_field(alice: httpx.Client, path: str, fields: dict[str, Any]) -> None:
    problem(alice.post(f"/v1/{path}", json=fields), 422)
    assert _counts(alice) == EMPTY
    assert alice.get("/v1/changes").json()["items"] == []


@pytest.mark.parametrize(
    "item", ["xyz", "00000000", "..%2f..", "%00", "a" * 5000, "00000000-0000-4000-8000-000000000009"]
)
@pytest.mark.parametrize(
    "section", ["turns", "todos", "events", "notes", "instructions", "changes", "threads", "memos"]
)
def test_an_id_of_nothing(alice: httpx.Client, section: str, item: str) -> None:
    problem(alice.get(f"/v1/{section}/{item}"), 404)


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=ten",
        "cursor=nonsense",
        "cursor=WyJhIl0",
        "status=open",
        "sort=size",
        "due_before=soon",
        "due_before=1700000000",
        "q=%00",
        "q=",
        "colour=red",
    ],
)
def test_a_list_asked_wrongly(alice: httpx.Client, query: str) -> None:
    problem(alice.get(f"/v1/todos?{query}"), 422)


@pytest.mark.parametrize("section", ["threads", "memos", "todos", "events", "notes", "instructions"])
@pytest.mark.parametrize(
    "position", [[], ["a"], [1, 2], [{}, None], ["\0", "b"], ["\ud800", "b"], "ab", {"a": 1, "b": 2}]
)
def test_a_cursor_that_was_never_given_out(alice: httpx.Client, section: str, position: Any) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")
    problem(alice.get(f"/v1/{section}", params={"cursor": cursor}), 422)


def test_every_list_refuses_a_cursor_of_others(alice: httpx.Client) -> None:
    described = alice.get("/openapi.json").json()["paths"].items()
    paged = [
        path
        for path, item in described
        if any(one["name"] == "cursor" for one in item.get("get", {}).get("parameters", []))
    ]
    assert len(paged) >= 15
    for path in paged:
        for cursor in ("", " ", "nonsense", "W10"):
            answer = alice.get(re.sub(r"\{\w+\}", str(uuid4()), path), params={"cursor": cursor})
            assert answer.status_code in (404, 422), (path, cursor, answer.text)


@pytest.mark.parametrize("section", ["threads", "memos"])
@pytest.mark.parametrize("position", [["a", "b"], ["2026-11-18T09:00:00+00:00", "b"], ["2026-11-18", 7]])
def test_a_cursor_that_names_no_place(alice: httpx.Client, section: str, position: list[Any]) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")
    problem(alice.get(f"/v1/{section}", params={"cursor": cursor}), 422)


@pytest.mark.parametrize("path", ["/v1/nothing", "/nothing", "/v1/turns/", "/v1"])
def test_a_path_that_leads_nowhere(alice: httpx.Client, path: str) -> None:
    problem(alice.get(path), 404)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/todos", "GET, POST"),
        ("PUT", "/v1/todos/1234567", "DELETE, GET, PATCH"),
        ("DELETE", "/v1/turns", "POST"),
        ("POST", "/livez", "GET"),
    ],
)
def test_a_method_that_is_not_possible(alice: httpx.Client, method: str, path: str, allowed: str) -> None:
    answer = alice.request(method, path)
    problem(answer, 405)
    assert answer.headers["allow"] == allowed


EMPTY = {"todos": 0, "events": 0, "notes": 0, "instructions": 0, "threads": 1, "keys": 1, "messages": 0}


def _counts(client: httpx.Client) -> dict[str, int]:
    paths = {name: f"/v1/{name}" for name in EMPTY}
    main = client.get("/v1/threads").json()["items"][0]["id"]
    paths["messages"] = f"/v1/threads/{main}/messages"
    return {name: len(client.get(path).json()["items"]) for name, path in paths.items()}
