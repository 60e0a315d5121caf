"""The busy time of events as their rows have it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agents.ledger.conflicts import BusyCalendar
from agents.records import Event, EventFields
from agents.recurrence.expand import OccurrenceSpan

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
START = datetime(2026, 11, 20, 14, tzinfo=UTC)
LATER_FIELDS = [name for name, field in EventFields.model_fields.items() if not field.is_required()]
READ_FROM_THE_ROW = {"busy", "end"}


def row() -> dict[str, Any]:
    """The row of an appointment of one hour."""
    end = START + timedelta(hours=1)
    return Event(id="e", title="dentist", start=START, end=end, created_at=NOW, updated_at=NOW).model_dump(mode="json")


@pytest.mark.parametrize("name", [name for name in LATER_FIELDS if name not in READ_FROM_THE_ROW])
def test_a_row_without_a_field_that_came_later_takes_its_time(name: str) -> None:
    older = {key: value for key, value in row().items() if key != name}
    spans = BusyCalendar(NOW, "UTC").new_busy_spans(None, older)
    assert spans == [OccurrenceSpan(START, START + timedelta(hours=1))]
