"""Reminders tell times in the form that their user chose."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from app.records.model.notices import Claimed
from app.records.store.notification_rows import clock_of
from app.records.store.reminders import tell

NOW = datetime(2026, 11, 27, 14, 45, tzinfo=UTC)
START = NOW.replace(hour=15, minute=0)
CLAIMED = Claimed(UUID(int=1), "imported", str(UUID(int=2)), NOW, stated=True, generation=1)


@pytest.mark.parametrize(("form", "told"), [("12h", "today at 3:00 pm"), ("24h", "today at 15:00"), (None, "15:00")])
def test_what_is_said_before_an_appointment(form: str | None, told: str) -> None:
    clock = clock_of({"conventions": {"clock": form}}, "UTC", NOW)
    row = tell(clock, CLAIMED, {"title": "dentist", "start": START}, "", ())
    assert row is not None
    assert row.notification.text.endswith(f"{told}.")
