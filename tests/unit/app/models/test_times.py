"""A time as a model worked it out beside its words: plain days are read by code, all else is the model's."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from agents.conventions import Conventions
from agents.ports import Ask, Records
from agents.records import Instruction
from app.models.understanding.call_context import CannotDo
from app.models.understanding.record_fields import read_instant, read_time

ZONE = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 11, 18, 10, 30, tzinfo=ZONE)


def asked(text: str) -> Ask:
    return Ask(text=text, words=text, at=NOW, timezone="Europe/Lisbon", conventions=Conventions(evening="18:30"))


@pytest.mark.parametrize(
    ("text", "words", "value", "kept"),
    [
        ("call mom by friday", "by friday", "2026-11-20", "2026-11-20"),
        ("call mom by friday", "by friday", "2026-11-21", "2026-11-20"),
        ("call mom on 3 december", "3 december", "2026-12-04", "2026-12-03"),
        ("call mom tomorrow at 5", "tomorrow at 5", "2026-11-19T17:00", "2026-11-19T17:00:00+00:00"),
        ("dinner with Ana tomorrow at 8", "tomorrow at 8", "2026-11-19T20:00", "2026-11-19T20:00:00+00:00"),
        ("call mom sunday evening", "sunday evening", "2026-11-22T19:00", "2026-11-22T18:30:00+00:00"),
        ("call mom sunday evening", "sunday evening", "2026-11-22", "2026-11-22"),
        ("half an hour earlier", "half an hour earlier", "2026-11-19T14:30", "2026-11-19T14:30:00+00:00"),
        ("push it back a week", "back a week", "2026-12-02", "2026-12-02"),
        ("call dad", "two days after the vet", "2026-12-02", "2026-12-02"),
        ("bis Freitag", "bis Freitag", "2026-11-20", "2026-11-20"),
        ("call mom", "", "2026-11-20 15:00", "2026-11-20T15:00:00+00:00"),
        ("call mom", "", "2026-07-20T15:00", "2026-07-20T15:00:00+01:00"),
        ("call mom", "", "2026-11-20T15:00:00-05:00", "2026-11-20T20:00:00+00:00"),
        ("the friday after that", "friday after that", "2026-11-27", "2026-11-27"),
        ("make the report a day earlier", "a day earlier", "2026-12-02", "2026-12-02"),
        ("make the report two days later", "two days later", "2026-12-05", "2026-12-05"),
        ("move it a week back", "a week back", "2026-12-05", "2026-12-05"),
        ("check on it the next day", "the next day", "2026-12-05", "2026-12-05"),
        ("check on it the following day", "the following day", "2026-12-05", "2026-12-05"),
        ("pay it last friday", "last friday", "2026-11-27", "2026-11-27"),
        ("lunch was last friday", "last friday", "2026-11-12", "2026-11-13"),
        ("the friday before", "the friday before", "2026-12-11", "2026-12-11"),
        ("call mom in two days", "in two days", "2026-11-21", "2026-11-20"),
    ],
)
def test_a_plain_day_is_codes_and_all_else_the_models(text: str, words: str, value: str, kept: str) -> None:
    assert read_time("due", value, words, asked(text)).isoformat() == kept


@pytest.mark.parametrize(
    ("wish", "words", "value", "kept"),
    [
        ("Tonight is half past nine for me", "tonight", "2026-11-18T21:30", "2026-11-18T21:30:00+00:00"),
        ("Tonight is half past nine for me", "tonight", "2026-11-19T21:30", "2026-11-18T21:30:00+00:00"),
        ("Evening is half past nine for me", "this evening", "2026-11-18T21:30", "2026-11-18T21:30:00+00:00"),
        ("Tonight is half past nine for me", "sunday evening", "2026-11-22T21:30", "2026-11-22T18:30:00+00:00"),
    ],
)
def test_the_hour_of_words_that_a_wish_speaks_of_is_the_models(wish: str, words: str, value: str, kept: str) -> None:
    stored = Instruction(id="1", text=wish, created_at=NOW, updated_at=NOW)
    said = asked(f"call mom {words}").model_copy(update={"records": Records(instructions=[stored])})
    assert read_time("remind_at", value, words, said).isoformat() == kept


def test_the_week_of_what_moves_is_the_models_to_know() -> None:
    said = asked("make it friday")
    assert read_time("start", "2026-11-27T10:00", "friday", said, moves=True).isoformat() == "2026-11-27T10:00:00+00:00"
    assert read_time("start", "2026-11-26T10:00", "friday", said, moves=True).isoformat() == "2026-11-20T10:00:00+00:00"


def test_a_reminder_on_a_day_is_that_morning() -> None:
    assert read_instant("remind_at", "2026-11-20", "", asked("x")).isoformat() == "2026-11-20T09:00:00+00:00"


@pytest.mark.parametrize("value", ["soon", "2026-13-01", "2026-11-20T99:00", "", "20.11.2026"])
def test_what_is_no_time_goes_back_to_the_model(value: str) -> None:
    with pytest.raises(CannotDo, match="must be a day such as"):
        read_time("due", value, "", asked("x"))
