"""Tasks that both sides know the time and the repetition of: what one side says is what the other one keeps."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.records import ToDo
from app.calendars.items import MASTER, PendingWrite, Target
from app.calendars.model.synced import Base
from app.calendars.todo_items import SETTERS, read_item, write_item
from app.calendars.todo_rules import TodoRules

RULES = TodoRules()
ZONES = st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
WALLS = st.datetimes(datetime(2027, 1, 1), datetime(2040, 1, 1)).map(lambda wall: wall.replace(microsecond=0))  # noqa: DTZ001 - what clocks show
REPEATS = st.none() | st.sampled_from(["FREQ=DAILY", "FREQ=MONTHLY;COUNT=5", "FREQ=YEARLY;INTERVAL=2"])
LINES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), min_size=1, max_size=90).map(
    lambda text: f"a{text}"
)


def todo(**fields: Any) -> dict[str, Any]:
    birth = {"id": "1", "created_at": "2026-11-27T10:00:00Z", "updated_at": "2026-11-27T10:00:00Z"}
    return ToDo.model_validate({**birth, "task": "mow", "zone": "Europe/Berlin", **fields}).model_dump(mode="json")


@given(LINES, LINES, WALLS, ZONES, REPEATS, st.booleans(), st.booleans())
def test_what_is_written_there_is_read_as_it_is_here(
    title: str,
    notes: str,
    wall: datetime,
    zone: str,
    rule: str | None,
    day: bool,  # noqa: FBT001 - generated
    done: bool,  # noqa: FBT001 - generated
) -> None:
    due = wall.date().isoformat() if day else wall.replace(tzinfo=ZoneInfo(zone)).isoformat()
    status = "done" if done else "in progress"
    here = RULES.state(todo(task=title, notes=notes, deadline=due, zone=zone, recurrence=rule, status=status))
    written = write_item(PendingWrite("1", None, {MASTER: Target(here, tuple(SETTERS))}), ZoneInfo("Asia/Tokyo"))
    assert written.reading.problem is None
    assert RULES.differing(here, written.reading.parts[MASTER]) == ()
    assert read_item(written.text or "", ZoneInfo("UTC")).parts[MASTER] == written.reading.parts[MASTER]


def carried(there: dict[str, Any], **here: Any) -> dict[str, Any]:
    """What the ledger is asked for when some fields change there alone."""
    record = todo(**here)
    base = RULES.state(record)
    assert base is not None
    merged = RULES.merge(Base(base, base), base, {**base, **there})
    assert merged.op == "update"
    return dict(RULES.to_ledger_change("update", merged.fields or {}, record, "Europe/Berlin")[1])


@pytest.mark.parametrize(
    ("there", "here", "expected"),
    [
        ({"due": "2027-03-05"}, {}, {"deadline": "2027-03-05"}),
        ({"due": "2027-03-05"}, {"recurrence": "FREQ=DAILY"}, {"deadline": "2027-03-05"}),
        ({"due": None}, {"deadline": "2027-03-05"}, {"deadline": None, "recurrence": None}),
        (
            {"due": "2027-03-05", "recurrence": "FREQ=DAILY"},
            {"deadline": "2027-03-04T10:00:00Z"},
            {"deadline": "2027-03-05", "recurrence": "FREQ=DAILY"},
        ),
        (
            {"due": "2027-03-05T09:00:00+00:00", "recurrence": "FREQ=DAILY", "zone": "Asia/Tokyo"},
            {},
            {"deadline": "2027-03-05T09:00:00+00:00", "recurrence": "FREQ=DAILY", "zone": "Asia/Tokyo"},
        ),
        (
            {"due": "2027-03-05"},
            {"kind": "reminder", "remind_at": "2027-03-01T09:00:00+01:00"},
            {"remind_at": "2027-03-05T09:00:00+01:00", "recurrence": None},
        ),
        ({"title": "rake"}, {"recurrence": "FREQ=DAILY"}, {"task": "rake"}),
    ],
)
def test_what_changes_there_is_asked_for_here(
    there: dict[str, Any], here: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert carried(there, **here) == expected
