"""Several times of one request: it is for each, "at 9 and at 5", "monday and friday at 9", or for one, "at 9 or 10"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from agents.index.words import tokens
from agents.reading.reading import Clause
from agents.recurrence.days_of_month import CODES
from agents.time import Clock, FoundTime, on_day
from agents.understanding.slot_values import between, both_days, days_in
from agents.understanding.values.slots import Slots

MOST_DAYS = 7
JOINING = frozenset(("and", "&", "then", "again"))
BETWEEN_TIMES = re.compile(r"\s*(?:,|&|\+|/)?\s*(?:and|plus|then)?\s*(?:on\s+)?", re.IGNORECASE)


def each_time(clause: Clause, slots: Slots, clock: Clock) -> list[FoundTime]:
    """Return the times for each of which something is asked; none where it is asked for once."""
    days = [day for found in slots.times for day in both_days(found)]
    found = _with_the_hour([found for found in days if found.kind == "point"], clock)
    times = list({one.start: one for one in found}.values())
    once = slots.repeat or len(times) < 2 or are_choices(clause) or not _are_joined(clause)  # noqa: PLR2004 - several
    return [] if once else times


def either_time(clause: Clause, slots: Slots, clock: Clock) -> list[FoundTime]:
    """Return the times of which only one can be meant."""
    if slots.repeat or not are_choices(clause):
        return []
    return _with_the_hour([found for found in slots.times if found.kind in ("point", "interval")], clock)


def on_each_of_range(times: Sequence[FoundTime], clock: Clock) -> list[FoundTime]:
    """Return times with hours on each day of a range beside them as what repeats: "the 7th to the 10th, 9 till 5"."""
    hours, days = _hours_beside_days(times)
    if hours is None or any(one.kind != "interval" for one in times):
        return list(times)
    rule = f"FREQ=DAILY;UNTIL={days[-1]:%Y%m%d}T235959"
    return [replace(on_day(hours, days[0], clock), kind="set", rrule=rule)]


def hours_of_days(times: Sequence[FoundTime], clock: Clock) -> list[FoundTime]:
    """Return hours on each day of a week beside them, of which nobody knows which are meant: "next week 9 to 5"."""
    hours, days = _hours_beside_days(times)
    if hours is None or len(days) > MOST_DAYS or any(one.kind != "point" for one in times if one != hours):
        return []
    return [on_day(hours, day, clock) for day in days if day >= clock.at.date()]


def _hours_beside_days(times: Sequence[FoundTime]) -> tuple[FoundTime | None, list[date]]:
    """Return the hours without a day, and the days of the one stretch of several beside them, where that is all."""
    hours = [one for one in times if one.timed and not one.day_said and one.kind in ("point", "interval")]
    spans = [days for one in times if len(days := days_in(one)) > 1]
    return (hours[0], spans[0]) if (len(hours), len(spans), len(times)) == (1, 1, 2) else (None, [])


def are_choices(clause: Clause) -> bool:
    """Return whether a clause leaves open which of several times is meant: "saturday or sunday"."""
    slots = clause.all("w")
    inside = any(" or " in slot.text.lower() for slot in slots)
    return inside or any("or" in tokens(between(clause, a, b)) for a, b in pairwise(slots))


def conflicting(times: Sequence[FoundTime]) -> bool:
    """Return whether times exclude each other: two hours of one day, or the same kind of time twice."""
    points = [one for one in times if one.kind in ("point", "interval") and one.timed and one.start]
    days = {one.start.date() for one in points if one.start}
    return len(points) > 1 and len(days) < len(points)


def _with_the_hour(times: list[FoundTime], clock: Clock) -> list[FoundTime]:
    """Return times, each with the hour that only one of them says: "monday and thursday at 8"."""
    dated = [(found, found.start.date()) for found in times if found.start]
    hour = next((found for found, _ in reversed(dated) if found.timed), None)
    return [on_day(hour, day, clock) if hour and not found.timed else found for found, day in dated]


def _are_joined(clause: Clause) -> bool:
    gaps = [between(clause, one, two) for one, two in pairwise(clause.all("w"))]
    return bool(JOINING & {word for text in (*gaps, clause.words("w")) for word in tokens(text)})


def on_each_day(times: Sequence[FoundTime], text: str, clock: Clock) -> list[FoundTime]:
    """Return the shared clock time on each of the days, in their order; empty when fewer than two days are named so."""
    hours = [found for found in times if found.timed and found.role == "when" and found.kind in ("point", "interval")]
    days = [found for found in times if _is_day(found) or (found in hours and found.day_said)]
    if len(hours) != 1 or len(days) == 1 or not _in_a_row(days, text):
        return []
    starts = sorted({found.start.date() for found in days if found.start})
    return [on_day(hours[0], day, clock) for day in starts]


def say_weekly(days: Sequence[FoundTime], end: datetime) -> str:
    """Return the rule of a series on these weekdays up to an exclusive end."""
    codes = ",".join(CODES[day.start.weekday()] for day in days if day.start)
    return f"FREQ=WEEKLY;BYDAY={codes};UNTIL={end - timedelta(days=1):%Y%m%d}"


def _is_day(found: FoundTime) -> bool:
    return found.kind == "point" and not found.timed and found.grain == "day" and found.role == "when"


def _in_a_row(days: Sequence[FoundTime], text: str) -> bool:
    spans = sorted(found.span for found in days)
    return all(BETWEEN_TIMES.fullmatch(text[before[1] : after[0]]) for before, after in pairwise(spans))
