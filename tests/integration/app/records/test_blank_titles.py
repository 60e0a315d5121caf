"""Nothing is kept under white space: every door refuses a blank title, of new records and of edits, in the same way."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.servers.api import problem

BLANKS = ["", "   ", "\n\t", "\u200b\u200b", "\u3000", "\u2060", "\ufeff"]
BODIES: dict[str, dict[str, Any]] = {
    "todos": {"task": "stretch"},
    "events": {"title": "dentist", "start": "2026-11-20"},
    "notes": {"content": "blue pot"},
    "instructions": {"text": "be brief"},
}
TITLES = [(path, next(iter(body))) for path, body in BODIES.items()]
LINES = [
    ("todos", {"solutions": ["{}"]}),
    ("todos", {"tags": ["{}"]}),
    ("notes", {"category": "list", "items": ["{}"]}),
    ("notes", {"items": [{"text": "{}"}]}),
]


def _filled(value: Any, blank: str) -> Any:
    """The body with the blank in the place of ``{}``."""
    if isinstance(value, dict):
        return {name: _filled(item, blank) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, blank) for item in value]
    return blank if value == "{}" else value


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize(("path", "name"), TITLES)
def test_a_new_record_has_a_title(alice: httpx.Client, path: str, name: str, blank: str) -> None:
    problem(alice.post(f"/v1/{path}", json={**BODIES[path], name: blank}), 422)
    assert alice.get(f"/v1/{path}").json()["items"] == []
    assert alice.get("/v1/changes").json()["items"] == []


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize(("path", "name"), [title for title in TITLES if title[0] != "notes"])
def test_an_edit_leaves_the_title_one(alice: httpx.Client, path: str, name: str, blank: str) -> None:
    where = alice.post(f"/v1/{path}", json=BODIES[path]).headers["location"]
    problem(alice.patch(where, json={name: blank}), 422)
    assert alice.get(where).json()[name] == BODIES[path][name]


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize(("path", "body"), LINES)
def test_a_line_says_something(alice: httpx.Client, path: str, body: dict[str, Any], blank: str) -> None:
    problem(alice.post(f"/v1/{path}", json={**BODIES[path], **_filled(body, blank)}), 422)
    assert alice.get(f"/v1/{path}").json()["items"] == []


@pytest.mark.parametrize("blank", BLANKS)
def test_an_edit_leaves_a_note_with_words(alice: httpx.Client, blank: str) -> None:
    where = alice.post("/v1/notes", json=BODIES["notes"]).headers["location"]
    problem(alice.patch(where, json={"content": blank, "summary": blank}), 422)
    assert alice.get(where).json()["content"] == "blue pot"


@pytest.mark.parametrize("blank", BLANKS)
def test_blank_words_are_no_turn(alice: httpx.Client, blank: str) -> None:
    problem(alice.post("/v1/turns", json={"text": blank}), 422)
    assert alice.get("/v1/todos").json()["items"] == []
