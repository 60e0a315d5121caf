"""Who is asked: buttons, a bare yes or no and a bare undo need no model, and everything else does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from agents.contract import Change, Option, Pending, Proposal
from agents.ports import Ask
from tests.support.fakes import ScriptedModelServer
from tests.support.minds import mind_at, says

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
ADD = Proposal(op="create", kind="todo", fields={"task": "call mom"})
ASKED = Pending(missing="proceed", text="x", at=NOW, proposals=[ADD], asked="Add it?", choices=["yes", "no"])
WHICH = Pending(
    missing="which",
    text="x",
    at=NOW,
    proposals=[Proposal(op="delete", kind="todo")],
    options=[
        Option(label="call mom", kind="todo", record_id="a"),
        Option(label="call dad", kind="todo", record_id="b"),
    ],
    choices=["call mom", "call dad"],
)
MOVED = Change(
    id="0f0e0d0c-change", cursor=1, turn_id="earlier", agent="update_todos", seq=0, op="delete", kind="todo",
    record_id="a", title="call mom", fields={}, before=None, after=None, status="applied", created_at=NOW,
)  # fmt: skip


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", says(text="Right."))
        yield server


async def calls(models: ScriptedModelServer, text: str, pending: Pending | None, changes: list[Change]) -> int:
    mind = mind_at(models)
    ask = Ask(text=text, at=NOW, timezone="UTC", imported=[], history=[], pending=pending, recent_changes=changes)
    try:
        await mind.route(ask)
    finally:
        await mind.close()
    return len(models.requests)


@pytest.mark.parametrize(
    ("text", "pending"),
    [("yes", ASKED), ("No.", ASKED), ("ja", ASKED), ("sim!", ASKED), ("call dad", WHICH), ("undo", None)],
)
async def test_a_closed_form_asks_no_model(models: ScriptedModelServer, text: str, pending: Pending | None) -> None:
    assert await calls(models, text, pending, [MOVED]) == 0


@pytest.mark.parametrize(
    ("text", "pending"),
    [
        ("yes, but on friday", ASKED),
        ("the second one", WHICH),
        ("undo that, I feel awful", None),
        ("undo just the last one", None),
        ("yes", None),
        ("add milk", None),
        ("move lunch to friday", None),
        ("why is the sky blue?", None),
    ],
)
async def test_anything_else_asks_it_once(models: ScriptedModelServer, text: str, pending: Pending | None) -> None:
    assert await calls(models, text, pending, [MOVED]) == 1
