"""What the time tests share: a Wednesday morning in Lisbon, and one phrase read at that moment."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from agents.time import FoundTime, clock_for, find_times

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = clock_for(datetime(2026, 11, 18, 10, 30, tzinfo=LISBON), "Europe/Lisbon")


def only(text: str) -> FoundTime:
    """The one time phrase of a text, which must be all of it that means a time."""
    found = find_times(text, CLOCK)
    assert len(found) == 1, [item.text for item in found]
    return found[0]


def wall(moment: datetime | None) -> str | None:
    """An instant as wall time to the minute."""
    return moment.strftime("%Y-%m-%dT%H:%M") if moment else None
