"""Imported calendars: asked for when words are about time on the calendar, told apart from one's own, never changed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.contract import Imported, RouterDecision
from agents.ports import Ask, Records
from agents.records import Event, ToDo
from agents.understanding.message import understand

LISBON = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 11, 18, 9, 30, tzinfo=LISBON)  # a Wednesday
BIRTH: dict[str, Any] = {"id": "e1", "created_at": NOW, "updated_at": NOW}
OWN = Event.model_validate(
    {**BIRTH, "title": "dentist", "start": "2026-11-20T15:00:00Z", "end": "2026-11-20T16:00:00Z"}
)
CALL = ToDo.model_validate({**BIRTH, "id": "t1", "task": "call mom"})


def imported(title: str, start: datetime, hours: float = 1, **values: Any) -> Imported:
    known = {"item": f"c:{title}", "calendar": "Work", "whole_day": False, "busy": True}
    return Imported(title=title, start=start, end=start + timedelta(hours=hours), **{**known, **values})


BOARD = imported("board meeting", datetime(2026, 11, 20, 10, tzinfo=LISBON), 2)


def route(text: str, *found: Imported, asked: bool = True) -> RouterDecision:
    records = Records(events=[OWN], todos=[CALL])
    ask = Ask(text=text, at=NOW, timezone="Europe/Lisbon", records=records, imported=list(found) if asked else None)
    return understand(ask)


def said(decision: RouterDecision) -> str:
    return " ".join(sentence for t in decision.targets if t.proposed for sentence in t.proposed.answers)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what's on my calendar on friday?", "2026-11-20T00:00", "2026-11-21T00:00"),
        ("am I free on friday at 10?", "2026-11-20T10:00", "2026-11-20T11:00"),
        ("am I free on 2026-11-20 at 10?", "2026-11-20T10:00", "2026-11-20T11:00"),
        ("am I free on friday 2-4pm?", "2026-11-20T14:00", "2026-11-20T16:00"),
    ],
)
def test_questions_about_the_calendar_ask_to_look_ahead(text: str, first: str, last: str) -> None:
    look = route(text, asked=False).look_ahead
    assert look
    assert [f"{moment.astimezone(LISBON):%Y-%m-%dT%H:%M}" for moment in (look.since, look.until)] == [first, last]
    assert route(text).look_ahead is None


@pytest.mark.parametrize("text", ["add milk to my list", "call mom tomorrow at 5", "I live in Lisbon", "thanks"])
def test_other_messages_do_not(text: str) -> None:
    assert route(text, asked=False).look_ahead is None


def test_answers_name_the_calendar_an_appointment_is_from() -> None:
    answer = said(route("what's on my calendar on friday?", BOARD))
    assert "You have 2 events" in answer
    assert "board meeting (10:00 to 12:00, from Work)" in answer
    assert "dentist (15:00 to 16:00)" in answer


def test_imported_time_is_not_free_unless_it_keeps_nobody_busy() -> None:
    assert "board meeting" in said(route("am I free on friday at 11?", BOARD))
    holiday = imported("holiday", datetime(2026, 11, 20, tzinfo=LISBON), 24, whole_day=True, busy=False)
    assert said(route("am I free on friday at 11?", holiday)).startswith("Yes, you are free")
    assert "holiday (Friday 20 November, all day, from Work)" in said(
        route("what's on my calendar on friday?", holiday)
    )


def test_what_comes_next_and_when_something_is() -> None:
    assert "Next is board meeting" in said(route("what is my next meeting?", BOARD))
    assert "board meeting (Friday 20 November from 10:00 to 12:00, from Work)" in said(
        route("when is the board meeting?", BOARD)
    )


@pytest.mark.parametrize("text", ["cancel the board meeting", "move the board meeting to monday"])
def test_imported_appointments_are_never_changed(text: str) -> None:
    assert route(text, asked=False).look_ahead
    assert "“board meeting” is in your calendar Work, which I can only read." in said(route(text, BOARD))
    assert not [
        proposal for target in route(text, BOARD).targets if target.proposed for proposal in target.proposed.proposals
    ]
