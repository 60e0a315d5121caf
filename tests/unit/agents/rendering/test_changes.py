"""What a reply says of an event's time: as much as the ledger row shows, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from agents.contract import Change, Op
from agents.rendering.changes import claim_sentence

NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
BEFORE = {"start": "2026-11-22T15:00:00Z", "end": "2026-11-22T16:00:00Z"}


def updated(fields: dict[str, Any]) -> Change:
    return Change(
        id="c",
        cursor=1,
        turn_id="t",
        agent="update_events",
        seq=0,
        op="update",
        kind="event",
        record_id="r",
        title="dentist",
        fields=fields,
        before=BEFORE,
        after={**BEFORE, **fields},
        status="applied",
        created_at=NOW,
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"end": "2026-11-22T17:00:00Z"},
        {"start": "2026-11-22T15:00:00Z", "end": "2026-11-22T17:00:00Z"},
    ],
)
def test_an_event_that_only_gets_longer_is_not_moved(fields: dict[str, Any]) -> None:
    assert claim_sentence(updated(fields), NOW) == "Changed the length of “dentist”: tomorrow, 15:00-17:00."


def test_an_event_that_begins_at_another_time_is_moved() -> None:
    later = {"start": "2026-11-22T15:30:00Z"}
    assert claim_sentence(updated(later), NOW) == "Moved “dentist” to tomorrow, 15:30-16:00."


def test_an_event_that_is_renamed_says_both_names() -> None:
    renamed = updated({"title": "orthodontist"}).model_copy(
        update={"title": "orthodontist", "before": {**BEFORE, "title": "dentist"}}
    )
    assert claim_sentence(renamed, NOW) == "Renamed “dentist” to “orthodontist”."


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"start": "2026-11-22T17:00:00Z", "end": "2026-11-22T18:00:00Z"}, "17:00-18:00, each time"),
        ({"start": "2026-11-27T15:00:00Z", "recurrence": "FREQ=WEEKLY;BYDAY=FR"}, "Fridays, 15:00-16:00, each time"),
    ],
)
def test_a_series_is_moved_by_weekday_and_clock_not_to_a_single_day(fields: dict[str, Any], said: str) -> None:
    row = updated(fields)
    weekly = {"recurrence": "FREQ=WEEKLY;BYDAY=SU", "end": "2026-11-22T16:00:00Z", **(row.after or {})}
    assert claim_sentence(row.model_copy(update={"after": weekly}), NOW) == f"Moved “dentist” to {said}."


def test_an_occurrence_that_becomes_an_event_of_its_own_is_not_told_as_cancelled() -> None:
    row = updated({"exdates": ["2026-11-27"]}).model_copy(update={"before": {**BEFORE, "exdates": []}})
    assert claim_sentence(row, NOW) == "“dentist” is cancelled on Friday 27 November; the series goes on."
    apart = row.model_copy(update={"together": "c"})
    assert claim_sentence(apart, NOW) == "Took “dentist” on Friday 27 November out of its series."


def test_steps_are_told_as_steps() -> None:
    def told(name: str, before: list[str], now: list[str]) -> str:
        row = updated({name: now}).model_copy(update={"kind": "todo", "title": "the loft", "before": {name: before}})
        return claim_sentence(row, NOW)

    assert told("done_steps", [], ["sand it"]) == "Step “sand it” of “the loft” is done."
    assert told("done_steps", ["sand it"], ["sand it", "oil it"]) == "Step “oil it” of “the loft” is done."
    assert told("solutions", ["sand it"], ["sand it", "oil it"]) == "“the loft” has another step: “oil it”."
    assert told("solutions", [], ["sand it"]) == "Changed “the loft”: with the steps sand it."


def test_a_timer_tells_when_it_rings() -> None:
    def told(op: Op, title: str, at: str, tags: Sequence[str] = ("timer",)) -> str:
        record = {"kind": "reminder", "tags": [*tags], "remind_at": at, "time_to_complete": None}
        row = updated({"remind_at": at}).model_copy(update={"kind": "todo", "op": op, "title": title, "after": record})
        return claim_sentence(row, NOW)

    assert told("create", "timer", "2026-11-21T10:01:30Z") == "Timer set: it rings at 10:01:30."
    assert told("create", "the rice", "2026-11-21T10:20:00Z") == "Timer set: “the rice” rings at 10:20."
    assert told("update", "the rice", "2026-11-21T10:25:00Z") == "“the rice” rings at 10:25 now."
    assert told("create", "the rice", "2026-11-22T10:00:00Z") == "Set a reminder: “the rice”, tomorrow at 10:00."
    assert told("create", "the rice", "2026-11-21T10:20:00Z", ()) == "Set a reminder: “the rice”, today at 10:20."
