"""Dates and clock times that do not exist or have just passed: asked about, never taken for another one."""

from __future__ import annotations

import re
from calendar import monthrange

from agents.time.lexicon import MONTHS
from agents.time.prefilter import Prefiltered
from agents.time.resolve import Clock
from agents.time.search import find_times

NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
DAY_MONTH = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{NAMES})|"
    rf"(?P<month2>{NAMES})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)\b(?!:)",
    re.IGNORECASE,
)
CLOCK = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?![\d:])")
WEEKDAY_DATE = Prefiltered(
    re.compile(
        r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)\b"
        rf"(?!\s+(?:of\s+)?(?:{NAMES})\b)",
        re.IGNORECASE,
    )
)
ASKS = re.compile(r"(?:what|when|where|who|which|how|did|was|were|had|have|has|show|list|tell)\b", re.IGNORECASE)
LEAP_YEAR = 2024


def impossible_time(text: str, clock: Clock) -> str | None:
    """The first phrase that names no day or no clock time ("31 february", "25:61"), or a weekday and date just passed."""
    for match in DAY_MONTH.finditer(text):
        day, month = int(match["day"] or match["day2"]), MONTHS[(match["month"] or match["month2"]).lower()]
        if not 1 <= day <= monthrange(LEAP_YEAR, month)[1]:
            return match[0]
    for match in CLOCK.finditer(text):
        if int(match[1]) > 24 or int(match[2]) > 59:
            return match[0]
    passed = None if ASKS.match(text) else WEEKDAY_DATE.search(text)
    found = find_times(passed[0], clock) if passed else []
    start = found[0].start if found else None
    return passed[0] if passed and start and start.date() < clock.at.date() else None
