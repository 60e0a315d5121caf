"""The clock and the calendar themselves: what time it is, which day a date is and how far off."""

from __future__ import annotations

from datetime import date, timedelta

from agents.dates_in_words import MONTHS, WEEKDAYS, say_clock
from agents.phrases import say_count
from agents.understanding.questions.query import Query
from agents.understanding.situation import Situation

WEEK = 7


def clock(query: Query, situation: Situation) -> list[str]:
    """Return the time and the day; of another day there is nothing to tell."""
    now = situation.now
    if query.when and query.when.moment and query.when.moment.date() != now.date():
        return []
    return [f"It is {say_clock(now)} on {WEEKDAYS[now.weekday()]} {now.day} {MONTHS[now.month - 1]}."]


def date_itself(query: Query, situation: Situation) -> list[str]:
    """Return which day a date is, or how long it is until then."""
    if query.when is None or query.when.moment is None:
        return []
    moment = query.when.moment
    if query.when.kind == "open_before":
        moment -= timedelta(microseconds=1)  # the end is exclusive
    days = (moment.date() - situation.now.date()).days
    if "how" not in query.word_set or days < 0:
        return [f"That is {_say_date(moment.date())}."]
    weeks = "weeks" in query.word_set and days >= WEEK
    left = f"about {say_count(round(days / WEEK), 'week')}" if weeks else say_count(days, "day")
    return [f"{left[0].upper()}{left[1:]}, until {_say_date(moment.date())}."]


def _say_date(day: date) -> str:
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"
