"""Calls about appointments that repeat: what becomes of one occurrence, and of those from one on."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import Proposal
from agents.ports import Ask, Records
from agents.records import Event
from app.models.understanding.call_context import CallContext
from app.models.understanding.chosen_records import ShortIds
from app.models.understanding.record_calls import update_event

NOW = datetime(2026, 3, 18, 10, 30, tzinfo=ZoneInfo("Europe/Lisbon"))


def changed(series: dict[str, Any], **args: Any) -> list[Proposal]:
    """Return what a change of one series comes to."""
    event = Event.model_validate({"id": "a1", "created_at": NOW, "updated_at": NOW, "zone": "Europe/Lisbon", **series})
    ask = Ask(text="x", at=NOW, timezone="Europe/Lisbon", records=Records(events=[event]))
    return update_event({"id": "a1", **args}, CallContext(ask, ShortIds(), ShortIds()))


def test_from_a_day_on_the_rule_names_the_weekday_that_it_moves_to() -> None:
    yoga = {"title": "yoga", "start": "2026-03-03T18:00:00+00:00", "recurrence": "FREQ=WEEKLY;BYDAY=TU"}
    ended, began = changed(yoga, scope="following", occurrence="2026-03-24", start="2026-03-26T19:00")
    assert ended.fields == {"recurrence": "FREQ=WEEKLY;BYDAY=TU;UNTIL=20260323"}
    assert began.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=TH"
    assert began.fields["start"] == "2026-03-26T19:00:00+00:00"
    assert ended.group == began.group != ""


def test_a_whole_day_that_the_clocks_change_on_lasts_as_long_as_the_others() -> None:
    cleaning = {"title": "cleaning", "start": "2026-03-01", "end": "2026-03-01", "recurrence": "FREQ=WEEKLY;BYDAY=SU"}
    left_out, own = changed(cleaning, scope="one", occurrence="2026-03-29", location="attic")
    assert left_out.fields == {"exdates": ["2026-03-29"]}
    assert (own.fields["start"], own.fields["end"]) == ("2026-03-29", "2026-03-29")


def test_an_occurrence_keeps_its_length_at_its_new_time() -> None:
    choir = {
        "title": "choir",
        "start": "2026-03-05T19:00:00+00:00",
        "end": "2026-03-05T21:00:00+00:00",
        "recurrence": "FREQ=WEEKLY;BYDAY=TH",
    }
    _, own = changed(choir, occurrence="2026-04-02", start="2026-04-01T18:00")
    assert (own.fields["start"], own.fields["end"]) == ("2026-04-01T18:00:00+01:00", "2026-04-01T20:00:00+01:00")
