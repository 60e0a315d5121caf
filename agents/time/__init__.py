"""Phrases of time in English text, as instants: a library that knows nothing of the rest of Summit but its conventions.

    clock = clock_for(datetime.now(UTC), "Europe/Lisbon")
    for found in find_times("lunch with Ana next friday at 1", clock):
        print(found.text, found.start)

``find_times`` reads a text, ``merge_phrases`` joins what belongs together ("friday ... at 3"), ``describe`` gives plain data.
The words that the grammar knows are in data/.
"""

from agents.time.calendar import FIRST_YEAR, LAST_YEAR
from agents.time.feasts import load_calendars
from agents.time.impossible import impossible_time
from agents.time.merge import merge_phrases, on_day, with_latest_hour
from agents.time.plain import describe
from agents.time.resolve import Clock, to_instant
from agents.time.search import clock_for, find_times
from agents.time.values import FoundTime

__all__ = [
    "FIRST_YEAR",
    "LAST_YEAR",
    "Clock",
    "FoundTime",
    "clock_for",
    "describe",
    "find_times",
    "impossible_time",
    "load_calendars",
    "merge_phrases",
    "on_day",
    "to_instant",
    "with_latest_hour",
]
