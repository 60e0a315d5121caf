"""Pays before the first message what it would otherwise pay: the weights, the grammar's rules, feasts and holidays."""

from __future__ import annotations

import gc
from datetime import UTC, datetime
from functools import cache

from agents.ports import Ask
from agents.time import load_calendars
from agents.time.working_days import public_holidays
from agents.understanding.message import understand

# Between them they need the weights, recurrences and Easter.
MESSAGES = (
    "call mom tomorrow at 5 and book the dentist for friday",
    "every second friday at 9",
    "dinner on easter sunday",
)
COUNTRY, MOMENT = "US", datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


@cache
def warm() -> None:
    """Load all that is loaded once; about half a second the first time, nothing afterwards.

    What is loaded stays as long as the process: the garbage collector need not walk through it in the middle of a
    message, which took 50 ms each time.
    """
    load_calendars()
    public_holidays(COUNTRY, MOMENT.year)
    for text in MESSAGES:
        understand(Ask(text=text, at=MOMENT, timezone="UTC"))
    gc.collect()
    gc.freeze()
