"""Days in a row of which one names the month or week: "the 3rd, 4th and 5th of february", "friday and sunday next week"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from agents.time.lexicon import MONTHS, WEEKDAYS
from agents.time.values import FoundTime

NUMBER = r"\b(\d{1,2})(st|nd|rd|th)?"
JOINT = r"(?:\s*(?:,\s*(?:and|or|&)?|and|or|&)\s*|(?<=[a-z])\s+)(?:(?:on|the)\s+)*"
"""What stands between two of them; ordinals need nothing."""
BEFORE = re.compile(rf"{NUMBER}{JOINT}$", re.IGNORECASE)
BEHIND = re.compile(rf"{JOINT}{NUMBER}\b", re.IGNORECASE)
FIRST = re.compile(NUMBER, re.IGNORECASE)
LAST = re.compile(rf"{NUMBER}$", re.IGNORECASE)
WEEKDAY = rf"(?:on\s+)?(?:{'|'.join(WEEKDAYS)})"
ONLY_WEEKDAY = re.compile(WEEKDAY, re.IGNORECASE)
OF_WEEK = re.compile(
    rf"{WEEKDAY}\s+(?:of\s+)?(?:the\s+)?(?:(?:next|this|following|coming)\s+week|week\s+after)", re.IGNORECASE
)
WEEKDAY_JOINT = re.compile(r"\s*(?:,|and|&|,\s*and)?\s*", re.IGNORECASE)
JOINED = re.compile(r"\b(?:and|or)\b|&", re.IGNORECASE)


def name_listed_days(found: Sequence[FoundTime], text: str) -> list[FoundTime]:
    """Return phrases with each day of such a row as one of its own, in the month that is named or begun with."""
    before = [day for one in found if _is_date(one) for day in _days_before(one, text)]
    kept = [*before, *(one for one in found if not any(_overlap(one, day) for day in before))]
    behind = [day for one in kept if _is_date(one) or _is_hour(one) for day in _days_behind(one, text, kept)]
    return _in_named_week(sorted([*kept, *behind], key=lambda one: one.span), text)


def _in_named_week(found: list[FoundTime], text: str) -> list[FoundTime]:
    """Return phrases with the weekdays in front of one whose week is named in that week, as long as they rise."""
    named = False
    for at in range(len(found) - 1, 0, -1):
        day, after = found[at - 1], found[at]
        named = (named or bool(OF_WEEK.match(after.text))) and bool(ONLY_WEEKDAY.fullmatch(day.text))
        named = named and WEEKDAY_JOINT.fullmatch(text[day.span[1] : after.span[0]]) is not None
        if not named or day.start is None or after.start is None:
            continue
        start = after.start.replace(hour=0, minute=0) - timedelta(days=after.start.weekday() - day.start.weekday())
        named = start < after.start and start.weekday() < after.start.weekday()
        found[at - 1] = replace(day, start=start, end=start + timedelta(days=1)) if named else day
    return found


def _is_date(one: FoundTime) -> bool:
    dated = one.kind in ("point", "interval") and one.start is not None
    return dated and one.day_said and not one.timed and one.grain == "day"


def _is_hour(one: FoundTime) -> bool:
    """Return whether a phrase says hours of a day: "7.30 till 3.30 on the 7th"."""
    return one.kind in ("point", "interval") and one.start is not None and one.day_said and one.timed


def _days_before(one: FoundTime, text: str) -> Iterator[FoundTime]:
    """Yield the days in front of a date with a month, the last first: numbers that rise, all ordinals or none."""
    first = FIRST.search(one.text)
    if one.start is None or first is None or not MONTHS.keys() & set(one.text.lower().replace(".", " ").split()):
        return
    joined, later, end = bool(first[2] or JOINED.search(one.text)), one.start.day, one.span[0]
    while before := BEFORE.search(text[:end]):
        day = int(before[1])
        joined = joined or bool(JOINED.search(before[0]))
        if not (joined and 0 < day < later and bool(before[2]) is bool(first[2])):
            return
        yield _on(one, one.start.replace(day=day), text, before.start(1), max(before.end(1), before.end(2)))
        later, end = day, before.start()


def _days_behind(one: FoundTime, text: str, found: Sequence[FoundTime]) -> Iterator[FoundTime]:
    """Yield the ordinals behind a date that ends with one, as long as they rise and are no dates of their own."""
    last = LAST.search(one.text)
    single = one.kind == "point" or one.timed
    if one.start is None or not single or last is None or not last[2]:
        return
    at, earlier = one.span[1], one.start.replace(hour=0, minute=0)
    while behind := BEHIND.match(text, at):
        day = int(behind[1])
        is_own = any(other.span[0] < behind.end() and behind.start(1) < other.span[1] for other in found)
        if is_own or not behind[2] or not earlier.day < day <= monthrange(earlier.year, earlier.month)[1]:
            return
        earlier, at = earlier.replace(day=day), behind.end()
        yield _on(one, earlier, text, behind.start(1), behind.end())


def _on(one: FoundTime, day: datetime, text: str, start: int, end: int) -> FoundTime:
    later = day + timedelta(days=1)
    whole = replace(one, kind="point", text=text[start:end], span=(start, end), start=day, end=later)
    return replace(whole, timed=False, grain="day", stretch=None) if one.timed else whole


def _overlap(one: FoundTime, other: FoundTime) -> bool:
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]
