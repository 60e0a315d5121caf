"""Several times of one request: it is for each of them, "at 9 and at 5", or for one, "saturday or sunday"."""

from __future__ import annotations

from itertools import pairwise

from agents.index.words import tokens
from agents.reading.reading import Clause
from agents.time import Clock, FoundTime, on_day
from agents.understanding.slot_values import are_choices, between, both_days
from agents.understanding.values.slots import Slots

JOINING = frozenset(("and", "&", "then", "again"))


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


def _with_the_hour(times: list[FoundTime], clock: Clock) -> list[FoundTime]:
    """Return times, each with the hour that only one of them says: "monday and thursday at 8"."""
    dated = [(found, found.start.date()) for found in times if found.start]
    hour = next((found for found, _ in reversed(dated) if found.timed), None)
    return [on_day(hour, day, clock) if hour and not found.timed else found for found, day in dated]


def _are_joined(clause: Clause) -> bool:
    gaps = [between(clause, one, two) for one, two in pairwise(clause.all("w"))]
    return bool(JOINING & {word for text in (*gaps, clause.words("w")) for word in tokens(text)})
