"""Memory over HTTP: from a message to a quote, and what is refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.api.conftest import problem
from tests.app.api.server import ADMIN_KEY, live_server, settings_for

SECONDS = 20.0


@pytest.fixture
def user(database_url: str, tmp_path: Path) -> Iterator[httpx.Client]:
    """A user of a server with jobs beside it."""
    with live_server(settings_for(database_url, tmp_path, workers_in_process=True)) as url:
        made = httpx.post(f"{url}/v1/users", json={"name": "A"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"})
        key = made.json()["api_key"]
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=30) as client:
            yield client


def test_what_was_said_is_indexed_quoted_and_declined(user: httpx.Client) -> None:
    said = "note that the allotment gate opens with the green key"
    assert user.post("/v1/turns", json={"text": said}).json()["status"] == "done"
    asked, deadline = {"found": False}, time.monotonic() + SECONDS
    while not asked["found"] and time.monotonic() < deadline:
        time.sleep(0.3)
        asked = user.post("/v1/memory/ask", json={"question": "which key opens the allotment gate?"}).json()
    assert asked["found"], asked
    assert "green key" in asked["answer"]
    assert {one["source"] for one in asked["citations"]} <= {"note", "message"}
    declined = user.post("/v1/memory/ask", json={"question": "what did the astronomer eat?"}).json()
    assert (declined["found"], declined["answer"], declined["citations"]) == (False, "I don't have that.", [])
    found = user.post("/v1/memory/search", json={"query": "green key", "to": "2001-01-01T00:00:00Z"}).json()
    assert found["items"] == []
    turn = user.post("/v1/turns", json={"text": "what did I say about the allotment gate?"}).json()
    assert "green key" in turn["reply"]
    problem(user.post("/v1/memory/ask", json={"question": " "}), 422)
    problem(user.post("/v1/memory/ask", json={}), 422)
    problem(user.post("/v1/memory/search", json={"query": "x", "limit": 0}), 422)
    both = {"query": "x", "from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
    problem(user.post("/v1/memory/search", json=both), 422)
