"""Days counted from the thing just talked about: "the saturday after", "the week after that"."""

from __future__ import annotations

import re
from datetime import date, timedelta

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
AFTER = re.compile(
    rf"(?:the\s)?(?:following\s(?P<one>day|week|{'|'.join(WEEKDAYS)})|(?P<other>day|week|{'|'.join(WEEKDAYS)})\safter(?:\s(?:that|it))?)",
    re.IGNORECASE,
)


def dated(words: str, day: date | None) -> str:
    """Such words as a date, counted from ``day``; others as they are."""
    match = AFTER.fullmatch(words.strip())
    if match is None or day is None:
        return words
    unit = (match["one"] or match["other"]).lower()
    ahead = {"day": 1, "week": 7}.get(unit) or (WEEKDAYS.index(unit) - day.weekday() - 1) % 7 + 1
    return f"{day + timedelta(days=ahead):%Y-%m-%d}"
