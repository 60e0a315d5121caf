"""Who is asked: the built-in understanding decides alone only what it explains word for word, and the rest is asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from agents.contract import Change
from agents.mind.line import records_of
from agents.ports import Ask
from app.settings import Settings
from tests.support.fakes import Call, ScriptedModelServer, chat
from tests.support.minds import mind_at

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
SURE = Settings.model_fields["llm_fast_path"].default
GIVEN = {"todos": ["call mom", "file taxes"], "events": [{"title": "lunch", "start": "2026-11-19T12:00"}]}
ALONE = (
    "add milk to my tasks",
    "dentist tomorrow at 3pm",
    "undo that",
    "undo just the last one",
    "no, friday",
    "no, friday i meant",
    "move lunch to friday",
)
ASKED = (
    "wait no I only did half of it, put it back",
    "undo that, I feel awful",
    "undo that and tell me a joke",
    "oh no, I moved the wrong one, I meant the dentist. put lunch back",
    "no, friday, my sister is visiting",
    "hello there",
    "why is the sky blue?",
    "I am so tired",
    "help me plan a party",
    "what's on tomorrow?",
    "what should I do next?",
    "I should really sort out the garage at some point",
)


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", chat(Call("Route", {"say": "Right."})))
        yield server


def ask(text: str) -> Ask:
    """A message after lunch was moved from noon to one o'clock."""
    records = records_of(GIVEN, NOW, ZoneInfo("UTC"))
    lunch = records.events[0].model_dump(mode="json")
    moved = Change(
        id="0f0e0d0c-change",
        cursor=1,
        turn_id="earlier",
        agent="update_events",
        seq=0,
        op="update",
        kind="event",
        record_id=records.events[0].id,
        title="lunch",
        fields={"start": lunch["start"]},
        before={**lunch, "start": "2026-11-19T11:00:00Z"},
        after=lunch,
        status="applied",
        error=None,
        created_at=NOW,
    )
    return Ask(text=text, words=text, at=NOW, timezone="UTC", records=records, recent_changes=[moved], imported=[])


async def calls(models: ScriptedModelServer, text: str) -> int:
    mind = mind_at(models, sure=SURE)
    try:
        decision = await mind.route(ask(text))
        if decision.look_back:
            await mind.route(ask(text).model_copy(update={"history": []}))
    finally:
        await mind.close()
    return len(models.requests)


@pytest.mark.parametrize("text", ALONE)
async def test_what_is_explained_word_for_word_asks_no_model(models: ScriptedModelServer, text: str) -> None:
    assert await calls(models, text) == 0


@pytest.mark.parametrize("text", ASKED)
async def test_what_is_not_reaches_the_model(models: ScriptedModelServer, text: str) -> None:
    assert await calls(models, text) == 1
