"""Dates and clock times that do not exist: asked about, never rounded to one that does."""

from __future__ import annotations

import re
from calendar import monthrange

from agents.understanding.time.lexicon import MONTHS

NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
DAY_MONTH = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{NAMES})|"
    rf"(?P<month2>{NAMES})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)\b(?!:)",
    re.IGNORECASE,
)
CLOCK = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?![\d:])")
LEAP_YEAR = 2024


def no_such_time(text: str) -> str | None:
    """The first phrase that names no day or no clock time ("31 february", "25:61"); None when all exist."""
    for match in DAY_MONTH.finditer(text):
        day, month = int(match["day"] or match["day2"]), MONTHS[(match["month"] or match["month2"]).lower()]
        if not 1 <= day <= monthrange(LEAP_YEAR, month)[1]:
            return match[0]
    for match in CLOCK.finditer(text):
        if int(match[1]) > 24 or int(match[2]) > 59:
            return match[0]
    return None
