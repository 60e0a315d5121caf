"""A time in the user's words and as a model worked it out: both agree, code decides, or the user is asked."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from app.llm.proposals import proposed_by

from agents.contract import Proposed, Worker
from agents.mind import BuiltIn
from agents.mind.line import records_of
from agents.ports import Ask
from agents.records import Event, ToDo
from app.llm import prompting
from app.llm.requests import Act
from app.llm.tools import TOOLS

ZONE = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 11, 18, 10, 30, tzinfo=ZONE)
GIVEN: dict[str, Any] = {
    "todos": ["call mom", {"task": "pay rent", "deadline": "2026-11-20"}],
    "events": [
        {"title": "dentist", "start": "2026-11-19T15:00", "end": "2026-11-19T16:00"},
        {"title": "team lunch", "start": "2026-11-25T12:00", "end": "2026-11-25T13:00"},
    ],
}
NEW_TASKS = {
    ("call mom by friday", "deadline", "by friday", "2026-11-20T17:00"): "2026-11-20",
    ("call dad next friday", "deadline", "next friday", "2026-11-20"): "2026-11-27",
    ("call dad", "deadline", "", "2027-01-01"): None,
    ("call dad", "deadline", "next spring", "2027-03-20"): None,
    ("stretch every other tuesday", "recurrence", "every other tuesday", "FREQ=WEEKLY;BYDAY=TU;INTERVAL=2"): (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"
    ),
    ("stretch on days with an r in them", "recurrence", "on days with an r in them", "FREQ=WEEKLY;BYDAY=TH,FR,SA"): (
        "FREQ=WEEKLY;BYDAY=TH,FR,SA"
    ),
    ("stretch on odd days", "recurrence", "on odd days", "FREQ=NONSENSE"): None,
    ("stretch in half an hour", "remind_at", "in half an hour", "2026-11-18T11:00"): "2026-11-18T11:00",
}
NEW_EVENTS = {
    ("dinner with Ana tomorrow at 8", "tomorrow at 8", "2026-11-19T20:00"): "2026-11-19T20:00",
    ("gym friday from 6 to 7pm", "friday from 6 to 7pm", "2026-11-20T18:00/2026-11-20T19:00"): "2026-11-20T18:00",
}
MOVES = {
    ("move the dentist half an hour earlier", "dentist", "half an hour earlier", "2026-11-19T14:30"): (
        "2026-11-19T14:30"
    ),
    ("push the team lunch back a week", "team lunch", "back a week", "2026-12-02T12:00"): "2026-12-02T12:00",
    ("team lunch should start at one instead", "team lunch", "at one", "2026-11-25T13:00"): "2026-11-25T13:00",
}


def asked(text: str) -> Ask:
    records = records_of(GIVEN, NOW, ZONE)
    return Ask(text=text, words=text, at=NOW, timezone="Europe/Lisbon", records=records, imported=[])


async def proposed(worker: Worker, text: str, act: Act) -> Proposed:
    """What one act of a model comes to; a title in place of an id is that record."""
    ask = asked(text)
    records: list[ToDo | Event] = [*ask.records.todos, *ask.records.events]
    ids = {getattr(one, "task", "") or getattr(one, "title", ""): one.id for one in records}
    known = {prompting.short_id(one): one.id for one in records} | ids
    return proposed_by([act], TOOLS[worker], known, ask, await BuiltIn().propose(worker, ask))


@pytest.mark.parametrize(("case", "expected"), NEW_TASKS.items())
async def test_the_time_of_a_new_task(case: tuple[str, str, str, str], expected: str | None) -> None:
    text, name, words, value = case
    found = await proposed(
        "update_todos",
        text,
        Act("create", None, {"task": text.replace(words, "").strip(), name: {"words": words, "value": value}}),
    )
    got = [proposal.fields.get(name) for proposal in found.proposals]
    assert (got[0] or "").startswith(expected) if expected else got in ([None], [])


@pytest.mark.parametrize(("case", "expected"), NEW_EVENTS.items())
async def test_the_time_of_a_new_event(case: tuple[str, str, str], expected: str) -> None:
    text, words, value = case
    title = text.split(words, maxsplit=1)[0].strip()
    act = Act("create", None, {"title": title, "when": {"words": words, "value": value}})
    (proposal,) = (await proposed("update_events", text, act)).proposals
    assert proposal.fields["start"].startswith(expected)


@pytest.mark.parametrize(("case", "expected"), MOVES.items())
async def test_a_move_counts_from_what_is_moved(case: tuple[str, str, str, str], expected: str) -> None:
    text, known, words, value = case
    act = Act("update", known, {"when": {"words": words, "value": value}})
    (proposal,) = (await proposed("update_events", text, act)).proposals
    assert proposal.fields["start"].startswith(expected)


async def test_two_readings_of_a_clock_time_are_both_shown() -> None:
    act = Act("create", None, {"title": "movie", "when": {"words": "on friday at 8", "value": "2026-11-20T20:00"}})
    found = await proposed("update_events", "movie on friday at 8", act)
    (question,) = found.questions
    assert found.proposals == []
    assert question.options == ["Friday 20 November at 08:00", "Friday 20 November at 20:00"]
    assert [proposal.fields for proposal in question.pending.proposals] == [{"title": "movie"}]


async def test_a_day_alone_is_asked_for_its_time() -> None:
    act = Act("create", None, {"title": "dentist", "when": {"words": "on friday", "value": "2026-11-20"}})
    found = await proposed("update_events", "dentist on friday", act)
    assert [question.text for question in found.questions] == ["When is dentist? Please tell me the day and the time."]
