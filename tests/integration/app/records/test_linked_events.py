"""An event that stands for a task, through the doors: its colour follows the task, and comes back with an undo."""

from __future__ import annotations

import httpx
import pytest

from tests.integration.app.turns.test_turns import say

RED, BLUE = "#d93025", "#1a73e8"


@pytest.fixture
def planner(alice: httpx.Client) -> httpx.Client:
    """A user who has set time aside for a task."""
    task = alice.post("/v1/todos", json={"task": "write the report"}).json()["id"]
    body = {"title": "Report", "start": "2026-11-19T14:00:00Z", "task_id": task}
    assert alice.post("/v1/events", json=body).json()["color"] == BLUE
    return alice


def color(client: httpx.Client) -> str:
    return str(client.get("/v1/events").json()["items"][0]["color"])


def test_in_words(planner: httpx.Client) -> None:
    turn = say(planner, "set write the report to high priority")
    assert [(change["kind"], change["status"]) for change in turn["changes"]] == [
        ("todo", "applied"),
        ("event", "applied"),
    ]
    assert turn["reply"].endswith("“Report” is red on your calendar now.")
    assert color(planner) == RED
    undone = say(planner, "undo that")
    assert (color(planner), undone["question"]) == (BLUE, None)
    say(planner, "redo")
    assert color(planner) == RED


def test_the_second_is_the_second_that_was_said(planner: httpx.Client) -> None:
    say(planner, "set write the report to high priority and add task call mom")
    assert "call mom" in say(planner, "undo just the second one")["reply"]
    assert color(planner) == RED


def test_by_hand(planner: httpx.Client) -> None:
    task = planner.get("/v1/todos").json()["items"][0]["id"]
    changed = planner.patch(f"/v1/todos/{task}", json={"priority": "high"})
    assert color(planner) == RED
    planner.post(f"/v1/changes/{changed.headers['x-change-id']}/undo")
    assert color(planner) == BLUE
    assert planner.get(f"/v1/todos/{task}").json()["priority"] is None
