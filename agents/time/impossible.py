"""Dates and clock times that do not exist or have just passed: asked about, never taken for another one."""

from __future__ import annotations

import re
from calendar import monthrange

from agents.time.lexicon import MONTH_NAME, MONTHS
from agents.time.resolve import Clock
from agents.time.search import told_times

DAY_MONTH = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{MONTH_NAME})|"
    rf"(?P<month2>{MONTH_NAME})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)\b(?!:)",
    re.IGNORECASE,
)
CLOCK = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?![\d:])")
ASKS = re.compile(r"(?:what|when|where|who|which|how|did|was|were|had|have|has|show|list|tell)\b", re.IGNORECASE)
LEAP_YEAR = 2024


def impossible_time(text: str, clock: Clock) -> str | None:
    """Find the first phrase that names no day, clock time or series ("31 february"), or a day that has just passed."""
    for match in DAY_MONTH.finditer(text):
        day, month = int(match["day"] or match["day2"]), MONTHS[(match["month"] or match["month2"]).lower()]
        if not 1 <= day <= monthrange(LEAP_YEAR, month)[1]:
            return match[0]
    for match in CLOCK.finditer(text):
        if int(match[1]) > 24 or int(match[2]) > 59:
            return match[0]
    asks = ASKS.match(text)
    return next((told.words for told in told_times(text, clock) if not (told.passed and asks)), None)
