"""The one next action: which step of a task is suggested."""

from __future__ import annotations

from datetime import UTC, datetime

from agents.next_action import Candidate, Moment, suggestion
from agents.records import ToDo

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
STEPS = ["Find the receipts", "Add them up"]


def suggested_step(done: list[str]) -> str | None:
    todo = ToDo(id="t", task="file the taxes", solutions=STEPS, done_steps=done, created_at=NOW, updated_at=NOW)
    found = suggestion([Candidate(todo, STEPS)], Moment(NOW, "low"), {})
    return found.step if found else None


def test_the_first_step_that_is_left() -> None:
    assert suggested_step([]) == "Find the receipts"
    assert suggested_step(["Find the receipts"]) == "Add them up"


def test_the_task_itself_where_every_step_is_done() -> None:
    assert suggested_step(STEPS) is None
