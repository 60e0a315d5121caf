"""What a reply says of an event's time: as much as the ledger row shows, and no more."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agents.claims import claim
from agents.contract import Change

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
    assert claim(updated(fields), NOW) == "Changed the length of “dentist”: tomorrow at 15:00-17:00."


def test_an_event_that_begins_at_another_time_is_moved() -> None:
    later = {"start": "2026-11-22T15:30:00Z"}
    assert claim(updated(later), NOW) == "Moved “dentist” to tomorrow at 15:30-16:00."
