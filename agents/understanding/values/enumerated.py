"""Several days named one after the other, with one clock time or one each: "monday, tuesday and friday at 9"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from agents.time import Clock, FoundTime, on_day

BETWEEN_TIMES = re.compile(r"\s*(?:,|&|\+|/)?\s*(?:and|plus|then)?\s*(?:on\s+)?", re.IGNORECASE)
CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def on_each_day(times: Sequence[FoundTime], text: str, clock: Clock) -> list[FoundTime]:
    """The shared clock time on each of the days, in their order; empty when fewer than two days are named so."""
    hours = [found for found in times if found.timed and found.role == "when" and found.kind in ("point", "interval")]
    days = [found for found in times if _is_day(found) or (found in hours and found.day_said)]
    if len(hours) != 1 or len(days) == 1 or not _in_a_row(days, text):
        return []
    starts = sorted({found.start.date() for found in days if found.start})
    return [on_day(hours[0], day, clock) for day in starts]


def weekly(days: Sequence[FoundTime], end: datetime) -> str:
    """The rule of a series on these weekdays up to an exclusive end."""
    codes = ",".join(CODES[day.start.weekday()] for day in days if day.start)
    return f"FREQ=WEEKLY;BYDAY={codes};UNTIL={end - timedelta(days=1):%Y%m%d}"


def _is_day(found: FoundTime) -> bool:
    return found.kind == "point" and not found.timed and found.grain == "day" and found.role == "when"


def _in_a_row(days: Sequence[FoundTime], text: str) -> bool:
    spans = sorted(found.span for found in days)
    return all(BETWEEN_TIMES.fullmatch(text[before[1] : after[0]]) for before, after in pairwise(spans))
